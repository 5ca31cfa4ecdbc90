import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { Button, join } from './Button';
import styles from './controls.module.css';

interface TitledDialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/** A dialog with its title and a way out, open as long as it is drawn. */
export function TitledDialog({ title, onClose, wide = false, children }: TitledDialogProps) {
  return (
    <Dialog.Root open onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop ?? ''} />
        <Dialog.Popup className={join(styles.dialog, wide && styles.wide)}>
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
