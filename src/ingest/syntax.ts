/** Where a text stops being JSON, in our own words: engines differ in theirs and often give no position. */
export interface SyntaxFault {
  /** `Unexpected "<"` */
  what: string;
  /** Index into the text. */
  position: number;
}

const space = /[ \t\r\n]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity/y;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'separator' | 'end';

/** Undefined for JSON, in which `NaN` and the infinities count as numbers. Without recursion. */
export function findSyntaxError(text: string): SyntaxFault | undefined {
  /** The closing bracket of each open container. */
  const open: ('}' | ']')[] = [];
  let expected: Expected = 'value';
  let at = skip(space, text, 0);
  while (at < text.length || expected !== 'end') {
    const character = text[at];
    if (character === undefined) return { what: endsTooSoon(open.at(-1)), position: at };
    const closer = open.at(-1);
    if (character === closer && (expected === 'separator' || expected.endsWith(closer))) {
      open.pop();
      at += 1;
    } else if (expected === 'separator') {
      if (character !== ',') return unexpected(text, at, `a comma or ${closer ?? 'the end'}`);
      at = skip(space, text, at + 1);
      expected = closer === '}' ? 'key' : 'value';
      continue;
    } else if (expected === 'end') {
      return unexpected(text, at, 'the end');
    } else if (expected === 'key' || expected === 'key or }') {
      if (character !== '"') return unexpected(text, at, 'a key in double quotes');
      const key = skipString(text, at);
      if (typeof key !== 'number') return key;
      at = skip(space, text, key);
      if (text[at] !== ':') return at < text.length ? unexpected(text, at, 'a colon') : cut(text);
      at = skip(space, text, at + 1);
      expected = 'value';
      continue;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      expected = character === '{' ? 'key or }' : 'value or ]';
      at = skip(space, text, at + 1);
      continue;
    } else {
      const end = character === '"' ? skipString(text, at) : skipScalar(text, at);
      if (typeof end !== 'number') return end;
      at = end;
    }
    expected = open.length === 0 ? 'end' : 'separator';
    at = skip(space, text, at);
  }
  return undefined;
}

const words = ['true', 'false', 'null', 'NaN', 'Infinity', '-Infinity'];

/** Whether this is no JSON only because it ends too early, in the middle of a number, a word or an escape for instance. */
export function isCutOff(text: string): boolean {
  const fault = findSyntaxError(text);
  if (fault === undefined) return false;
  const rest = text.slice(fault.position);
  return (
    /^(?:|\.|[eE][+-]?|\\(?:u[0-9a-fA-F]{0,3})?)$/.test(rest) || words.some((word) => word.startsWith(rest))
  );
}

function endsTooSoon(closer: string | undefined): string {
  return closer === undefined ? 'The value is missing' : `The text ends where ${closer} is still missing,`;
}

function cut(text: string): SyntaxFault {
  return { what: 'The text ends after a key', position: text.length };
}

function unexpected(text: string, position: number, wanted: string): SyntaxFault {
  const found = String.fromCodePoint(text.codePointAt(position) ?? 0xfffd);
  return { what: `Unexpected ${JSON.stringify(found)} instead of ${wanted}`, position };
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function skipScalar(text: string, at: number): number | SyntaxFault {
  const end = skip(scalar, text, at);
  return end > at ? end : unexpected(text, at, 'a value');
}

function skipString(text: string, quote: number): number | SyntaxFault {
  let at = quote + 1;
  for (;;) {
    while (isPlain(text.charCodeAt(at))) at++;
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === undefined) return { what: 'The text ends inside a string', position: at };
    if (character !== '\\') return { what: 'A control character stands in a string', position: at };
    const end = skip(escape, text, at);
    if (end === at) return { what: 'An escape in a string is not valid', position: at };
    at = end;
  }
}

/** Of a string: no quote, backslash or control character, and not the end of the text (NaN). */
function isPlain(code: number): boolean {
  return code >= 0x20 && code !== 0x22 && code !== 0x5c;
}
