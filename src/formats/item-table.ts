/**
 * What a summary needs to know of the items of a list (messages, calls and results), as columns of numbers: a long file
 * has millions of items, and an object for each would cost more than reading their bytes.
 */
export interface ItemFields {
  readonly [key: string]: CellKind;
}

export type CellKind =
  /** A short string by its code, see `wordCode`. -1 for anything that is no string. */
  | 'word'
  /** A number that is the same for the same string, see `idOf`. -1 for anything that is no string. */
  | 'id'
  /** 1 where there is something; 0 for null, an empty list, and nothing. */
  | 'some'
  /** Should there be something, the whole record is needed. */
  | 'none';

export interface ItemColumn {
  kind: CellKind;
  /** Its place in the row. */
  place: number;
}

export class ItemTable {
  length = 0;
  /** Row after row. */
  cells = new Float64Array(0);
  readonly kinds: ItemFields;
  readonly columns: ReadonlyMap<string, ItemColumn>;
  private readonly nothing: readonly number[];

  constructor(kinds: ItemFields) {
    this.kinds = kinds;
    this.columns = new Map(Object.entries(kinds).map(([key, kind], place) => [key, { kind, place }]));
    this.nothing = Object.values(kinds).map((kind) => (kind === 'word' || kind === 'id' ? -1 : 0));
  }

  /** How many cells make a row. */
  get width(): number {
    return this.nothing.length;
  }

  /** Another item, of which nothing is known yet; where its cells begin. */
  add(): number {
    const { nothing } = this;
    const start = this.length * nothing.length;
    if (start + nothing.length > this.cells.length) {
      const wider = new Float64Array(Math.max(32 * nothing.length, start * 2));
      wider.set(this.cells);
      this.cells = wider;
    }
    for (let place = 0; place < nothing.length; place++) this.cells[start + place] = nothing[place] ?? 0;
    this.length += 1;
    return start;
  }

  /** A cell by its column's place. */
  at(row: number, place: number): number {
    return this.cells[row * this.nothing.length + place] ?? -1;
  }
}

/** Longer strings are not words. */
export const longestWord = 100;

const codes = new Map<string, number>();
const words: string[] = [];

/** As many as are kept: types, roles and names of tools are few. */
const mostWords = 100_000;

/** The same number for the same string as long as the program runs; undefined where it is too long, or one too many. */
export function wordCode(text: string): number | undefined {
  const known = codes.get(text);
  if (known !== undefined) return known;
  if (text.length > longestWord || words.length >= mostWords) return undefined;
  codes.set(text, words.length);
  return words.push(text) - 1;
}

export function wordOf(code: number): string | undefined {
  return words[code];
}

/**
 * 52 bits over the bytes of a string: two hashes in one number, so that different ids will not be taken for the same.
 * Four bytes at a time, since there are millions of ids.
 */
export function idOf(view: DataView, start: number, end: number): number {
  let high = 0x811c9dc5 ^ (end - start);
  let low = 0x9747b28c;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = view.getInt32(at, true);
    high = Math.imul(high ^ word, 0xcc9e2d51);
    high ^= high >>> 15;
    low = Math.imul(low ^ word, 0x85ebca6b);
    low ^= low >>> 13;
  }
  for (; at < end; at++) {
    const byte = view.getUint8(at);
    high = Math.imul(high ^ byte, 0xcc9e2d51);
    high ^= high >>> 15;
    low = Math.imul(low ^ byte, 0x85ebca6b);
    low ^= low >>> 13;
  }
  return (high >>> 0) * 0x100000 + (low >>> 12);
}

const utf8 = new TextEncoder();

/** What stands in the table for a parsed value; undefined where the whole record is needed. */
export function cellOf(kind: CellKind, value: unknown): number | undefined {
  const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  switch (kind) {
    case 'word':
      return typeof value === 'string' ? wordCode(value) : -1;
    case 'id': {
      if (typeof value !== 'string') return -1;
      const { buffer, byteOffset, length } = utf8.encode(value);
      return idOf(new DataView(buffer), byteOffset, byteOffset + length);
    }
    case 'some':
      return isEmpty ? 0 : 1;
    case 'none':
      return isEmpty ? 0 : undefined;
  }
}
