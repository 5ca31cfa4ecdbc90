import type { ReactNode } from 'react';
import styles from './info.module.css';

interface SectionProps {
  title: string;
  /** Stands beside the title: a count, a field. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}
