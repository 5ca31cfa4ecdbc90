import type { SourceId } from '../../ingest/protocol';
import { errorText } from '../../model/error-text';
import { Button } from '../controls/Button';
import type { OpenedSource } from '../stores/sources';
import { say } from '../stores/toasts';
import { openAgain } from './following';
import { reopen } from './open';
import styles from './opening.module.css';

/** Said of a source that is another one by now than was read. */
export function Changed({ source: { id, changed } }: { source: OpenedSource }) {
  if (changed === undefined) return null;
  return (
    <output className={styles.changed}>
      <span>
        {changed === 'replaced'
          ? 'The file was replaced, shortened or removed since it was read. Its episodes may not open any more.'
          : 'The file has changed since it was read, and can only be read as a whole.'}
      </span>
      <Button onClick={() => void again(id)}>Open again</Button>
    </output>
  );
}

async function again(id: SourceId): Promise<void> {
  try {
    if ((await openAgain(id)) || (await reopen(id, true)) === 'opened') return;
    say('The file is not there any more: drop it again from where it is now');
  } catch (error) {
    say(errorText(error));
  }
}
