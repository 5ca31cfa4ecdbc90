import { useState } from 'react';
import { formatBytes } from '../words/format';
import { PlainText } from '../markdown';
import styles from './inspector.module.css';

/** Texts beyond this many characters are folded to their start. */
const short = 240;
const start = 160;
/** Of what is unfolded no more is drawn than the page can bear. */
const longest = 20_000;

/** A text of any length: its start, and the rest on request. */
export function Folded({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  if (text.length <= short)
    return (
      <span className={styles.text}>
        <PlainText text={text} />
      </span>
    );
  return (
    <span className={styles.text}>
      <PlainText text={open ? text.slice(0, longest) : `${text.slice(0, start)}…`} />
      {open && text.length > longest ? `… (${formatBytes(text.length - longest)} more: see Raw)` : null}{' '}
      <button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'less' : `all ${formatBytes(text.length)}`}
      </button>
    </span>
  );
}
