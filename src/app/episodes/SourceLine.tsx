import type { SourceState } from '../../ingest/protocol';
import { join } from '../controls/Button';
import { Name, spelled } from '../markdown';
import { Changed } from '../opening/Changed';
import { readOn } from '../opening/following';
import { leave } from '../opening/open';
import { cancelSource, type OpenedSource } from '../stores/sources';
import { isBegun } from './ledger';
import { percentRead } from './pace';
import { readingText, restingText, writingText } from './sourceText';
import { useRate } from './usePace';
import styles from './source.module.css';

interface SourceLineProps {
  source: OpenedSource;
  /** What is to be said of it is said elsewhere. */
  terse: boolean;
}

/** A source in a line or two: what it is, how far it has been read, and how to stop or close it. */
export function SourceLine({ source, terse }: SourceLineProps) {
  const reading = source.phase === 'reading';
  const text = restingText(source);
  const action = actionOf(source);
  // Where all is well one line is enough.
  const beside = source.phase === 'ready' && source.episodes > 0;
  return (
    <li className={styles.source} data-phase={isBegun(source) ? 'ready' : source.phase}>
      <div className={styles.line}>
        <FileName name={source.name} />
        {beside ? (
          <span className={styles.format} title={writingText(source) ?? text}>
            {text}
          </span>
        ) : null}
        {action === undefined ? null : (
          <button
            type="button"
            className={styles.action}
            onClick={action.run}
            // Held down, it would stop what it has just taken up.
            onKeyDown={(event) => {
              if (event.repeat && event.key === 'Enter') event.preventDefault();
            }}
          >
            {action.label}
          </button>
        )}
        <button
          type="button"
          className={styles.close}
          aria-label={`Close ${spelled(source.name, 300)}`}
          title="Close"
          onClick={() => leave(source.id)}
        >
          <span aria-hidden>×</span>
        </button>
      </div>
      {reading ? <Reading source={source} /> : null}
      {reading || beside || terse ? null : <p className={styles.text}>{text}</p>}
      <Changed source={source} />
    </li>
  );
}

/** One button for both, so that the keyboard stays where it is when one takes the place of the other. */
function actionOf({
  id,
  phase,
  readOn: way,
  changed,
}: OpenedSource): { label: string; run: () => void } | undefined {
  if (phase === 'reading') return { label: 'Cancel', run: () => cancelSource(id) };
  if (way === undefined || changed !== undefined) return undefined;
  return { label: way === 'on' ? 'Read on' : 'Read again', run: () => void readOn(id) };
}

/** Letters of a name that are drawn however little room there is. */
const ending = 14;

/** The files of one run are called the same up to their end: where room is short, that end stays. */
function FileName({ name }: { name: string }) {
  const letters = Array.from(name);
  const cut = letters.length > 2 * ending ? -ending : letters.length;
  return (
    <span className={join(styles.name, styles.file)} title={spelled(name)}>
      <span className={styles.start}>
        <Name text={letters.slice(0, cut).join('')} />
      </span>
      {cut < 0 ? (
        <span className={styles.end}>
          <Name text={letters.slice(cut).join('')} />
        </span>
      ) : null}
    </span>
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
