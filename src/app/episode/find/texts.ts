import { stubOf, partText, type Episode, type Message, type Part } from '../../../model';
import { once } from '../../../model/once';
import { SET_AT_ONCE } from '../fold';
import { prettyJson } from '../json/pretty';
import { markdownParts } from '../messages/markdownShare';
import type { Row } from '../messages/rows';
import { contentText, seenText } from '../messages/seen';

/**
 * Where in a message a text stands: the number of its part, `seen` for what the loop made of it, `stub` for what a
 * delete left of it.
 */
export type Where = number | 'seen' | 'stub';

/** A text that can be looked in, as it is drawn. */
export interface FindText {
  msgId: number;
  where: Where;
  text: () => string;
}

type MessageRow = Extract<Row, { kind: 'message' }>;

/** What a text reads as where it is not JSON: itself, or what Markdown makes of it. */
export type ReadAs = (text: string) => string;

export const exactly: ReadAs = (text) => text;

/**
 * Everything there is to look in: each message of the episode once and whole, wherever it is shown, and with it what the
 * rows of this step show besides.
 */
export function* textsOf(
  episode: Episode,
  rows: readonly Row[],
  readAs: ReadAs = exactly,
): Generator<FindText> {
  const shown = new Map<number, MessageRow>();
  for (const row of rows) {
    if (row.kind === 'message' && !shown.has(row.message.msgId)) shown.set(row.message.msgId, row);
  }
  for (const message of episode.messages) yield* messageTexts(message, shown.get(message.msgId), readAs);
}

function* messageTexts(message: Message, row: MessageRow | undefined, readAs: ReadAs): Generator<FindText> {
  const { msgId, role, parts } = message;
  const extra = row === undefined ? undefined : extraText(row, readAs);
  const read = readParts(message, readAs);
  const rewritten = extra?.where === 'seen' && extra.instead;
  if (extra !== undefined && (extra.where === 'stub' || rewritten))
    yield { msgId, where: extra.where, text: () => extra.text };
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part === undefined || (rewritten && isText(part))) continue;
    yield { msgId, where: index, text: () => drawnPart(part, role, read(index)) };
  }
  if (extra?.where === 'seen' && !rewritten) yield { msgId, where: 'seen', text: () => extra.text };
}

/** What a row shows that is not in the message. `instead`: its texts are not shown beside it. */
function extraText(
  { message, as }: MessageRow,
  readAs: ReadAs,
): { where: 'seen' | 'stub'; text: string; instead: boolean } | undefined {
  if (as.state === 'stub') {
    return { where: 'stub', text: contentText(as.seen?.chat ?? stubOf(message, as.edit)), instead: false };
  }
  if (as.state === 'ghost' || as.seen === undefined || as.seen.before !== undefined) return undefined;
  const seen = seenText(message, as.seen.chat);
  if (seen.kind === 'same') return undefined;
  return seen.kind === 'rewritten'
    ? { where: 'seen', text: drawnText(seen.text, true, readSeen(message, readAs)), instead: true }
    : { where: 'seen', text: seen.added.replace(/^\n+/, ''), instead: false };
}

/** Whether a row shows the text of a place, if only folded. */
export function shows(row: Row, msgId: number, where: Where): boolean {
  if (row.kind !== 'message' || row.message.msgId !== msgId) return false;
  const { message, as } = row;
  if (as.state === 'ghost') return typeof where === 'number';
  if (as.state === 'stub') return where === 'stub';
  if (as.seen === undefined) return typeof where === 'number';
  if (as.seen.before !== undefined) return false;
  const { kind } = seenText(message, as.seen.chat);
  if (where === 'seen') return kind !== 'same';
  const part = typeof where === 'number' ? message.parts[where] : undefined;
  return part !== undefined && (kind !== 'rewritten' || !isText(part));
}

const isText = ({ kind }: Part) => kind === 'text' || kind === 'json';

/** How the parts of a message read: only so many of them are drawn as Markdown. */
export function readParts({ parts }: Message, readAs: ReadAs): (index: number) => ReadAs {
  const asMarkdown = readAs === exactly ? 0 : markdownParts(parts);
  return (index) => (index < asMarkdown ? readAs : exactly);
}

/** How it reads what the loop made of its texts, which stands where the first of them stood. */
export function readSeen(message: Message, readAs: ReadAs): ReadAs {
  return readParts(message, readAs)(message.parts.findIndex(isText));
}

const asDrawn = once((readAs: ReadAs) => ({
  tool: once(partDrawn(true, readAs)),
  other: once(partDrawn(false, readAs)),
}));

/** The text of a part as it stands on the page: JSON is set for reading there. */
export function drawnPart(part: Part, role: Message['role'], readAs: ReadAs = exactly): string {
  const { tool, other } = asDrawn(readAs);
  return (role === 'tool' ? tool : other)(part);
}

function partDrawn(tool: boolean, readAs: ReadAs): (part: Part) => string {
  return (part) => {
    switch (part.kind) {
      case 'text':
        return drawnText(part.text, tool, readAs);
      case 'json':
        return drawnText(part.text, true, readAs);
      case 'unknown':
        return drawnText(partText(part), true, readAs);
      case 'reasoning':
      case 'refusal':
        return readAs(part.text);
      case 'call':
        return `${part.call.name} ${linesText(part.call.arguments) ?? readAs(part.call.arguments)}`;
      case 'sealed':
      case 'image':
        return '';
    }
  };
}

export function drawnText(text: string, mayBeJson: boolean, readAs: ReadAs = exactly): string {
  return (mayBeJson && text.length <= SET_AT_ONCE ? linesText(text) : undefined) ?? readAs(text);
}

/** Lines follow each other as they do in the page, where nothing stands between them. */
function linesText(json: string): string | undefined {
  return prettyJson(json)
    ?.map(({ spans }) => spans.map(({ text }) => text).join(''))
    .join('');
}
