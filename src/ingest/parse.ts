import { errorText } from '../model/error-text';
import { findSyntaxError } from './syntax';

export type Parsed = { ok: true; value: unknown } | { ok: false; reason: string };

/**
 * JSON, and the bare `NaN`, `Infinity` and `-Infinity` that Python writes, as the numbers they mean.
 * `line` is where the text starts in its source, for errors in values that spread over lines.
 */
export function parseJson(text: string, line = 1): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return parseWithNonFinite(text) ?? { ok: false, reason: reasonOf(text, line, error) };
  }
}

function parseWithNonFinite(text: string): Parsed | undefined {
  if (!text.includes('NaN') && !text.includes('Infinity')) return undefined;
  let sentinel = '\uE000NaN';
  while (text.includes(sentinel)) sentinel = `\uE000${sentinel}`;
  try {
    const value: unknown = JSON.parse(withoutNonFinite(text, JSON.stringify(sentinel)));
    return { ok: true, value: value === sentinel ? NaN : restoreNaN(value, sentinel) };
  } catch {
    return undefined;
  }
}

const word = /"|-?Infinity|NaN/g;

/**
 * `[NaN, "NaN", -Infinity]` becomes `["…", "NaN", -1e999]`: an overflowing literal is an infinity to
 * `JSON.parse`, but no literal gives NaN, so that a string not found elsewhere stands in for it.
 */
function withoutNonFinite(text: string, standIn: string): string {
  let result = '';
  let copied = 0;
  word.lastIndex = 0;
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    const [found] = match;
    if (found === '"') {
      word.lastIndex = afterString(text, match.index);
      continue;
    }
    const end = match.index + found.length;
    if (!standsAlone(text, match.index, end)) continue;
    const literal = found === 'NaN' ? standIn : found.replace('Infinity', '1e999');
    result += text.slice(copied, match.index) + literal;
    copied = end;
  }
  return result + text.slice(copied);
}

function afterString(text: string, quote: number): number {
  for (let at = quote + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let escapes = 0;
    while (text[at - escapes - 1] === '\\') escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
}

/** A value, neither a key nor a part of some other word. */
function standsAlone(text: string, start: number, end: number): boolean {
  const before = text[start - 1] ?? ' ';
  if (!' \t\r\n,:['.includes(before)) return false;
  let after = end;
  while (' \t\r\n'.includes(text[after] ?? ',')) after++;
  return ',]}'.includes(text[after] ?? ',');
}

/** In place, and without recursion: nesting may be deep. */
function restoreNaN(root: unknown, sentinel: string): unknown {
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        if (value[i] === sentinel) value[i] = NaN;
        else if (typeof value[i] === 'object' && value[i] !== null) open.push(value[i]);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, entry] of Object.entries(value)) {
        if (entry === sentinel) Reflect.set(value, key, NaN);
        else if (typeof entry === 'object' && entry !== null) open.push(entry);
      }
    }
  }
  return root;
}

function reasonOf(text: string, line: number, error: unknown): string {
  const found = findSyntaxError(text);
  // Valid to us but not to the engine: only its limits are left.
  if (found === undefined) return errorText(error);
  let lineStart = 0;
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < found.position; at = text.indexOf('\n', at + 1)) {
    lines += 1;
    lineStart = at + 1;
  }
  const column = `column ${found.position - lineStart + 1}`;
  return `${found.what} at ${lines === 0 ? column : `line ${line + lines}, ${column}`}`;
}
