import { isJson } from '../../../model/json-text';
import { CHARACTERS, LINES, SLACK, wholeEnd } from '../fold';

export type JsonKind = 'punctuation' | 'key' | 'string' | 'escape' | 'number' | 'literal';

export interface JsonSpan {
  kind: JsonKind;
  text: string;
}

export interface JsonLine {
  /** Levels, not characters. */
  indent: number;
  spans: JsonSpan[];
}

/** Longer texts are shown as they are. */
export const LONGEST = 400_000;

/** Columns within which an object or array stays on one line. */
const WIDTH = 72;

/** Deeper levels are drawn no further to the right. */
const DEEPEST = 24;

/**
 * JSON set for reading, or undefined where the text is no JSON object or array, or too long. What is small stays on
 * one line; a long string is broken after its `\n`. Numbers and the order of keys stay as they were written:
 * nothing is parsed and written again.
 */
export function prettyJson(text: string): JsonLine[] | undefined {
  if (text.length > LONGEST || !/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  return linesOf(spansOf(text));
}

/** Whole tokens: after a string the colon tells whether it was a key. */
function spansOf(text: string): JsonSpan[] {
  const spans: JsonSpan[] = [];
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/g)) {
    const last = spans.at(-1);
    if (token === ':' && last !== undefined) last.kind = 'key';
    spans.push({ kind: kindOf(token), text: token[0] === '"' ? readable(token) : token });
  }
  return spans;
}

function kindOf(token: string): JsonKind {
  if (token[0] === '"') return 'string';
  if (/^[[\]{},:]$/.test(token)) return 'punctuation';
  return /^-?\d/.test(token) ? 'number' : 'literal';
}

/** `\u00e9` is read as é; what would be invisible or half a character stays escaped. */
function readable(token: string): string {
  if (!token.includes(String.raw`\u`)) return token;
  return token.replaceAll(
    /\\(?:u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|u([\da-f]{4})|.)/gi,
    (escape, high, low, unit) => {
      if (typeof high === 'string' && typeof low === 'string') {
        return String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
      }
      const character = typeof unit === 'string' ? String.fromCharCode(Number.parseInt(unit, 16)) : '';
      return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character) && character > '\u007f' ? character : escape;
    },
  );
}

function linesOf(spans: readonly JsonSpan[]): JsonLine[] {
  const widths = widthsOf(spans);
  const lines: JsonLine[] = [];
  let indent = 0;
  let line: JsonLine = { indent, spans: [] };
  const breakLine = () => {
    lines.push(line);
    line = { indent: Math.min(indent, DEEPEST), spans: [] };
  };
  /** The `]` or `}` up to which everything goes on one line. */
  let inlineUntil = -1;

  spans.forEach((span, index) => {
    const { text } = span;
    const inline = index <= inlineUntil;
    if (!inline && (text === '}' || text === ']')) {
      indent--;
      breakLine();
    }
    if (span.kind === 'string' && !inline) pushString(span);
    else line.spans.push(withSpace(span));
    if (inline) return;
    if (text === '{' || text === '[') {
      const { end, width } = widths.get(index) ?? { end: index, width: Infinity };
      if (width + usedIn(line) <= WIDTH) inlineUntil = end;
      else {
        indent++;
        breakLine();
      }
    }
    if (text === ',') breakLine();
  });
  lines.push(line);
  return lines;

  function pushString({ text }: JsonSpan): void {
    const pieces = text.length > WIDTH ? afterNewlines(text) : [text];
    pieces.forEach((piece, nth) => {
      const breaks = nth < pieces.length - 1;
      line.spans.push({ kind: 'string', text: breaks ? piece.slice(0, -2) : piece });
      if (!breaks) return;
      line.spans.push({ kind: 'escape', text: String.raw`\n` });
      breakLine();
      line.indent = Math.min(indent + 1, DEEPEST);
    });
  }
}

/** A string cut after each of its `\n` escapes; the `n` of `\\n` is none. */
function afterNewlines(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { 0: escape, index } of text.matchAll(/\\./g)) {
    if (escape !== String.raw`\n`) continue;
    pieces.push(text.slice(start, index + 2));
    start = index + 2;
  }
  return [...pieces, text.slice(start)];
}

/** The first lines of a JSON text that is too long to be shown whole; undefined where it is not. */
export function headOfJson(lines: readonly JsonLine[]): JsonLine[] | undefined {
  const size = lines.reduce((sum, line) => sum + usedIn(line), 0);
  if (lines.length <= LINES + SLACK && size <= CHARACTERS) return undefined;
  const head: JsonLine[] = [];
  let left = CHARACTERS;
  for (const line of lines.slice(0, LINES)) {
    const spans = line.spans.flatMap((span) => {
      const end = wholeEnd(span.text, Math.min(left, span.text.length));
      left -= end;
      return end === 0 ? [] : [{ ...span, text: span.text.slice(0, end) }];
    });
    if (spans.length > 0) head.push({ ...line, spans });
  }
  return head;
}

function withSpace(span: JsonSpan): JsonSpan {
  return span.text === ',' || span.text === ':' ? { ...span, text: `${span.text} ` } : span;
}

function usedIn(line: JsonLine): number {
  return line.spans.reduce((sum, { text }) => sum + text.length, line.indent * 2);
}

/** Where each bracket closes, and how many columns lie between the two. */
function widthsOf(spans: readonly JsonSpan[]): ReadonlyMap<number, { end: number; width: number }> {
  const found = new Map<number, { end: number; width: number }>();
  const open: { index: number; before: number }[] = [];
  let column = 0;
  spans.forEach(({ text, kind }, index) => {
    if (kind === 'punctuation' && (text === '{' || text === '[')) open.push({ index, before: column });
    column += text.length + (text === ',' || text === ':' ? 1 : 0);
    if (kind === 'punctuation' && (text === '}' || text === ']')) {
      const start = open.pop();
      if (start !== undefined) found.set(start.index, { end: index, width: column - start.before - 1 });
    }
  });
  return found;
}
