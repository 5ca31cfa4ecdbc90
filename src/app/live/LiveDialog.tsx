import type { ReactNode } from 'react';
import { TitledDialog } from '../controls/TitledDialog';
import { closeDialogs } from '../stores/layout';
import styles from './live.module.css';

/** A dialog over the workspace. */
export function LiveDialog({ title, children }: { title: string; children: ReactNode }) {
  return (
    <TitledDialog title={title} onClose={closeDialogs}>
      <div className={styles.dialog}>{children}</div>
    </TitledDialog>
  );
}
