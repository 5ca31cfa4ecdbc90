import type { Message } from '../../../model';
import { FIRST_PARTS, headOf, MORE_PARTS, PAGE, REASONING_LINES, SET_AT_ONCE } from '../fold';
import { pageKey } from '../messages/openings';
import { headOfJson, prettyJson } from '../json/pretty';
import type { Appearance } from '../messages/rows';
import { contentText } from '../messages/seen';
import type { Match } from './matches';
import { exactly, readParts, readSeen, type ReadAs } from './texts';

/** The keys of what has to be opened in a message for a match to be on the page. */
export function keysToOpen(
  message: Message,
  as: Appearance,
  { where, end }: Match,
  readAs: ReadAs = exactly,
): string[] {
  const { msgId } = message;
  if (where === 'stub') return [];
  if (where === 'seen') {
    const text = as.state === 'verbatim' && as.seen !== undefined ? contentText(as.seen.chat) : '';
    return textKeys(`${msgId} seen`, text, true, end, readSeen(message, readAs));
  }
  const base = as.state === 'verbatim' ? `${msgId}` : `${msgId} original`;
  const key = `${base} ${where}`;
  const part = message.parts[where];
  const reading = readParts(message, readAs)(where);
  const pages: string[] = [];
  for (let shown = FIRST_PARTS; shown <= where; shown += MORE_PARTS)
    pages.push(`${base} parts from ${shown}`);
  switch (part?.kind) {
    case 'text':
      return [...pages, ...textKeys(key, part.text, message.role === 'tool', end, reading)];
    case 'json':
      return [...pages, ...textKeys(key, part.text, true, end, reading)];
    case 'reasoning': {
      const folded = isBeyond(part.text, headOf(part.text, REASONING_LINES), end, reading);
      return [...pages, `${key} shown true`, `${key} shown false`, ...(folded ? [key] : [])];
    }
    case 'refusal':
      return [...pages, ...textKeys(key, part.text, false, end, reading)];
    case 'call': {
      const { name, arguments: text } = part.call;
      const within = end - name.length - 1;
      return [
        ...pages,
        ...textKeys(key, text, true, within, reading).map((each) => (each === key ? `${key} text` : each)),
      ];
    }
    default:
      // What is unknown can be anything: it is opened wherever the match is.
      return [...pages, key, `${key} all`];
  }
}

/** A text is folded under one key, JSON under another. */
function textKeys(key: string, text: string, mayBeJson: boolean, end: number, readAs: ReadAs): string[] {
  const lines = mayBeJson && text.length <= SET_AT_ONCE ? prettyJson(text) : undefined;
  if (lines === undefined) {
    const pages = Array.from({ length: Math.max(0, Math.ceil(end / PAGE) - 1) }, (_, nth) =>
      pageKey(key, nth + 1),
    );
    return isBeyond(text, headOf(text), end, readAs)
      ? [key, ...(mayBeJson ? [`${key} all`] : []), ...pages]
      : [];
  }
  const head = headOfJson(lines);
  if (head === undefined) return [];
  const shown = head.reduce(
    (sum, { spans }) => spans.reduce((length, { text: each }) => length + each.length, sum),
    0,
  );
  return end > shown ? [`${key} all`] : [];
}

/** Whether a place is not among what is shown of a folded text, or not in the same words: Markdown can go on below. */
function isBeyond(text: string, head: string | undefined, end: number, readAs: ReadAs): boolean {
  if (head === undefined) return false;
  const shown = readAs(head).trimEnd();
  return end > shown.length || !readAs(text).startsWith(shown);
}
