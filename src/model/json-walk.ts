/**
 * Where JSON values begin and end in a text. Nothing recurses: nesting is limited by memory, not by the stack. `NaN` and
 * `Infinity` count as numbers, as in Python.
 */

/** Told what a text holds, in order. Strings and keys come with their quotes and escapes. */
export interface Sink {
  open(bracket: '{' | '['): void;
  close(bracket: '}' | ']'): void;
  key(raw: string): void;
  scalar(raw: string): void;
}

/**
 * Reads the value that starts at `from` (white space before it is skipped) and gives the position after it, or -1
 * where there is none.
 */
export function walk(text: string, from: number, sink?: Sink): number {
  // true: in an object, false: in an array.
  const within: boolean[] = [];
  let at = afterSpace(text, from);
  for (;;) {
    // A value is due at `at`.
    const char = text[at];
    if (char === '{' || char === '[') {
      sink?.open(char);
      within.push(char === '{');
      at = afterSpace(text, at + 1);
      if (text[at] !== (char === '{' ? '}' : ']')) {
        if (char === '[') continue;
        at = readKey(text, at, sink);
        if (at < 0) return -1;
        continue;
      }
    } else {
      const end = scalarEnd(text, at);
      if (end < 0) return -1;
      if (sink !== undefined) sink.scalar(text.slice(at, end));
      at = end;
      if (within.length === 0) return at;
      at = afterSpace(text, at);
    }
    // After a value, or at the end of an empty container.
    while (within.length > 0 && (text[at] === '}' || text[at] === ']')) {
      if ((text[at] === '}') !== within.pop()) return -1;
      sink?.close(text[at] === '}' ? '}' : ']');
      at += 1;
      if (within.length === 0) return at;
      at = afterSpace(text, at);
    }
    if (text[at] !== ',') return -1;
    at = afterSpace(text, at + 1);
    if (within.at(-1) === true) {
      at = readKey(text, at, sink);
      if (at < 0) return -1;
    }
  }
}

/** Reads `"key" :` and gives the position of the value, or -1. */
function readKey(text: string, at: number, sink: Sink | undefined): number {
  const end = text[at] === '"' ? stringEnd(text, at) : -1;
  if (end < 0) return -1;
  const colon = afterSpace(text, end);
  if (text[colon] !== ':') return -1;
  sink?.key(text.slice(at, end));
  return afterSpace(text, colon + 1);
}

/** Whether a value that ends here is all of the text. */
export function isWhole(text: string, end: number): boolean {
  return end >= 0 && afterSpace(text, end) >= text.length;
}

export function afterSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

function scalarEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x22) return stringEnd(text, at);
  if (code >= 0x30 && code <= 0x39) return numberEnd(text, at);
  for (const word of ['true', 'false', 'null', 'NaN', 'Infinity', '-Infinity']) {
    if (text.startsWith(word, at)) return at + word.length;
  }
  return numberEnd(text, at);
}

/** The position after the string that starts at `start`, or -1 where it does not end. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return -1;
    if (code !== 0x5c) continue;
    at += 1;
    const escaped = text[at] ?? '';
    if (escaped === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) return -1;
      at += 4;
    } else if (escaped === '' || !'"\\/bfnrt'.includes(escaped)) return -1;
  }
  return -1;
}

function numberEnd(text: string, start: number): number {
  let at = text[start] === '-' ? start + 1 : start;
  const whole = at;
  at = afterDigits(text, at);
  if (at === whole || (text[whole] === '0' && at > whole + 1)) return -1;
  if (text[at] === '.') {
    const end = afterDigits(text, at + 1);
    if (end === at + 1) return -1;
    at = end;
  }
  if (text[at] === 'e' || text[at] === 'E') {
    const sign = text[at + 1] === '+' || text[at + 1] === '-' ? 1 : 0;
    const end = afterDigits(text, at + 1 + sign);
    if (end === at + 1 + sign) return -1;
    at = end;
  }
  return at;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (!(code >= 0x30 && code <= 0x39)) return at;
    at += 1;
  }
}
