import { useState } from 'react';
import { Dialog } from '@base-ui/react/dialog';
import { Command as Menu } from 'cmdk';
import { Kbd } from '../controls/Kbd';
import { closeDialogs } from '../stores/layout';
import type { Command } from './command';
import { offered } from './match';
import styles from './commands.module.css';

/** Every command by its name. */
export default function Palette({ commands }: { commands: readonly Command[] }) {
  const [typed, setTyped] = useState('');
  const others = commands.filter(({ id }) => id !== 'palette');
  return (
    <Dialog.Root open onOpenChange={(next) => (next ? undefined : closeDialogs())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop ?? ''} />
        <Dialog.Popup className={styles.palette ?? ''} aria-label="Commands">
          <Menu label="Commands" loop shouldFilter={false}>
            <Menu.Input
              className={styles.input}
              placeholder="Type a command"
              value={typed}
              onValueChange={setTyped}
            />
            <Menu.List className={styles.list}>
              <Menu.Empty className={styles.empty}>No command of that name.</Menu.Empty>
              {offered(others, typed).map(({ group, commands: own }) => (
                <Menu.Group key={group} heading={group} className={styles.group}>
                  {own.map((command) => (
                    <Menu.Item
                      key={command.id}
                      value={command.id}
                      disabled={command.unavailable !== undefined}
                      className={styles.item}
                      onSelect={() => {
                        closeDialogs();
                        command.run({ held: false });
                      }}
                    >
                      <span>{command.title}</span>
                      <span className={styles.why}>{command.unavailable}</span>
                      {command.keys[0] === undefined ? null : <Kbd keys={command.keys[0]} />}
                    </Menu.Item>
                  ))}
                </Menu.Group>
              ))}
            </Menu.List>
          </Menu>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
