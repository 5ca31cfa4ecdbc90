import type { ColumnInfo, TableQuery } from '../../ingest/protocol';
import { counted, formatCount } from '../words/format';
import { cancelChecks, dismissChecks, useChecks } from './checks';
import { withRange } from './filter/terms';
import { setFilter } from './query';
import styles from './source.module.css';

interface ChecksLineProps {
  query: TableQuery;
  columns: readonly ColumnInfo[];
}

/** How lint over all episodes goes, and the way to what it found. */
export function ChecksLine(props: ChecksLineProps) {
  const { state, failure } = useChecks();
  if (state === undefined && failure === undefined) return null;
  return (
    <div className={styles.checks}>
      <Checks {...props} />
    </div>
  );
}

function Checks({ query, columns }: ChecksLineProps) {
  const { state, failure } = useChecks();
  if (failure !== undefined) {
    return (
      <div className={styles.source} data-phase="failed" role="alert">
        <p className={styles.text}>The episodes could not be checked: {failure}</p>
      </div>
    );
  }
  if (state === undefined) return null;
  if (state.phase === 'linting') {
    const text = `Checking ${formatCount(state.episodes)} of ${formatCount(state.total)}`;
    return (
      <div className={styles.source}>
        <div className={styles.line}>
          <span className={styles.name}>{text}</span>
          <button type="button" className={styles.action} onClick={cancelChecks}>
            Cancel
          </button>
        </div>
        <progress
          aria-label="Checking"
          aria-valuetext={text}
          className={styles.progress}
          max={Math.max(1, state.total)}
          value={state.episodes}
        />
      </div>
    );
  }
  const isThere = columns.some(({ key, filled }) => key === 'findings' && filled > 0);
  return (
    <div className={styles.source}>
      <div className={styles.line}>
        <span className={styles.name}>
          {state.phase === 'done'
            ? `${counted(state.episodes, 'episode')} checked`
            : `${formatCount(state.episodes)} of ${formatCount(state.total)} checked`}
        </span>
        {isThere ? (
          <button
            type="button"
            className={styles.action}
            onClick={() => setFilter(withRange(query.filter ?? '', columns, 'findings', { from: 1 }))}
          >
            With findings
          </button>
        ) : null}
        <button
          type="button"
          className={styles.close}
          aria-label="Dismiss"
          title="Dismiss"
          onClick={dismissChecks}
        >
          <span aria-hidden>×</span>
        </button>
      </div>
    </div>
  );
}
