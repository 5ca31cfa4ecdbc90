import { Markdown, PlainText } from '../../markdown';
import { count } from '../numbers';
import { blocksOf, headOf, PAGE } from '../fold';
import { join } from '../../controls/Button';
import styles from './messages.module.css';
import { useOpen, useSurroundings } from './surroundings';
import { useState } from 'react';

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
  const [open, setOpen] = useOpen(openKey, false);
  const head = headOf(text, lines);
  const shown = open || head === undefined ? text : head;
  return (
    <div className={join(styles.text, tone === 'quiet' && styles.quietText)}>
      {textMode === 'markdown' ? <Markdown text={shown} /> : <LongText text={shown} />}
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
      {open ? 'Show less' : `Show all (${count(size)} characters)`}
    </button>
  );
}

/** Plain text of any length: in blocks, so that only those on screen are laid out, and a page of them at a time. */
export function LongText({ text }: { text: string }) {
  const [shown, setShown] = useState(PAGE);
  const rest = text.length - shown;
  return (
    <div className={styles.exact}>
      {blocksOf(rest > 0 ? text.slice(0, shown) : text).map((block, index, all) => (
        // Blocks of a text have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={all.length > 1 ? styles.block : undefined}>
          <PlainText text={block} />
          {block === '' ? <br /> : null}
        </div>
      ))}
      {rest > 0 ? (
        <button type="button" className={styles.showAll} onClick={() => setShown(shown + PAGE)}>
          {`Show the next ${count(Math.min(PAGE, rest))} of ${count(rest)} characters`}
        </button>
      ) : null}
    </div>
  );
}
