import type { Part } from '../model';

const opening = '<think>';
const closing = '</think>';

/**
 * Cuts thoughts out of an assistant's text, tags and all, so that the parts' texts put together are the text again:
 * `<think>hm</think>4` is reasoning `<think>hm</think>` and text `4`.
 *
 * A chat template often writes the opening tag itself, so a text may start in the middle of a thought
 * (`hm</think>4`), and one that was cut off may never close it. An opening tag counts at the start of a line only:
 * within one, it is more likely talked about.
 */
export function splitThoughts(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  const firstClosing = text.indexOf(closing);
  const firstOpening = text.indexOf(opening);
  if (firstClosing !== -1 && (firstOpening === -1 || firstClosing < firstOpening)) {
    from = firstClosing + closing.length;
    parts.push({ kind: 'reasoning', form: 'inline', text: text.slice(0, from) });
  }

  let start = openingAt(text, from);
  while (start !== -1) {
    const before = text.slice(from, start);
    const isBlank = before.trim() === '';
    const end = text.indexOf(closing, start + opening.length);
    if (end === -1 && !isBlank) break;
    if (!isBlank) parts.push({ kind: 'text', text: before });
    const next = end === -1 ? text.length : end + closing.length;
    parts.push({ kind: 'reasoning', form: 'inline', text: text.slice(isBlank ? from : start, next) });
    from = next;
    start = openingAt(text, from);
  }

  if (from < text.length || parts.length === 0) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

/** The next opening tag at or after `from` that starts a line, or the text, or follows a thought. */
function openingAt(text: string, from: number): number {
  let found = text.indexOf(opening, from);
  while (found !== -1) {
    let before = found - 1;
    while (before >= from && (text[before] === ' ' || text[before] === '\t')) before--;
    if (before < from || text[before] === '\n') return found;
    found = text.indexOf(opening, found + opening.length);
  }
  return -1;
}
