import { compareNatural } from './natural';
import { allRows, sortRows } from './order';
import type { EpisodeRef, Row, SourceId, TableQuery } from './protocol';
import type { SourceTable } from './table';

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
    const part = this.parts.findLast(({ base, rows }) => index >= base && index < base + rows);
    if (part === undefined) return undefined;
    const episode = index - part.base;
    return part.table.row(episode, { source: part.id, episode });
  }

  /** The row of an episode, or -1. */
  indexOf({ source, episode }: EpisodeRef): number {
    const part = this.parts.find(({ id }) => id === source);
    return part !== undefined && episode >= 0 && episode < part.rows ? part.base + episode : -1;
  }

  order(query: TableQuery): Uint32Array {
    const rows = allRows(this.total);
    const keys = query.sort.map(({ column, descending }) => ({
      values: this.sortValues(column),
      descending,
    }));
    return keys.length === 0 ? rows : sortRows(rows, keys);
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
    if (numeric) {
      for (const { column, base, rows } of columns)
        column.scan(rows, (row, value) => (values[base + row] = value));
      return values;
    }
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
