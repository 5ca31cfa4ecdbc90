import type { Part } from '../../../model';
import { count } from '../numbers';
import { FoldedText } from './FoldedText';
import styles from './messages.module.css';
import { useOpen } from './surroundings';
import { Tag } from './Tag';
import { reasoningWords } from './words';

/** Lines of reasoning shown before it is asked for. */
const LINES = 8;

/** What the model thought, quieter than what it said. */
export function ReasoningPart({
  part,
  openKey,
}: {
  part: Extract<Part, { kind: 'reasoning' }>;
  openKey: string;
}) {
  const [open, setOpen] = useOpen(`${openKey} shown`, true);
  const { label, title, derived } = reasoningWords(part);
  return (
    <div className={styles.reasoning}>
      <p className={styles.reasoningHead}>
        <button
          type="button"
          className={styles.twist}
          aria-expanded={open}
          title={title}
          onClick={() => setOpen(!open)}
        >
          {label}
        </button>
        <span>{count(part.text.length)} characters</span>
        {derived ? <Tag title={`Derived: ${title}`}>derived</Tag> : null}
      </p>
      {open ? <FoldedText text={part.text} openKey={openKey} tone="quiet" lines={LINES} /> : null}
    </div>
  );
}
