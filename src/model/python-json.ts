import { stringValue, type JsonEntry } from './json-text';
import { isWhole, walk, type Sink } from './json-walk';

/** JSON the way Python's `json.dumps(ensure_ascii=False)` writes what `json.loads` read. */

/**
 * The text in Python's style: `{"a":1.0,"b":[]}` becomes `{"a": 1.0, "b": []}`. Numbers stay as written; of a key
 * that stands twice the first place and the last value stay, as in a Python dict. Undefined if it is not JSON.
 */
export function pythonJson(text: string): string | undefined {
  const writer = new PythonWriter();
  return isWhole(text, walk(text, 0, writer)) ? writer.text() : undefined;
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
