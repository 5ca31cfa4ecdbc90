import { spelled } from '../../markdown';
import { copy } from '../../stores/toasts';
import styles from './messages.module.css';

/** Copies a text that is only made when it is wanted. */
export function CopyButton({ what, text }: { what: string; text: () => string }) {
  const name = `Copy ${spelled(what, 200)}`;
  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={name}
      title={name}
      onClick={() => void copy(text(), what)}
    />
  );
}
