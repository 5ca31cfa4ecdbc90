import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { Button } from '../controls/Button';
import { closeDialogs } from '../stores/layout';
import styles from './live.module.css';

/** A dialog over the workspace. */
export function LiveDialog({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Dialog.Root open onOpenChange={(next) => (next ? undefined : closeDialogs())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop ?? ''} />
        <Dialog.Popup className={styles.dialog ?? ''}>
          <header className={styles.dialogHead}>
            <Dialog.Title className={styles.dialogTitle ?? ''}>{title}</Dialog.Title>
            <Dialog.Close render={<Button kind="quiet" />}>Close</Dialog.Close>
          </header>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
