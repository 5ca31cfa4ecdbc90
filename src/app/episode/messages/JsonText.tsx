import { useMemo } from 'react';
import { PlainText } from '../../markdown';
import { headOfJson, prettyJson, type JsonLine } from '../json/pretty';
import { ShowAll } from './FoldedText';
import { LongText } from './LongText';
import { headOf, SET_AT_ONCE } from '../fold';
import styles from './messages.module.css';
import { useOpen } from './surroundings';

const LINES_PER_BLOCK = 100;

interface JsonTextProps {
  text: string;
  /** Unique within the episode. */
  openKey: string;
}

/** A text that is JSON: set for reading with quiet colours, or exactly as it stands. Folded where it is long. */
export function JsonText({ text, openKey }: JsonTextProps) {
  const [set, setSet] = useOpen(`${openKey} set`, text.length <= SET_AT_ONCE);
  const [open, setOpen] = useOpen(`${openKey} all`, false);
  const lines = useMemo(() => (set ? prettyJson(text) : undefined), [set, text]);
  const jsonHead = useMemo(() => (lines === undefined ? undefined : headOfJson(lines)), [lines]);
  const textHead = headOf(text);
  const long = (lines === undefined ? textHead : jsonHead) !== undefined;
  return (
    <div className={styles.json}>
      <button
        type="button"
        className={styles.corner}
        aria-pressed={!set}
        title={set ? 'Show the text exactly as it stands' : 'Show it set for reading'}
        onClick={() => setSet(!set)}
      >
        raw
      </button>
      {lines === undefined ? (
        <LongText text={open ? text : (textHead ?? text)} openKey={openKey} />
      ) : (
        <JsonLines lines={open ? lines : (jsonHead ?? lines)} />
      )}
      {long ? <ShowAll open={open} size={text.length} onOpen={setOpen} /> : null}
    </div>
  );
}

/* Lines and spans have no identity but their place. */
/* oxlint-disable react/no-array-index-key */
export function JsonSpans({ line }: { line: JsonLine }) {
  return line.spans.map((span, place) =>
    // What stands between is as quiet as the line itself.
    span.kind === 'punctuation' ? (
      span.text
    ) : (
      <span key={place} className={styles[span.kind]}>
        <PlainText text={span.text} />
      </span>
    ),
  );
}

export function JsonLines({ lines }: { lines: readonly JsonLine[] }) {
  const blocks = Array.from({ length: Math.ceil(lines.length / LINES_PER_BLOCK) }, (_, nth) =>
    lines.slice(nth * LINES_PER_BLOCK, (nth + 1) * LINES_PER_BLOCK),
  );
  return blocks.map((block, nth) => (
    <div key={nth} className={blocks.length > 1 ? styles.block : undefined}>
      {block.map((line, index) => (
        <div key={index} className={styles.jsonLine} style={{ marginLeft: `${line.indent * 2}ch` }}>
          <JsonSpans line={line} />
        </div>
      ))}
    </div>
  ));
}
/* oxlint-enable react/no-array-index-key */
