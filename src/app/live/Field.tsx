import type { ReactNode } from 'react';
import styles from './live.module.css';

interface FieldProps {
  label: string;
  hint?: string;
  children: ReactNode;
}

/** A field of a form with its name, and what is to be known of it. */
export function Field({ label, hint, children }: FieldProps) {
  return (
    <label className={styles.field}>
      <span>{label}</span>
      {children}
      {hint === undefined ? null : <small>{hint}</small>}
    </label>
  );
}
