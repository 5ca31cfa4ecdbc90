import { evaluate, FilterError, parseFilter, type Filter } from './filter';
import { compareNatural } from './natural';
import { allRows, sortRows } from './order';
import type { Cell, EpisodeRef, Row, SourceId, TableQuery } from './protocol';
import { columnsOf, type SourceTable } from './table';

export interface NamedTable {
  id: SourceId;
  table: SourceTable;
}

/** The rows of several sources, one after another, as one table whose rows have one number each. */
export class JoinedTable {
  readonly total: number;
  private readonly parts: { id: SourceId; table: SourceTable; base: number; rows: number }[] = [];

  constructor(tables: readonly NamedTable[]) {
    let base = 0;
    for (const { id, table } of tables) {
      // A source that is being read grows: this table is of now.
      this.parts.push({ id, table, base, rows: table.rows });
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
    const part = this.parts.find(({ id }) => id === source);
    return part !== undefined && episode >= 0 && episode < part.rows ? part.base + episode : -1;
  }

  /** The rows of a query in its order. */
  order(query: TableQuery): Uint32Array {
    const rows = this.filtered(query.filter ?? '');
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

  private partAt(index: number): (typeof this.parts)[number] | undefined {
    return this.parts.findLast(({ base, rows }) => index >= base && index < base + rows);
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

  /**
   * A number per row that orders as the column does, NaN where there is no value. Strings become their rank;
   * in a column of both, numbers come before strings.
   */
  private sortValues(key: string): Float64Array {
    const values = new Float64Array(this.total).fill(NaN);
    const columns = this.parts.flatMap(({ table, base, rows }) => {
      const column = table.columns.get(key);
      return column === undefined ? [] : [{ column, base, rows }];
    });
    const numeric = columns.every(({ column }) => column.numeric);
    if (numeric) return this.numbers(key);
    const numbers = new Set<number>();
    const strings = new Set<string>();
    for (const { column, rows } of columns) {
      column.scan(rows, (_row, value, code) => {
        if (code >= 0) strings.add(column.text(code));
        else if (!Number.isNaN(value)) numbers.add(value);
      });
    }
    const rankOf = new Map<number | string, number>();
    for (const value of [...numbers].sort((a, b) => a - b)) rankOf.set(value, rankOf.size);
    for (const value of [...strings].sort(compareNatural)) rankOf.set(value, rankOf.size);
    for (const { column, base, rows } of columns) {
      column.scan(rows, (row, value, code) => {
        values[base + row] = rankOf.get(code >= 0 ? column.text(code) : value) ?? NaN;
      });
    }
    return values;
  }
}

function rowsWhere(mask: Uint8Array): Uint32Array {
  let count = 0;
  for (const bit of mask) count += bit;
  const rows = new Uint32Array(count);
  let at = 0;
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 1) rows[at++] = row;
  }
  return rows;
}
