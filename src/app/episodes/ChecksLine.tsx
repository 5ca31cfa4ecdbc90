import type { ColumnInfo, TableQuery } from '../../ingest/protocol';
import { ingest } from '../data/ingest';
import { formatCount } from '../words/format';
import { cancelChecks, dismissChecks, useChecks } from './checks';
import { withRange } from './filter/terms';
import { setFilter } from './query';
import { useAnswer } from './useAnswer';
import styles from './source.module.css';

interface ChecksLineProps {
  query: TableQuery;
  revision: string;
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

function Checks({ query, revision, columns }: ChecksLineProps) {
  const { state, failure } = useChecks();
  const isThere = columns.some(({ key, filled }) => key === 'findings' && filled > 0);
  const filter = withRange('', columns, 'findings', { from: 1 });
  const found = useAnswer(
    isThere && state?.phase !== 'linting' ? JSON.stringify(query.sources) : undefined,
    revision,
    async () => (await ingest().rows({ sources: query.sources, sort: [], filter }, 0, 0)).total,
  ).value;
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
  return (
    <div className={styles.source}>
      <div className={styles.line}>
        <span className={styles.name}>
          {state.phase === 'done'
            ? `${formatCount(state.episodes)} checked`
            : `${formatCount(state.episodes)} of ${formatCount(state.total)} checked`}
          {found === 0 ? ', no findings' : ''}
        </span>
        {found !== undefined && found > 0 ? (
          <button
            type="button"
            className={styles.action}
            onClick={() => setFilter(withRange(query.filter ?? '', columns, 'findings', { from: 1 }))}
          >
            {formatCount(found)} with findings
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
