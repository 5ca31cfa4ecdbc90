import { Kbd } from '../controls/Kbd';
import { TitledDialog } from '../controls/TitledDialog';
import { closeDialogs } from '../stores/layout';
import { commandGroups, type Command } from './command';
import styles from './commands.module.css';

/** Every key and what it does. */
export default function Help({ commands }: { commands: readonly Command[] }) {
  const keyed = commands.filter((command) => command.keys.length > 0);
  return (
    <TitledDialog title="All keys" onClose={closeDialogs} wide>
      <div className={styles.columns}>
        {commandGroups
          .filter((group) => keyed.some((command) => command.group === group))
          .map((group) => (
            <section key={group} className={styles.helpGroup}>
              <h3>{group}</h3>
              <dl>
                {keyed
                  .filter((command) => command.group === group)
                  .map((command) => (
                    <div key={command.id} className={styles.helpRow}>
                      <dt>{command.title}</dt>
                      <dd>
                        {command.keys.map((keys) => (
                          <Kbd key={keys} keys={keys} />
                        ))}
                      </dd>
                    </div>
                  ))}
              </dl>
            </section>
          ))}
      </div>
      <p className={styles.helpNote}>
        On the timeline: arrows, Page Up and Down, Home and End, the wheel, or drag. In the table: arrows,
        Enter opens; Shift with a click on a column, or with Enter, sorts by one more. Ctrl+K finds every
        command by its name, those without a key too.
      </p>
    </TitledDialog>
  );
}
