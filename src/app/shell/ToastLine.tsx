import { useEffect, useState } from 'react';
import { useToast } from '../stores/toasts';
import styles from './shell.module.css';

/** Says the last toast for a few seconds; screen readers hear it once. */
export function ToastLine() {
  const toast = useToast((state) => state.toast);
  const [past, setPast] = useState(0);
  useEffect(() => {
    if (toast === undefined) return;
    const timer = setTimeout(() => setPast(toast.count), 2500);
    return () => clearTimeout(timer);
  }, [toast]);
  const shown = toast !== undefined && toast.count > past;
  return (
    <output className={styles.toastPlace}>
      {shown ? <span className={styles.toast}>{toast.text}</span> : null}
    </output>
  );
}
