import { join } from '../../controls/Button';
import { Name, spelled } from '../../markdown';
import styles from './messages.module.css';

interface TagProps {
  children: string;
  title?: string;
  tone?: 'quiet' | 'warn' | 'deleted';
}

/** A word set beside something: how sure we are of it, or what is special about it. */
export function Tag({ children, title, tone = 'quiet' }: TagProps) {
  return (
    <span className={join(styles.tag, styles[tone])} title={title === undefined ? undefined : spelled(title)}>
      <Name text={children} />
    </span>
  );
}
