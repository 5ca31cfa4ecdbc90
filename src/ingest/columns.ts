import { grown, Numbers, sizeFor } from './numbers';
import type { Cell, ColumnInfo } from './protocol';
import { copyOf, type StringTable } from './string-table';

const missing = 0;
const number = 1;
const string = 2;
const boolean = 3;

/**
 * One column of a source's table. Each cell keeps its own kind, so that what was read comes out again also
 * where a key is a number in one record and a string in the next; the column's type is that of most cells.
 *
 * As long as every row holds the same, which is true of many columns to the end, nothing is kept per row.
 */
export class Column {
  private kinds = new Uint8Array(0);
  /** The number; 0 or 1 for a boolean; the code of a string. */
  private readonly values = new Numbers();
  /** The first so many rows, of which nothing else is kept, hold `first`. None once they differ. */
  private sameRows = 0;
  private firstKind = missing;
  private firstValue = 0;
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
    const isFirst = this.first === undefined;
    if (!isFirst && Object.is(this.first, cell)) {
      this.setValue(row, this.firstKind, this.firstValue);
      return;
    }
    const kind = kindOf(cell);
    const value = typeof cell === 'string' ? this.strings.code(cell) : Number(cell);
    if (isFirst) {
      this.first = typeof cell === 'string' ? copyOf(cell) : cell;
      this.firstKind = kind;
      this.firstValue = value;
    } else {
      this.varies = true;
    }
    this.setValue(row, kind, value);
  }

  /** Puts another value where one stands, or none. */
  replace(row: number, cell: Cell): void {
    this.spreadOut();
    const kind = this.kindAt(row);
    if (kind !== missing) {
      this.counts[kind] = (this.counts[kind] ?? 0) - 1;
      this.kinds[row] = missing;
    }
    this.set(row, cell);
  }

  private setValue(row: number, kind: number, value: number): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    if (this.values.length === 0) {
      if (!this.varies && row === this.sameRows) {
        this.sameRows += 1;
        return;
      }
      this.spreadOut();
    }
    if (row >= this.kinds.length) this.kinds = grown(this.kinds, new Uint8Array(sizeFor(row)));
    this.kinds[row] = kind;
    this.values.set(row, value);
  }

  /** Writes down row by row what was the same in all of them. */
  private spreadOut(): void {
    const rows = this.sameRows;
    this.sameRows = 0;
    if (rows === 0) return;
    this.kinds = new Uint8Array(sizeFor(rows)).fill(this.firstKind, 0, rows);
    for (let row = 0; row < rows; row++) this.values.set(row, this.firstValue);
  }

  /** Rows from here on are missing. */
  private get length(): number {
    return this.sameRows > 0 ? this.sameRows : this.values.length;
  }

  private kindAt(row: number): number {
    return row < this.sameRows ? this.firstKind : (this.kinds[row] ?? missing);
  }

  private valueAt(row: number): number {
    return row < this.sameRows ? this.firstValue : this.values.at(row);
  }

  cell(row: number): Cell {
    switch (this.kindAt(row)) {
      case number:
        return this.valueAt(row);
      case string:
        return this.strings.text(this.valueAt(row));
      case boolean:
        return this.valueAt(row) === 1;
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
    const { kinds, values, firstValue } = this;
    const same = Math.min(rows, this.sameRows);
    const isString = this.firstKind === string;
    for (let row = 0; row < same; row++) take(row, isString ? NaN : firstValue, isString ? firstValue : -1);
    const end = Math.min(rows, values.length);
    for (let row = 0; row < end; row++) {
      const kind = kinds[row];
      if (kind === missing) continue;
      if (kind === string) take(row, NaN, values.at(row));
      else take(row, values.at(row), -1);
    }
  }

  /** Sets `mask` to 1 for each of the first rows whose number (or boolean, as 0 or 1) compares so. NaN never does. */
  compareNumbers(
    rows: number,
    operator: '<' | '<=' | '>' | '>=' | '=',
    wanted: number,
    mask: Uint8Array,
  ): void {
    if (this.sameRows > 0) {
      const isNumber = this.firstKind !== string;
      if (isNumber && compares(this.firstValue, operator, wanted))
        mask.fill(1, 0, Math.min(rows, this.sameRows));
      return;
    }
    const end = Math.min(rows, this.values.length);
    const values = this.values.view().subarray(0, end);
    // Where all cells are numbers their kinds need not be looked at.
    const plain = this.counts[number] === this.values.length;
    const isNumber = plain ? undefined : this.kinds;
    // A loop each: one with the choice inside takes four times as long. And no branch: half of them would be guessed wrong.
    switch (operator) {
      case '<':
        for (let row = 0; row < end; row++) mask[row] = Number((values[row] ?? NaN) < wanted);
        break;
      case '<=':
        for (let row = 0; row < end; row++) mask[row] = Number((values[row] ?? NaN) <= wanted);
        break;
      case '>':
        for (let row = 0; row < end; row++) mask[row] = Number((values[row] ?? NaN) > wanted);
        break;
      case '>=':
        for (let row = 0; row < end; row++) mask[row] = Number((values[row] ?? NaN) >= wanted);
        break;
      case '=':
        for (let row = 0; row < end; row++) mask[row] = Number(values[row] === wanted);
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
    if (this.counts[number] === 0 && this.counts[boolean] === 0) return;
    const end = Math.min(rows, this.length);
    for (let row = 0; row < end; row++) {
      const kind = this.kindAt(row);
      if (kind === missing || kind === string) continue;
      if (matches(String(this.cell(row)))) mask[row] = 1;
    }
  }

  /** Adds to `counts` how many of these rows hold each value, less `base` each. Strings are counted by their codes. */
  count(rows: Uint32Array, base: number, counts: Map<NonNullable<Cell>, number>): void {
    const ofCode = new Uint32Array(this.counts[string] === 0 ? 0 : this.strings.size);
    const codes: number[] = [];
    for (const each of rows) {
      const row = each - base;
      if (this.kindAt(row) !== string) {
        const cell = this.cell(row);
        if (cell !== undefined && !Number.isNaN(cell)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
        continue;
      }
      const code = this.valueAt(row);
      const before = ofCode[code] ?? 0;
      ofCode[code] = before + 1;
      if (before > 0) continue;
      codes.push(code);
      // Values stand in the order they first came.
      const text = this.strings.text(code);
      if (!counts.has(text)) counts.set(text, 0);
    }
    for (const code of codes) {
      const text = this.strings.text(code);
      counts.set(text, (counts.get(text) ?? 0) + (ofCode[code] ?? 0));
    }
  }

  /** True where every filled cell is a number or boolean, so that `numbers` says all there is. */
  get numeric(): boolean {
    return this.counts[string] === 0;
  }

  /** Codes of strings are below this. */
  get codes(): number {
    return this.strings.size;
  }

  text(code: number): string {
    return this.strings.text(code);
  }
}

function compares(value: number, operator: '<' | '<=' | '>' | '>=' | '=', wanted: number): boolean {
  switch (operator) {
    case '<':
      return value < wanted;
    case '<=':
      return value <= wanted;
    case '>':
      return value > wanted;
    case '>=':
      return value >= wanted;
    case '=':
      return value === wanted;
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
