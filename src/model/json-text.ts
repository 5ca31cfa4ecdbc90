/**
 * JSON as text. `JSON.parse` loses what a rebuilt view must keep: `1.0`, `5e-07`, integers beyond 2^53, the order
 * of keys such as `"10"` before `"2"`. Here a value stays the text it was, is taken apart one level at a time, and
 * is written the way Python's `json.dumps(ensure_ascii=False)` writes what `json.loads` read.
 *
 * Nothing recurses: nesting is limited by memory, not by the stack. `NaN` and `Infinity` count as numbers, as in Python.
 */

export interface JsonEntry {
  key: string;
  /** The value as it stands in the text. */
  value: string;
}

/** Told what a text holds, in order. Strings and keys come with their quotes and escapes. */
interface Sink {
  open(bracket: '{' | '['): void;
  close(bracket: '}' | ']'): void;
  key(raw: string): void;
  scalar(raw: string): void;
}

/**
 * The text in Python's style: `{"a":1.0,"b":[]}` becomes `{"a": 1.0, "b": []}`. Numbers stay as written; of a key
 * that stands twice the first place and the last value stay, as in a Python dict. Undefined if it is not JSON.
 */
export function pythonJson(text: string): string | undefined {
  const writer = new PythonWriter();
  return isWhole(text, walk(text, 0, writer)) ? writer.text() : undefined;
}

export function isJson(text: string): boolean {
  return isWhole(text, walk(text, 0));
}

/** A string as a JSON string in Python's style: only quotes, backslashes and control characters are escaped. */
export function pythonString(value: string): string {
  // JSON.stringify agrees but for lone surrogates, which it escapes and Python writes as they are.
  const quoted = JSON.stringify(value);
  return !/\p{Surrogate}/u.test(value)
    ? quoted
    : quoted.replaceAll(
        /(\\+)u(d[89ab][0-9a-f]{2}|d[c-f][0-9a-f]{2})/g,
        (whole, slashes: string, code: string) =>
          // After an even number of backslashes the `u` is plain text.
          slashes.length % 2 === 0
            ? whole
            : slashes.slice(1) + String.fromCharCode(Number.parseInt(code, 16)),
      );
}

/** The entries of an object in order, each key once, or undefined where the text is no JSON object. */
export function entriesOf(text: string): JsonEntry[] | undefined {
  const values = new Map<string, string>();
  let at = afterSpace(text, 0);
  if (text[at] !== '{') return undefined;
  at = afterSpace(text, at + 1);
  while (text[at] !== '}' || values.size > 0) {
    const keyEnd = text[at] === '"' ? stringEnd(text, at) : -1;
    if (keyEnd < 0) return undefined;
    const colon = afterSpace(text, keyEnd);
    if (text[colon] !== ':') return undefined;
    const start = afterSpace(text, colon + 1);
    const end = walk(text, start);
    if (end < 0) return undefined;
    values.set(stringValue(text.slice(at, keyEnd)), text.slice(start, end));
    at = afterSpace(text, end);
    if (text[at] === '}') break;
    if (text[at] !== ',') return undefined;
    at = afterSpace(text, at + 1);
  }
  if (!isWhole(text, at + 1)) return undefined;
  return Array.from(values, ([key, value]) => ({ key, value }));
}

/** The items of an array as they stand in the text, or undefined where it is no JSON array. */
export function itemsOf(text: string): string[] | undefined {
  const items: string[] = [];
  let at = afterSpace(text, 0);
  if (text[at] !== '[') return undefined;
  at = afterSpace(text, at + 1);
  while (text[at] !== ']' || items.length > 0) {
    const end = walk(text, at);
    if (end < 0) return undefined;
    items.push(text.slice(at, end));
    at = afterSpace(text, end);
    if (text[at] === ']') break;
    if (text[at] !== ',') return undefined;
    at = afterSpace(text, at + 1);
  }
  return isWhole(text, at + 1) ? items : undefined;
}

/** The text of the value at a path: `valueText('{"a": [1.0]}', ['a', 0])` is `1.0`. */
export function valueText(text: string, path: readonly (string | number)[]): string | undefined {
  let value: string | undefined = text;
  for (const key of path) {
    if (value === undefined) return undefined;
    value =
      typeof key === 'number'
        ? itemsOf(value)?.[key]
        : entriesOf(value)?.find((entry) => entry.key === key)?.value;
  }
  return value;
}

/** An object in Python's style from entries whose values are JSON: what `json.dumps` writes of a dict. */
export function objectText(entries: readonly JsonEntry[]): string {
  return `{${entries.map(({ key, value }) => `${pythonString(key)}: ${value}`).join(', ')}}`;
}

/** Sets keys of an object's entries: a known key keeps its place, a new one comes last. */
export function withEntries(entries: readonly JsonEntry[], added: readonly JsonEntry[]): JsonEntry[] {
  const values = new Map<string, string>();
  for (const { key, value } of [...entries, ...added]) values.set(key, value);
  return Array.from(values, ([key, value]) => ({ key, value }));
}

/** The string that a JSON string stands for; lone surrogates and all. */
export function stringValue(raw: string): string {
  const parsed: unknown = JSON.parse(raw);
  return typeof parsed === 'string' ? parsed : '';
}

/**
 * Reads the value that starts at `from` (white space before it is skipped) and gives the position after it, or -1
 * where there is none.
 */
function walk(text: string, from: number, sink?: Sink): number {
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

function isWhole(text: string, end: number): boolean {
  return end >= 0 && afterSpace(text, end) >= text.length;
}

function afterSpace(text: string, from: number): number {
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

function stringEnd(text: string, start: number): number {
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

/** An open object or array. `values`: the range of pieces each key's value takes up, for objects only. */
interface Container {
  values: Map<string, { start: number; end: number }>;
  current?: { start: number; end: number };
  items: number;
}

class PythonWriter implements Sink {
  #pieces: string[] = [];
  #open: Container[] = [];
  /** Values being written of keys that already stood there: how deep, over which pieces, starting where. */
  #repeats: { depth: number; over: { start: number; end: number }; start: number }[] = [];

  open(bracket: '{' | '['): void {
    this.#beforeItem();
    this.#pieces.push(bracket);
    this.#open.push({ values: new Map(), items: 0 });
  }

  close(bracket: '}' | ']'): void {
    this.#pieces.push(bracket);
    this.#open.pop();
    this.#afterValue();
  }

  key(raw: string): void {
    const object = this.#open.at(-1);
    if (object === undefined) return;
    const key = stringValue(raw);
    const known = object.values.get(key);
    if (known !== undefined) {
      this.#repeats.push({ depth: this.#open.length, over: known, start: this.#pieces.length });
      return;
    }
    this.#pieces.push(`${object.values.size === 0 ? '' : ', '}${pythonString(key)}: `);
    object.current = { start: this.#pieces.length, end: this.#pieces.length };
    object.values.set(key, object.current);
  }

  scalar(raw: string): void {
    this.#beforeItem();
    this.#pieces.push(raw.startsWith('"') ? pythonString(stringValue(raw)) : raw);
    this.#afterValue();
  }

  text(): string {
    return this.#pieces.join('');
  }

  /** Items of an array need their comma; the key of an object has written it. */
  #beforeItem(): void {
    const container = this.#open.at(-1);
    if (container === undefined || container.values.size > 0) return;
    if (container.items > 0) this.#pieces.push(', ');
    container.items += 1;
  }

  #afterValue(): void {
    const repeat = this.#repeats.at(-1);
    if (repeat?.depth === this.#open.length) {
      this.#repeats.pop();
      const value = this.#pieces.splice(repeat.start).join('');
      this.#pieces.fill('', repeat.over.start, repeat.over.end);
      this.#pieces[repeat.over.start] = value;
      repeat.over.end = repeat.over.start + 1;
      return;
    }
    const current = this.#open.at(-1)?.current;
    if (current !== undefined) current.end = this.#pieces.length;
  }
}
