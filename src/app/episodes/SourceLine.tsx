import type { SourceState } from '../../ingest/protocol';
import { cancelSource, closeSource } from '../stores/sources';
import { percentRead } from './pace';
import { readingText, restingText } from './sourceText';
import { useRate } from './usePace';
import styles from './source.module.css';

/** A source in a line or two: what it is, how far it has been read, and how to stop or close it. */
export function SourceLine({ source }: { source: SourceState }) {
  const reading = source.phase === 'reading';
  return (
    <li className={styles.source} data-phase={source.phase}>
      <div className={styles.line}>
        <span className={styles.name} title={source.name}>
          {source.name}
        </span>
        {reading ? (
          <button type="button" className={styles.action} onClick={() => cancelSource(source.id)}>
            Cancel
          </button>
        ) : null}
        <button
          type="button"
          className={styles.close}
          aria-label={`Close ${source.name}`}
          title="Close"
          onClick={() => closeSource(source.id)}
        >
          <span aria-hidden>×</span>
        </button>
      </div>
      {reading ? <Reading source={source} /> : <p className={styles.text}>{restingText(source)}</p>}
    </li>
  );
}

function Reading({ source }: { source: SourceState }) {
  const rate = useRate(source.id);
  const text = readingText(source, rate);
  const percent = source.bytesTotal > 0 ? percentRead(source) : undefined;
  return (
    <>
      <p className={styles.text}>{text}</p>
      <progress
        aria-label="Reading"
        aria-valuetext={text}
        className={styles.progress}
        max={100}
        value={percent}
      />
    </>
  );
}
