import type { Part } from '../../../model';
import { REASONING_LINES } from '../fold';
import { formatCount } from '../../words/format';
import { FoldedText } from './FoldedText';
import styles from './messages.module.css';
import { useOpen } from './surroundings';
import { Tag } from './Tag';
import { reasoningWords } from './words';

interface ReasoningPartProps {
  part: Extract<Part, { kind: 'reasoning' }>;
  openKey: string;
  /** The model did not see it again. */
  unseen: boolean;
}

/** What the model thought, quieter than what it said. */
export function ReasoningPart({ part, openKey, unseen }: ReasoningPartProps) {
  const [open, setOpen] = useOpen(`${openKey} shown ${unseen}`, !unseen);
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
        <span>{formatCount(part.text.length)} characters</span>
        {unseen ? (
          <Tag title="The loop does not send the reasoning of earlier turns again.">not in the context</Tag>
        ) : null}
        {derived ? <Tag title={`Derived: ${title}`}>derived</Tag> : null}
      </p>
      {open ? <FoldedText text={part.text} openKey={openKey} tone="quiet" lines={REASONING_LINES} /> : null}
    </div>
  );
}
