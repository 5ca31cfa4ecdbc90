import type { Mistakes } from '../../gym';
import { Button } from '../controls/Button';
import { copy } from '../stores/toasts';
import { serverLine } from './port';
import styles from './gym.module.css';

/** What curl lines of this tab need: the same server, on a port. */
export function ServerLine({ mistakes }: { mistakes: Mistakes }) {
  const line = serverLine(mistakes);
  return (
    <p className={styles.quiet}>
      No curl reaches into a tab: the lines are for <code>{line}</code>{' '}
      <Button kind="quiet" onClick={() => void copy(line, 'the command')}>
        Copy the command
      </Button>
    </p>
  );
}
