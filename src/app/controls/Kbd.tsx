import { keyLabels } from '../commands/keys';
import styles from './controls.module.css';

/** The keys of a command as keycaps: `g g`, `mod+k`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {keyLabels(keys).map((label, index) => (
        // A sequence can hold the same key twice, and never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <kbd key={index} className={styles.kbd}>
          {label}
        </kbd>
      ))}
    </span>
  );
}
