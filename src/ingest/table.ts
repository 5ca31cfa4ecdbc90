import type { Format } from '../formats';
import { Column, typeOf } from './columns';
import { coreColumns, metricKey, metricName, type CoreColumn } from './core-columns';
import { lintColumns, withShared, type Linted } from './lint-columns';
import { Numbers } from './numbers';
import type { ColumnInfo, EpisodeRef, Row } from './protocol';
import type { ReadRecord } from './read';
import type { Place } from './recognise';
import { StringTable } from './string-table';

/** More metrics than this are not made into columns: keys that are data (a UUID each) would never end. */
const maxMetricColumns = 2000;

/** Where the record of a row stands, and how to read it. */
export interface RecordAt {
  place: Place;
  /** Which text of the source it stands in. */
  part: number;
  index: number;
  format: Format | undefined;
  nth: number;
}

/** The episodes of one record, from the first to the last, and where it stands. */
export interface RowsOfRecord {
  first: number;
  last: number;
  byteStart: number;
  byteEnd: number;
}

/** The episodes of one source: a row each, and where its record stands. Never a parsed record. */
export class SourceTable {
  readonly columns = new Map<string, Column>();
  rows = 0;
  /** Rows whose episodes were linted. */
  linted = 0;
  /** Rows by the sessions of a server that answered for their episodes. */
  readonly sessions = new Map<string, number[]>();
  /** By row: how many sessions shared with other episodes its lint columns tell of. */
  private readonly shared = new Map<number, number>();
  private readonly name: string;
  private readonly strings = new StringTable();
  private readonly starts = new Numbers();
  private readonly ends = new Numbers();
  private readonly lines = new Numbers();
  private readonly indexes = new Numbers();
  private readonly formatCodes = new Numbers();
  private readonly formats: (Format | undefined)[] = [];
  private readonly parts = new Numbers();
  /** By row: its record, and which of the record's episodes it is. */
  private readonly recordOf = new Numbers();
  private readonly nthOf = new Numbers();

  private readonly core: { column: Column; cell: CoreColumn['cell'] }[];
  private readonly metrics = new Map<string, Column>();

  constructor(name: string) {
    this.name = name;
    this.core = coreColumns.map(({ key, cell }) => ({ column: this.addColumn(key), cell }));
    for (const { key } of lintColumns) this.addColumn(key);
  }

  private addColumn(key: string): Column {
    const column = new Column(this.strings);
    this.columns.set(key, column);
    return column;
  }

  add(read: ReadRecord): void {
    if (read.summaries.length === 0) return;
    const record = this.starts.length;
    this.starts.push(read.place.byteStart);
    this.ends.push(read.place.byteEnd);
    this.lines.push(read.place.line);
    this.indexes.push(read.record.index);
    this.formatCodes.push(this.formatCode(read.format));
    this.parts.push(read.part);
    let nth = 0;
    for (const summary of read.summaries) {
      const row = this.rows;
      this.recordOf.push(record);
      this.nthOf.push(nth++);
      for (const { column, cell } of this.core) column.set(row, cell(summary, read, this.name));
      const { metrics } = summary;
      for (const name of Object.keys(metrics)) this.metric(name)?.set(row, metrics[name]);
      if (summary.sessions !== undefined)
        for (const session of summary.sessions) this.addSession(session, row);
      this.rows += 1;
    }
  }

  isLinted(row: number): boolean {
    return this.columns.get('findings')?.cell(row) !== undefined;
  }

  /** To be called once for a row. */
  setLinted(row: number, linted: Linted): void {
    for (const { key, cell } of lintColumns) this.columns.get(key)?.set(row, cell(linted));
    this.linted += 1;
  }

  private addSession(session: string, row: number): void {
    const rows = this.sessions.get(session);
    if (rows === undefined) this.sessions.set(session, [row]);
    else rows.push(row);
  }

  /** Whether the columns of a linted row did not tell of so many shared sessions yet. */
  setShared(row: number, count: number): boolean {
    const before = this.shared.get(row) ?? 0;
    if (before === count || !this.isLinted(row)) return false;
    this.shared.set(row, count);
    for (const [key, change] of Object.entries(withShared)) {
      const column = this.columns.get(key);
      column?.replace(row, change(column.cell(row), before, count));
    }
    return true;
  }

  private metric(name: string): Column | undefined {
    const known = this.metrics.get(name);
    if (known !== undefined || this.metrics.size >= maxMetricColumns) return known;
    const column = this.addColumn(metricKey(name));
    this.metrics.set(name, column);
    return column;
  }

  private formatCode(format: Format | undefined): number {
    const known = this.formats.indexOf(format);
    return known >= 0 ? known : this.formats.push(format) - 1;
  }

  /** Undefined where there is no such row. */
  recordAt(row: number): RecordAt | undefined {
    if (!Number.isInteger(row) || row < 0 || row >= this.rows) return undefined;
    const record = this.recordOf.at(row);
    return {
      place: {
        byteStart: this.starts.at(record),
        byteEnd: this.ends.at(record),
        line: this.lines.at(record),
      },
      index: this.indexes.at(record),
      format: this.formats[this.formatCodes.at(record)],
      part: this.parts.at(record),
      nth: this.nthOf.at(row),
    };
  }

  /** The record that holds a byte of a text, with its rows; undefined between records. */
  rowsOfByte(part: number, offset: number): RowsOfRecord | undefined {
    const record = lastIndex(this.starts.length, (record) => {
      const own = this.parts.at(record);
      return own < part || (own === part && this.starts.at(record) <= offset);
    });
    if (record < 0 || this.parts.at(record) !== part || offset >= this.ends.at(record)) return undefined;
    const first = lastIndex(this.rows, (row) => this.recordOf.at(row) < record) + 1;
    const last = lastIndex(this.rows, (row) => this.recordOf.at(row) <= record);
    return { first, last, byteStart: this.starts.at(record), byteEnd: this.ends.at(record) };
  }

  row(row: number, ref: EpisodeRef): Row {
    const cells: Row['cells'] = {};
    for (const [key, column] of this.columns) {
      const cell = column.cell(row);
      if (cell !== undefined) cells[key] = cell;
    }
    return { ref, title: String(cells['title'] ?? ''), cells };
  }
}

/** The last index for which a test is true that is true up to some index and false after it; -1 for none. */
function lastIndex(length: number, test: (index: number) => boolean): number {
  let [low, high] = [-1, length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (test(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Metrics shown without being asked for. */
const shownMetrics = 4;

/**
 * The columns of several sources together: core ones first, then those of lint where there are any, then metrics, the
 * fullest first.
 */
export function columnsOf(tables: readonly SourceTable[]): ColumnInfo[] {
  let rows = 0;
  for (const table of tables) rows += table.rows;
  const core = coreColumns.map(({ key, label, shown }): ColumnInfo => {
    const { varies, filled, type } = describe(tables, key);
    const isShown =
      shown === 'always' || (shown === 'if filled' && filled > 0) || (shown === 'if it varies' && varies);
    return { key, label, type, filled, shown: isShown };
  });
  // A filter by rules is right also where none found anything.
  const isLinted = tables.some(({ linted }) => linted > 0);
  const lint = (isLinted ? lintColumns : []).map(({ key, label, type, shown }): ColumnInfo => {
    return { key, label, type, filled: describe(tables, key).filled, shown };
  });
  const keys = new Set(tables.flatMap((table) => [...table.columns.keys()]));
  const metrics = [...keys].flatMap((key) => {
    const label = metricName(key);
    return label === undefined ? [] : [{ key, label, ...describe(tables, key) }];
  });
  metrics.sort((a, b) => b.filled - a.filled);
  // Nothing varies in a single row.
  const useful = metrics.filter(
    ({ type, filled, varies }) => (varies || rows === 1) && type !== 'string' && filled * 2 >= rows,
  );
  const shown = new Set(useful.slice(0, shownMetrics));
  return [
    ...core,
    ...lint,
    ...metrics.map((metric): ColumnInfo => {
      const { key, label, type, filled } = metric;
      return { key, label, type, filled, shown: shown.has(metric) };
    }),
  ];
}

function describe(
  tables: readonly SourceTable[],
  key: string,
): { filled: number; varies: boolean; type: ColumnInfo['type'] } {
  const counts = { number: 0, string: 0, boolean: 0 };
  const firsts = new Set<unknown>();
  let varies = false;
  for (const table of tables) {
    const column = table.columns.get(key);
    if (column === undefined || column.filled === 0) continue;
    const { number, string, boolean } = column.kindCounts;
    counts.number += number;
    counts.string += string;
    counts.boolean += boolean;
    varies ||= column.varies;
    firsts.add(column.first);
  }
  const filled = counts.number + counts.string + counts.boolean;
  return { filled, varies: varies || firsts.size > 1, type: typeOf(counts) };
}
