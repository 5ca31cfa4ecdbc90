import { useMemo } from 'react';
import type { ToolCall } from '../../../model';
import { PlainText, spelled } from '../../markdown';
import { headOfJson, prettyJson, type JsonLine } from '../json/pretty';
import { shortName } from '../fold';
import { CopyButton } from './CopyButton';
import { few } from './few';
import { FoldedText, ShowAll } from './FoldedText';
import { JsonLines, JsonSpans } from './JsonText';
import styles from './messages.module.css';
import { useOpen, useSurroundings } from './surroundings';
import { Tag } from './Tag';
import { callJson, fateOf } from './words';

/** A tool call: its name, its arguments, and the way to its result. */
export function CallPart({ call, openKey }: { call: ToolCall; openKey: string }) {
  const lines = useMemo(() => prettyJson(call.arguments), [call.arguments]);
  const [open, setOpen] = useOpen(`${openKey} all`, false);
  const head = useMemo(() => (lines === undefined ? undefined : headOfJson(lines)), [lines]);
  return (
    <div className={styles.callRow}>
      <div className={styles.call}>
        <b className={styles.callName}>
          <PlainText text={call.name === '' ? '(no name)' : shortName(call.name)} />
        </b>{' '}
        {lines === undefined ? (
          <ArgumentsAsTheyAre text={call.arguments} openKey={openKey} />
        ) : (
          <Arguments lines={open ? lines : (head ?? lines)} />
        )}
        {head === undefined ? null : <ShowAll open={open} size={call.arguments.length} onOpen={setOpen} />}
        <CopyButton what={`call ${shortName(call.name)}`} text={() => callJson(call, lines !== undefined)} />
      </div>
      <Fate call={call} />
    </div>
  );
}

/** The first line stands beside the name: `readChunk {"chunk_id": 1}`. */
function Arguments({ lines: [first, ...rest] }: { lines: readonly JsonLine[] }) {
  if (first === undefined) return null;
  return (
    <>
      <span className={styles.firstLine}>
        <JsonSpans line={first} />
      </span>
      {rest.length === 0 ? null : <JsonLines lines={rest} />}
    </>
  );
}

function ArgumentsAsTheyAre({ text, openKey }: { text: string; openKey: string }) {
  if (text.trim() === '') return <span className={styles.quietWord}>no arguments</span>;
  return (
    <>
      <Tag tone="warn" title="The arguments are no JSON object. They stand here exactly as recorded.">
        not a JSON object
      </Tag>
      <FoldedText text={text} openKey={`${openKey} text`} />
    </>
  );
}

function Fate({ call }: { call: ToolCall }) {
  const { episode, jumpTo } = useSurroundings();
  const fate = fateOf(episode, call);
  if (fate.kind === 'unanswered') {
    return (
      <span
        className={styles.fate}
        title={spelled(fate.why ?? 'No message of this episode answers the call.')}
      >
        never answered
      </span>
    );
  }
  return (
    <span className={styles.fate}>
      {few(fate.by, ({ msgId }) => (
        <button type="button" className={styles.link} onClick={() => jumpTo(msgId)}>
          result: message {msgId}
        </button>
      ))}
    </span>
  );
}
