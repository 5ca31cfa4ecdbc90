/** A stretch of text as it is drawn: as it stands, or a mark for characters that would not be seen. */
export type Run = { kind: 'text'; text: string } | { kind: 'mark'; label: string; title: string };

/**
 * Characters that hide, reorder or break what a person reads: controls, bidi controls, zero-width and
 * filler characters, tags, variation selectors of the supplement, lone surrogates. Not among them: tab,
 * newline, the CR of a CRLF.
 */
const hidden =
  // Finding control characters is the point.
  // oxlint-disable-next-line no-control-regex
  /(?!\r\n)[\0-\x08\v-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e01ef}\p{Cs}]/u;

/** Joiners belong into emoji and many scripts; beside ASCII, or at an end, they only hide. */
const strayJoiner = /(?<=^|[\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?=$|[\0-\x7f])/u;

const marked = new RegExp(`(?:${hidden.source}|${strayJoiner.source})+`, 'gu');

/** `abc<U+202E>def` is `abc`, the mark `U+202E`, `def`. Neighbouring marks are one. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  let end = 0;
  for (const match of text.matchAll(marked)) {
    if (match.index > end) runs.push({ kind: 'text', text: text.slice(end, match.index) });
    runs.push(markOf(match[0]));
    end = match.index + match[0].length;
  }
  if (end < text.length || runs.length === 0) runs.push({ kind: 'text', text: text.slice(end) });
  return runs;
}

/** Whether drawing the text as it stands would hide or reorder something. */
export function hidesSomething(text: string): boolean {
  return text.search(marked) >= 0;
}

/** Marks shown one by one; a longer row of them says how many follow. */
const SHOWN = 8;

function markOf(characters: string): Run {
  const codes = Array.from(characters, (character) => character.codePointAt(0) ?? 0);
  const more = codes.length > SHOWN ? ` +${codes.length - SHOWN}` : '';
  const shown = codes.slice(0, SHOWN);
  const names = [...new Set(shown.map(nameOf))].join(', ');
  return { kind: 'mark', label: shown.map(labelOf).join('\u2009') + more, title: names + more };
}

/** Control pictures where Unicode has them (`␛`), else the code: `U+202E`. */
function labelOf(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return codeOf(code);
}

function codeOf(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function nameOf(code: number): string {
  return `${names.get(code) ?? kindOf(code)} (${codeOf(code)})`;
}

function kindOf(code: number): string {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 'control character';
  if (code >= 0xd800 && code < 0xe000) return 'half of a surrogate pair';
  if (code >= 0xe0000 && code < 0xe0080) return 'tag character';
  return 'invisible character';
}

const names: ReadonlyMap<number, string> = new Map([
  [0x00, 'null'],
  [0x08, 'backspace'],
  [0x0d, 'carriage return'],
  [0x1b, 'escape'],
  [0xad, 'soft hyphen'],
  [0x061c, 'Arabic letter mark'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0xfeff, 'byte order mark'],
]);
