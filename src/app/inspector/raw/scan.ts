/**
 * Finds the parts of a JSON text by where they stand, without building them: a record of 100 MB is opened level by
 * level, its numbers stay as they were written, and depth costs no stack. The text has been parsed before, so it is
 * taken to be JSON; what is not comes out as a value of some kind, never as an exception.
 */

export interface Span {
  start: number;
  /** Exclusive. */
  end: number;
}

export type Kind = 'object' | 'array' | 'string' | 'other';

/** The members of an object or array: two numbers each, where it starts and ends. */
export interface Members {
  count: number;
  /** Of an object's keys, quotes included; empty for an array. */
  keys: Uint32Array;
  values: Uint32Array;
}

const quote = 34;
const comma = 44;
const colon = 58;
const backslash = 92;

export function kindAt(text: string, start: number): Kind {
  switch (text[start]) {
    case '{':
      return 'object';
    case '[':
      return 'array';
    case '"':
      return 'string';
    default:
      return 'other';
  }
}

export function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** The end of the value that starts at `start`. */
export function endOfValue(text: string, start: number): number {
  switch (kindAt(text, start)) {
    case 'string':
      return endOfString(text, start);
    case 'object':
    case 'array':
      return endOfContainer(text, start);
    case 'other':
      return endOfWord(text, start);
  }
}

function endOfString(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let escapes = at - 1;
    while (escapes > start && text.charCodeAt(escapes) === backslash) escapes -= 1;
    if ((at - escapes) % 2 === 1) return at + 1;
  }
}

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    at += 1;
    if (opens(code)) depth += 1;
    else if (closes(code)) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === comma || code === colon || closes(code)) break;
    at += 1;
  }
  // What cannot be a value, like a comma, still takes its place.
  return Math.max(at, Math.min(start + 1, text.length));
}

const opens = (code: number) => code === 123 || code === 91;
const closes = (code: number) => code === 125 || code === 93;

/** The members of the container that starts at `start`. */
export function membersOf(text: string, start: number): Members {
  const named = text[start] === '{';
  const keys: number[] = [];
  const values: number[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && !closes(text.charCodeAt(at))) {
    if (named) {
      const end = endOfValue(text, at);
      keys.push(at, end);
      at = skipSpace(text, end);
      if (text.charCodeAt(at) === colon) at = skipSpace(text, at + 1);
    }
    const missing = at >= text.length || closes(text.charCodeAt(at));
    const end = missing ? at : endOfValue(text, at);
    values.push(at, end);
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
  return { count: values.length / 2, keys: Uint32Array.from(keys), values: Uint32Array.from(values) };
}

export function valueAt({ values }: Members, index: number): Span {
  return { start: values[index * 2] ?? 0, end: values[index * 2 + 1] ?? 0 };
}

/** The name of a member: an object's key as it reads, or the position in an array. */
export function nameAt(text: string, { keys }: Members, index: number): string {
  const start = keys[index * 2];
  const end = keys[index * 2 + 1];
  return start === undefined || end === undefined ? String(index) : decoded(text.slice(start, end));
}

/** What a JSON string says; the text itself where it is no JSON string. */
export function decoded(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : json;
  } catch {
    return json;
  }
}
