import type { ReactNode } from 'react';
import { join } from './Button';
import styles from './controls.module.css';

interface NoticeProps {
  title: string;
  children?: ReactNode;
  tone?: 'quiet' | 'error';
  /** What the person can do now. */
  actions?: ReactNode;
}

/** Stands where something would be: empty, waiting, or failed. Says what is the case and what to do next. */
export function Notice({ title, children, tone = 'quiet', actions }: NoticeProps) {
  return (
    <div className={join(styles.notice, styles[tone])} role={tone === 'error' ? 'alert' : undefined}>
      <p className={styles.noticeTitle}>{title}</p>
      {children === undefined ? null : <div className={styles.noticeBody}>{children}</div>}
      {actions === undefined ? null : <div className={styles.noticeActions}>{actions}</div>}
    </div>
  );
}
