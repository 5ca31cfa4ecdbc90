import { evaluate, FilterError, parseFilter, type Filter } from './filter';
import { naturalRanks } from './natural';
import { allRows, sortRows } from './order';
import {
  sourceOrder,
  type Cell,
  type EpisodeRef,
  type Row,
  type SourceId,
  type TableQuery,
} from './protocol';
import { columnsOf, type SourceTable } from './table';

export interface NamedTable {
  id: SourceId;
  table: SourceTable;
}

/** The rows of a source among those of all. */
interface Part extends NamedTable {
  base: number;
  rows: number;
}

const keptColumns = 4;

/** The rows of several sources, one after another, as one table whose rows have one number each. */
export class JoinedTable {
  readonly total: number;
  /** What sorting by a column took to prepare, for the next sort that has it. */
  private readonly sortable = new Map<string, Float64Array>();
  private readonly parts: Part[] = [];
  private readonly partOf = new Map<SourceId, Part>();

  constructor(tables: readonly NamedTable[]) {
    let base = 0;
    for (const { id, table } of tables) {
      // A source that is being read grows: this table is of now.
      const part = { id, table, base, rows: table.rows };
      this.parts.push(part);
      this.partOf.set(id, part);
      base += table.rows;
    }
    this.total = base;
  }

  row(index: number): Row | undefined {
    const ref = this.refAt(index);
    return ref === undefined ? undefined : this.partAt(index)?.table.row(ref.episode, ref);
  }

  /** The row of an episode, or -1. */
  indexOf({ source, episode }: EpisodeRef): number {
    const part = this.partOf.get(source);
    return part !== undefined && episode >= 0 && episode < part.rows ? part.base + episode : -1;
  }

  /** The rows of a query in its order. */
  order(query: TableQuery): Uint32Array {
    const rows = this.ownOf(query.only, this.filtered(query.filter ?? ''));
    const keys = query.sort.map(({ column, descending }) => ({
      values: this.sortValues(column),
      descending,
    }));
    return keys.length === 0 ? rows : sortRows(rows, keys);
  }

  /** The rows a filter is true for, as they stand. */
  filtered(filter: string): Uint32Array {
    const parsed = this.parse(filter);
    if (parsed === undefined) return allRows(this.total);
    const stretches = this.parts.map(({ table, base, rows }) => ({ base, rows, columns: table.columns }));
    const mask = evaluate(parsed, { total: this.total, stretches });
    return rowsWhere(mask);
  }

  /** Those of rows, which ascend, that a source has. */
  private ownOf(source: SourceId | undefined, rows: Uint32Array): Uint32Array {
    if (source === undefined) return rows;
    const part = this.partOf.get(source);
    const from = part?.base ?? 0;
    const end = from + (part?.rows ?? 0);
    return rows.filter((row) => row >= from && row < end);
  }

  private parse(filter: string): Filter | undefined {
    try {
      return parseFilter(filter, columnsOf(this.parts.map(({ table }) => table)));
    } catch (error) {
      if (error instanceof FilterError) return undefined;
      throw error;
    }
  }

  cell(index: number, key: string): Cell {
    const part = this.partAt(index);
    return part?.table.columns.get(key)?.cell(index - part.base);
  }

  /** Halving, for there can be thousands of sources and a hundred thousand groups that ask. */
  private partAt(index: number): Part | undefined {
    let [from, end] = [0, this.parts.length];
    while (from < end) {
      const middle = (from + end) >> 1;
      const part = this.parts[middle];
      if (part === undefined || index < part.base) end = middle;
      else if (index >= part.base + part.rows) from = middle + 1;
      else return part;
    }
    return undefined;
  }

  refAt(index: number): EpisodeRef | undefined {
    const part = this.partAt(index);
    return part === undefined ? undefined : { source: part.id, episode: index - part.base };
  }

  /** All rows' numbers of a column; NaN where there is none. */
  numbers(key: string): Float64Array {
    const values = new Float64Array(this.total).fill(NaN);
    for (const { table, base, rows } of this.parts) {
      table.columns.get(key)?.scan(rows, (row, value) => (values[base + row] = value));
    }
    return values;
  }

  /** How many of these rows, which ascend, hold each value of a column. NaN is none. */
  counts(rows: Uint32Array, key: string): Map<NonNullable<Cell>, number> {
    const counts = new Map<NonNullable<Cell>, number>();
    let from = 0;
    for (const { table, base, rows: own } of this.parts) {
      let to = from;
      while (to < rows.length && (rows[to] ?? 0) < base + own) to++;
      table.columns.get(key)?.count(rows.subarray(from, to), base, counts);
      from = to;
    }
    return counts;
  }

  /**
   * Which of the values of a column, as they are written, each row has; -1 for none. `apart`: each source has values
   * of its own, be they written the same.
   */
  keys(column: string, apart = false): { keyOf: Int32Array; keys: string[] } {
    const keyOf = new Int32Array(this.total).fill(-1);
    const keys: string[] = [];
    const known = new Map<string, number>();
    const place = (text: string): number => {
      const found = known.get(text);
      if (found !== undefined) return found;
      known.set(text, keys.length);
      return keys.push(text) - 1;
    };
    for (const { table, base, rows } of this.parts) {
      const own = table.columns.get(column);
      if (apart) known.clear();
      const ofCode = new Int32Array(own?.codes ?? 0).fill(-1);
      own?.scan(rows, (row, value, code) => {
        if (code < 0) {
          if (!Number.isNaN(value)) keyOf[base + row] = place(String(own.cell(row)));
          return;
        }
        let key = ofCode[code] ?? -1;
        if (key < 0) ofCode[code] = key = place(own.text(code));
        keyOf[base + row] = key;
      });
    }
    return { keyOf, keys };
  }

  /**
   * A number per row that orders as the column does, NaN where there is no value. Strings become their rank;
   * in a column of both, numbers come before strings.
   */
  private sortValues(key: string): Float64Array {
    const known = this.sortable.get(key);
    if (known !== undefined) return known;
    const values = this.makeSortValues(key);
    const [oldest] = this.sortable.keys();
    if (this.sortable.size >= keptColumns && oldest !== undefined) this.sortable.delete(oldest);
    this.sortable.set(key, values);
    return values;
  }

  private makeSortValues(key: string): Float64Array {
    const values = new Float64Array(this.total).fill(NaN);
    if (key === sourceOrder) {
      this.parts.forEach(({ base, rows }, nth) => values.fill(nth, base, base + rows));
      return values;
    }
    const columns = this.parts.flatMap(({ table, base, rows }) => {
      const column = table.columns.get(key);
      return column === undefined ? [] : [{ column, base, rows }];
    });
    const numeric = columns.every(({ column }) => column.numeric);
    if (numeric) return this.numbers(key);
    const numbers = new Set<number>();
    const names: string[] = [];
    const known = columns.length > 1 ? new Map<string, number>() : undefined;
    /** By column and code: which of the names. */
    const named = columns.map(({ column, rows }) => {
      const nameOf = new Int32Array(column.codes).fill(-1);
      column.scan(rows, (_row, value, code) => {
        if (code < 0) {
          if (!Number.isNaN(value)) numbers.add(value);
        } else if (nameOf[code] === -1) {
          const text = column.text(code);
          const name = known?.get(text) ?? names.push(text) - 1;
          known?.set(text, name);
          nameOf[code] = name;
        }
      });
      return nameOf;
    });
    const rankOf = new Map([...numbers].sort((a, b) => a - b).map((value, rank) => [value, rank]));
    const ranks = naturalRanks(names);
    columns.forEach(({ column, base, rows }, nth) => {
      const nameOf = named[nth];
      column.scan(rows, (row, value, code) => {
        values[base + row] =
          code < 0 ? (rankOf.get(value) ?? NaN) : numbers.size + (ranks[nameOf?.[code] ?? 0] ?? 0);
      });
    });
    return values;
  }
}

function rowsWhere(mask: Uint8Array): Uint32Array {
  const rows = new Uint32Array(mask.length);
  let count = 0;
  // Without a branch, which would be guessed wrong as often as not: a row that is left out is written over.
  for (let row = 0; row < mask.length; row++) {
    rows[count] = row;
    count += mask[row] ?? 0;
  }
  return rows.slice(0, count);
}
