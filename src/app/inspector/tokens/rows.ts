import type { Track } from './track';

/**
 * Tokens in rows of so many columns. A row also ends after a line break in the text, and where a part or a turn begins:
 * there a chip says what it is.
 */
export interface Rows {
  /** The first token of each row, and one past the end. */
  starts: Uint32Array;
  count: number;
  /** What the chip at a row's start says, by its first token. */
  chips: ReadonlyMap<number, string>;
}

/** What a token looks like. Line breaks and tabs are seen, and ids stand apart. */
export function glyphsOf(track: Pick<Track, 'textAt' | 'idAt'>, position: number): string {
  const text = track.textAt(position);
  if (text === undefined) {
    const id = track.idAt(position);
    return id < 0 ? '▯ ' : `${id} `;
  }
  if (text === '') return '∅';
  return simple.test(text) ? text : text.replaceAll(unseen, seen);
}

const simple = /^[ -~\u00a1-\u024f]*$/;
// Whatever would hide, reorder or break a line is drawn as what it is.
const unseen =
  // oxlint-disable-next-line no-control-regex
  /[\0-\x1f\x7f-\xa0\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e01ef}\p{Cs}]/gu;

function seen(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 10) return '↵';
  if (code === 9) return '→';
  if (code === 0xa0) return '⍽';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `⟨${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Columns a text takes in a mono face; the wide characters of East Asia and emoji take two. */
export function columnsOf(text: string): number {
  if (simple.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += wide.test(character) ? 2 : 1;
  return columns;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]/u;

/** More than this of one token is not drawn. */
export const longestGlyphs = 400;

/** What a token takes in a row, and whether the row ends after it. */
interface Extent {
  columns: number;
  breaks: boolean;
}

/** Tokens repeat: each text is measured once. */
function extents(track: Track): (position: number) => Extent {
  const known = new Map<string | number, Extent>();
  return (position) => {
    const text = track.textAt(position);
    const key = text ?? track.idAt(position);
    const before = known.get(key);
    if (before !== undefined) return before;
    const extent = {
      columns: Math.min(columnsOf(glyphsOf(track, position)), longestGlyphs),
      breaks: text?.includes('\n') === true,
    };
    known.set(key, extent);
    return extent;
  };
}

export function rowsOf(track: Track, columns: number): Rows {
  const chips = chipsOf(track);
  const extentOf = extents(track);
  const breaks = [...chips.keys()].sort((a, b) => a - b);
  const starts: number[] = [];
  let nextBreak = 0;
  let room = 0;
  for (let position = 0; position < track.length; position++) {
    const isBreak = breaks[nextBreak] === position;
    const { columns: width, breaks: ends } = extentOf(position);
    if (isBreak || width > room || starts.length === 0) {
      starts.push(position);
      room = columns;
      if (isBreak) {
        room -= (chips.get(position)?.length ?? 0) + 2;
        nextBreak += 1;
      }
    }
    room = ends ? 0 : Math.max(room - width, 0);
  }
  const count = starts.length;
  starts.push(track.length);
  return { starts: Uint32Array.from(starts), count, chips };
}

function chipsOf({ turns, promptLength, length }: Track): Map<number, string> {
  const chips = new Map<number, string>();
  if (promptLength > 0) chips.set(0, 'prompt');
  if (promptLength < length) chips.set(promptLength, 'response');
  for (const { start, step } of turns) {
    const known = chips.get(start);
    chips.set(start, known === undefined ? `step ${step}` : `${known} · step ${step}`);
  }
  return chips;
}

export function rowOf({ starts, count }: Rows, position: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}
