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
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden fill="none" stroke="currentColor">
        <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
        <path d="M10.5 3.5v-.5a1 1 0 0 0-1-1H4A1.5 1.5 0 0 0 2.5 3.5V9a1 1 0 0 0 1 1h.5" />
      </svg>
    </button>
  );
}
