import { useContext } from 'react';
import { AsItIs, MarkdownText } from '../../markdown';
import { formatCount } from '../../words/format';
import { headOf } from '../fold';
import { LongText } from './LongText';
import { join } from '../../controls/Button';
import { MayBeMarkdown } from './markdownShare';
import styles from './messages.module.css';
import { useOpen, useSurroundings } from './surroundings';

interface FoldedTextProps {
  text: string;
  /** Unique within the episode. */
  openKey: string;
  tone?: 'plain' | 'quiet';
  /** Lines shown while folded. */
  lines?: number;
}

/** Model text in the way the person likes to read it, folded where it is long. */
export function FoldedText({ text, openKey, tone = 'plain', lines }: FoldedTextProps) {
  const { textMode } = useSurroundings();
  const mayBeMarkdown = useContext(MayBeMarkdown);
  const [open, setOpen] = useOpen(openKey, false);
  const head = headOf(text, lines);
  const shown = open || head === undefined ? text : head;
  return (
    <div className={join(styles.text, tone === 'quiet' && styles.quietText)}>
      {textMode === 'markdown' && !mayBeMarkdown ? <AsItIs why="long" /> : null}
      {textMode === 'markdown' && mayBeMarkdown ? (
        <MarkdownText text={shown} fallback={<LongText text={shown} openKey={openKey} />} />
      ) : (
        <LongText text={shown} openKey={openKey} />
      )}
      {head === undefined ? null : <ShowAll open={open} size={text.length} onOpen={setOpen} />}
    </div>
  );
}

interface ShowAllProps {
  open: boolean;
  size: number;
  onOpen: (open: boolean) => void;
}

export function ShowAll({ open, size, onOpen }: ShowAllProps) {
  return (
    <button type="button" className={styles.showAll} aria-expanded={open} onClick={() => onOpen(!open)}>
      {open ? 'Show less' : `Show all (${formatCount(size)} characters)`}
    </button>
  );
}
