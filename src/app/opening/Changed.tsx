import { Button } from '../controls/Button';
import type { OpenedSource } from '../stores/sources';
import { openAgain } from './following';
import styles from './opening.module.css';

/** Said of a source that is another one by now than was read. */
export function Changed({ source: { id, changed } }: { source: OpenedSource }) {
  if (changed === undefined) return null;
  return (
    <output className={styles.changed}>
      <span>
        {changed === 'replaced'
          ? 'The file was replaced or shortened since it was read. Its episodes may not open any more.'
          : 'The file has changed since it was read, and can only be read as a whole.'}
      </span>
      <Button onClick={() => void openAgain(id)}>Open again</Button>
    </output>
  );
}
