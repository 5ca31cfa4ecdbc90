import { Name } from '../../markdown';
import { few } from './few';
import { MessageArticle } from './MessageArticle';
import styles from './messages.module.css';
import type { Row } from './rows';
import { useSurroundings } from './surroundings';
import { goneWords } from './words';

interface RowViewProps {
  row: Row;
  /** Among what the chosen step brought. */
  now: boolean;
  /** Changes with every jump to this message. */
  jump: number;
  onToggle: (key: string) => void;
  onStep: (step: number) => void;
}

/** One line of the list. */
export function RowView({ row, now, jump, onToggle, onStep }: RowViewProps) {
  switch (row.kind) {
    case 'message':
      return (
        <MessageArticle
          message={row.message}
          state={row.as.state}
          edit={row.as.state === 'verbatim' ? undefined : row.as.edit}
          chat={row.as.state === 'ghost' ? undefined : row.as.seen?.chat}
          before={row.as.state === 'ghost' ? undefined : row.as.seen?.before}
          jump={jump}
        />
      );
    case 'caption':
      return <Caption row={row} now={now} onStep={onStep} />;
    case 'gone':
      return <Gone row={row} onToggle={onToggle} />;
    case 'note':
      return (
        <div className={styles.note}>
          <p>{row.text}</p>
          {few(row.reasons, (reason) => (
            <p>
              <Name text={reason} most={1000} />
            </p>
          ))}
        </div>
      );
  }
}

interface CaptionProps {
  row: Extract<Row, { kind: 'caption' }>;
  now: boolean;
  onStep: (step: number) => void;
}

function Caption({ row, now, onStep }: CaptionProps) {
  const { step } = row;
  return (
    <h3 className={styles.caption}>
      {step === undefined || now ? (
        row.text
      ) : (
        <button type="button" className={styles.captionLink} onClick={() => onStep(step)}>
          {row.text}
        </button>
      )}
    </h3>
  );
}

function Gone({ row, onToggle }: { row: Extract<Row, { kind: 'gone' }>; onToggle: (key: string) => void }) {
  const { measure } = useSurroundings();
  return (
    <div className={styles.gone}>
      <p className={styles.ghostBar}>
        <span>{goneWords(row.edit, row.messages, measure)}</span>
        <button
          type="button"
          className={styles.ghostLink}
          aria-expanded={row.open}
          onClick={() => onToggle(row.key)}
        >
          {row.open ? 'hide what stood here' : 'show what stood here'}
        </button>
      </p>
    </div>
  );
}
