import { useId, useState } from 'react';
import type { Problem } from '../../ingest/protocol';
import type { OpenedSource } from '../stores/sources';
import { useProblems } from '../data/hooks';
import { Name } from '../markdown';
import { copy } from '../stores/toasts';
import { formatCount } from '../words/format';
import { listedProblems, placeOf, problemCount, problemsAsText, problemsText } from './ledger';
import styles from './problems.module.css';

/** What could not be read, and where: the error ledger of all open sources. */
export function Problems({ sources }: { sources: readonly OpenedSource[] }) {
  const [open, setOpen] = useState(true);
  const id = useId();
  const troubled = sources.filter((source) => problemCount(source) > 0);
  if (troubled.length === 0) return null;
  const total = troubled.reduce((sum, source) => sum + problemCount(source), 0);
  return (
    <section aria-label="Problems" className={styles.region}>
      <h3 className={styles.head}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          Problems <span className={styles.count}>{formatCount(total)}</span>
        </button>
      </h3>
      {/* Focusable, so that keys can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div id={id} hidden={!open} className={styles.panel} tabIndex={0}>
        {troubled.map((source) => (
          <Ledger key={source.id} source={source} named={sources.length > 1} />
        ))}
      </div>
    </section>
  );
}

function Ledger({ source, named }: { source: OpenedSource; named: boolean }) {
  const loaded = useProblems(source);
  const count = problemCount(source);
  const problems = loaded.value?.slice(0, count) ?? [];
  const { shown, more } = listedProblems(problems, count);
  return (
    <div className={styles.ledger}>
      <div className={styles.ledgerHead}>
        <span className={styles.source}>
          {named ? <Name text={source.name} /> : problemsText(count, source.records)}
        </span>
        <button
          type="button"
          className={styles.copy}
          disabled={problems.length === 0}
          onClick={() => void copy(problemsAsText(source.name, problems), 'Problems')}
        >
          Copy
        </button>
      </div>
      <ol className={styles.list}>
        {shown.map((problem) => (
          <Entry key={`${problem.line} ${problem.byteStart}`} problem={problem} />
        ))}
      </ol>
      {loaded.state === 'failed' ? <p className={styles.more}>{loaded.error}</p> : null}
      {more > 0 ? <p className={styles.more}>and {formatCount(more)} more</p> : null}
    </div>
  );
}

function Entry({ problem }: { problem: Problem }) {
  return (
    <li className={styles.entry}>
      <span className={styles.place}>{placeOf(problem)}</span>
      <span className={styles.reason}>
        <Name text={problem.reason} most={1000} />
      </span>
      {problem.excerpt === '' ? null : (
        <code className={styles.excerpt}>
          <Name text={problem.excerpt} most={1000} />
        </code>
      )}
    </li>
  );
}
