import type { Cell, ColumnInfo } from './protocol';

const missing = 0;
const number = 1;
const string = 2;
const boolean = 3;

/** Longer strings are cut in the table; the episode itself has the whole. */
const maxString = 500;

/** Strings by number, each kept once. */
export class StringTable {
  private readonly codes = new Map<string, number>();
  private readonly strings: string[] = [];

  code(text: string): number {
    const cut = text.length > maxString ? `${text.slice(0, maxString)}…` : text;
    const known = this.codes.get(cut);
    if (known !== undefined) return known;
    const own = copyOf(cut);
    this.codes.set(own, this.strings.length);
    this.strings.push(own);
    return this.strings.length - 1;
  }

  text(code: number): string {
    return this.strings[code] ?? '';
  }
}

/**
 * A string of its own memory. A slice of a long string keeps all of it alive: a title cut out of a message
 * would hold the whole record.
 */
function copyOf(text: string): string {
  return text.length < 13 ? text : `\0${text}`.slice(1);
}

/** Numbers in an array that grows; about 8 bytes each. */
export class Numbers {
  private data = new Float64Array(64);
  length = 0;

  /** Leaves zeros in between where `index` is past the end. */
  set(index: number, value: number): void {
    if (index >= this.data.length) this.data = grown(this.data, new Float64Array(sizeFor(index)));
    this.data[index] = value;
    this.length = Math.max(this.length, index + 1);
  }

  push(value: number): void {
    this.set(this.length, value);
  }

  at(index: number): number {
    return this.data[index] ?? 0;
  }

  /** What has been set, without a copy. */
  view(): Float64Array {
    return this.data.subarray(0, this.length);
  }
}

function sizeFor(index: number): number {
  return Math.max(64, Math.ceil((index + 1) * 1.5));
}

function grown<T extends Float64Array | Uint8Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

/**
 * One column of a source's table. Each cell keeps its own kind, so that what was read comes out again also
 * where a key is a number in one record and a string in the next; the column's type is that of most cells.
 */
export class Column {
  private kinds = new Uint8Array(64);
  /** The number; 0 or 1 for a boolean; the code of a string. */
  private readonly values = new Numbers();
  private readonly strings: StringTable;
  private readonly counts = [0, 0, 0, 0];
  /** The first filled cell. */
  first: Cell;
  /** Not every filled cell holds the same. */
  varies = false;

  constructor(strings: StringTable) {
    this.strings = strings;
  }

  set(row: number, cell: Cell): void {
    if (cell === undefined) return;
    if (row >= this.kinds.length) this.kinds = grown(this.kinds, new Uint8Array(sizeFor(row)));
    const kind = kindOf(cell);
    this.kinds[row] = kind;
    this.values.set(row, typeof cell === 'string' ? this.strings.code(cell) : Number(cell));
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    if (this.first === undefined) this.first = typeof cell === 'string' ? copyOf(cell) : cell;
    else if (!Object.is(this.first, cell)) this.varies = true;
  }

  cell(row: number): Cell {
    switch (this.kinds[row]) {
      case number:
        return this.values.at(row);
      case string:
        return this.strings.text(this.values.at(row));
      case boolean:
        return this.values.at(row) === 1;
      default:
        return undefined;
    }
  }

  get filled(): number {
    return (this.counts[number] ?? 0) + (this.counts[string] ?? 0) + (this.counts[boolean] ?? 0);
  }

  /** How many cells are numbers, strings and booleans. */
  get kindCounts(): { number: number; string: number; boolean: number } {
    const [, numbers = 0, strings = 0, booleans = 0] = this.counts;
    return { number: numbers, string: strings, boolean: booleans };
  }

  /**
   * Reads all rows without making a cell of each: `take(row, value, code)` gets the number or boolean as `value`,
   * or a string as `code` (`value` is then NaN, and `code` -1 otherwise). Missing cells are left out.
   */
  scan(rows: number, take: (row: number, value: number, code: number) => void): void {
    const { kinds, values } = this;
    const end = Math.min(rows, values.length);
    for (let row = 0; row < end; row++) {
      const kind = kinds[row];
      if (kind === missing) continue;
      if (kind === string) take(row, NaN, values.at(row));
      else take(row, values.at(row), -1);
    }
  }

  /** Sets 1 in `mask` for each of the first rows whose number (or boolean, as 0 or 1) compares so. NaN never does. */
  compareNumbers(
    rows: number,
    operator: '<' | '<=' | '>' | '>=' | '=',
    wanted: number,
    mask: Uint8Array,
  ): void {
    const end = Math.min(rows, this.values.length);
    const values = this.values.view().subarray(0, end);
    // Where all cells are numbers their kinds need not be looked at.
    const plain = this.counts[number] === this.values.length;
    const isNumber = plain ? undefined : this.kinds;
    // A loop each: one with the choice inside takes four times as long.
    switch (operator) {
      case '<':
        for (let row = 0; row < end; row++) if ((values[row] ?? NaN) < wanted) mask[row] = 1;
        break;
      case '<=':
        for (let row = 0; row < end; row++) if ((values[row] ?? NaN) <= wanted) mask[row] = 1;
        break;
      case '>':
        for (let row = 0; row < end; row++) if ((values[row] ?? NaN) > wanted) mask[row] = 1;
        break;
      case '>=':
        for (let row = 0; row < end; row++) if ((values[row] ?? NaN) >= wanted) mask[row] = 1;
        break;
      case '=':
        for (let row = 0; row < end; row++) if (values[row] === wanted) mask[row] = 1;
    }
    if (isNumber === undefined) return;
    for (let row = 0; row < end; row++) {
      const kind = isNumber[row];
      if (kind === missing || kind === string) mask[row] = 0;
    }
  }

  /** Sets 1 in `mask` for each of the first rows whose string matches; asks once per distinct string. */
  matchStrings(rows: number, matches: (text: string) => boolean, mask: Uint8Array): void {
    if (this.counts[string] === 0) return;
    const known = new Map<number, boolean>();
    this.scan(rows, (row, _value, code) => {
      if (code < 0) return;
      let found = known.get(code);
      if (found === undefined) {
        found = matches(this.strings.text(code));
        known.set(code, found);
      }
      if (found) mask[row] = 1;
    });
  }

  /** The same for numbers and booleans, as they are written. */
  matchNumbers(rows: number, matches: (text: string) => boolean, mask: Uint8Array): void {
    const end = Math.min(rows, this.values.length);
    for (let row = 0; row < end; row++) {
      const kind = this.kinds[row];
      if (kind === missing || kind === string) continue;
      if (matches(String(this.cell(row)))) mask[row] = 1;
    }
  }

  /** True where every filled cell is a number or boolean, so that `numbers` says all there is. */
  get numeric(): boolean {
    return this.counts[string] === 0;
  }

  text(code: number): string {
    return this.strings.text(code);
  }
}

function kindOf(cell: number | string | boolean): number {
  if (typeof cell === 'number') return number;
  return typeof cell === 'string' ? string : boolean;
}

/** The type of most cells; the wider one on a tie: string, then number. */
export function typeOf(counts: { number: number; string: number; boolean: number }): ColumnInfo['type'] {
  if (counts.string >= counts.number && counts.string >= counts.boolean && counts.string > 0) return 'string';
  return counts.boolean > counts.number ? 'boolean' : 'number';
}
