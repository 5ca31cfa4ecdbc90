import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noCounts } from '../model';
import { Column, typeOf } from './columns';
import type { Cell } from './protocol';
import { compareNatural } from './natural';
import { JoinedTable } from './query';
import type { ReadRecord } from './read';
import { StringTable } from './string-table';
import { columnsOf, SourceTable } from './table';
import { rollouts } from './test-formats.fixtures';

const text = fc.string({ maxLength: 20, unit: fc.constantFrom('a', 'B', '1', '10', 'é', ' ') });
const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.constant(undefined),
  fc.double(),
  fc.constantFrom(NaN, -0, 0, 1),
  fc.boolean(),
  text,
);

/** A record with one episode, as the reader would give it. */
function episode(index: number, metrics: Record<string, Cell>): ReadRecord {
  const filled = Object.entries(metrics).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return {
    record: { value: {}, text: '{}', index, line: index + 1 },
    place: { byteStart: index * 10, byteEnd: index * 10 + 7, line: index + 1 },
    format: rollouts,
    part: 0,
    summaries: [
      {
        title: `episode ${index}`,
        counts: noCounts(),
        steps: 1,
        edits: 0,
        samples: 0,
        metrics: Object.fromEntries(filled),
        gaps: [],
      },
    ],
  };
}

function tableOf(name: string, rows: readonly Record<string, Cell>[]): SourceTable {
  const table = new SourceTable(name);
  rows.forEach((metrics, index) => table.add(episode(index, metrics)));
  return table;
}

describe('Column', () => {
  it('gives back every cell as it was set', () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 200 }), (cells) => {
        const column = new Column(new StringTable());
        cells.forEach((value, row) => column.set(row, value));
        expect(cells.map((_, row) => column.cell(row))).toEqual(cells);
        expect(column.filled).toBe(cells.filter((value) => value !== undefined).length);
        expect(column.varies).toBe(
          new Set(cells.filter((value) => value !== undefined).map(identity)).size > 1,
        );
        expect(column.cell(cells.length)).toBeUndefined();
      }),
    );
  });

  it('cuts long strings', () => {
    const column = new Column(new StringTable());
    column.set(0, 'x'.repeat(100_000));
    expect(column.cell(0)).toBe(`${'x'.repeat(500)}…`);
  });

  it('has the type of most of its cells', () => {
    expect(typeOf({ number: 3, string: 2, boolean: 0 })).toBe('number');
    expect(typeOf({ number: 2, string: 2, boolean: 0 })).toBe('string');
    expect(typeOf({ number: 1, string: 0, boolean: 2 })).toBe('boolean');
  });
});

/** Keeps -0 apart from 0, as `Object.is` does. */
function identity(value: Cell): unknown {
  return Object.is(value, -0) ? '-0' : value;
}

describe('SourceTable', () => {
  it('knows each row and where its record stands', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ a: cell, __proto__: cell }, { requiredKeys: [] }), { maxLength: 30 }),
        (rows) => {
          const table = tableOf('run', rows);
          expect(table.rows).toBe(rows.length);
          rows.forEach(({ a }, row) => {
            const { cells, title } = table.row(row, { source: 's', episode: row });
            expect(cells['metric:a']).toEqual(a);
            expect([title, cells['line'], cells['bytes'], cells['source']]).toEqual([
              `episode ${row}`,
              row + 1,
              7,
              'run',
            ]);
            expect(table.recordAt(row)).toMatchObject({
              place: { byteStart: row * 10, byteEnd: row * 10 + 7, line: row + 1 },
              index: row,
              nth: 0,
            });
          });
          expect(table.recordAt(rows.length)).toBeUndefined();
          expect(table.recordAt(-1)).toBeUndefined();
          expect(table.recordAt(0.5)).toBeUndefined();
        },
      ),
    );
  });

  it('stops making columns of keys that never end', () => {
    const rows = Array.from({ length: 3000 }, (_, i) => ({ [`key ${i}`]: i }));
    expect(tableOf('run', rows).columns.size).toBeLessThan(2100);
  });

  it('shows what varies and a few full metrics', () => {
    const rows = Array.from({ length: 10 }, (_, i) => ({
      constant: 1,
      note: `text ${i}`,
      rare: i === 3 ? 1 : undefined,
      ok: i % 2 === 0,
      m1: i,
      m2: i,
      m3: i,
      m4: i,
    }));
    const columns = columnsOf([tableOf('run', rows)]);
    const shown = columns.filter((column) => column.shown).map(({ label }) => label);
    expect(shown).toEqual(['Episode', 'Steps', 'Tool calls', 'ok', 'm1', 'm2', 'm3']);
    expect(columns.find(({ key }) => key === 'metric:rare')).toEqual({
      key: 'metric:rare',
      label: 'rare',
      type: 'number',
      filled: 1,
      shown: false,
    });
  });

  it('shows the source where there are several', () => {
    const columns = columnsOf([tableOf('a', [{ x: 1 }]), tableOf('b', [{ x: '1' }])]);
    expect(columns.find(({ key }) => key === 'source')?.shown).toBe(true);
    expect(columns.find(({ key }) => key === 'metric:x')).toMatchObject({ type: 'string', filled: 2 });
  });
});

describe('JoinedTable', () => {
  it('orders rows of several sources as a naive stable sort does', () => {
    const rows = fc.array(fc.record({ a: cell, b: cell }), { maxLength: 20 });
    const sort = fc.array(
      fc.record({
        column: fc.constantFrom('metric:a', 'metric:b', 'source', 'nowhere'),
        descending: fc.boolean(),
      }),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(rows, rows, sort, (first, second, sort) => {
        const joined = new JoinedTable([
          { id: 'one', table: tableOf('one', first) },
          { id: 'two', table: tableOf('two', second) },
        ]);
        const order = [...joined.order({ sources: ['one', 'two'], sort })].map((index) => joined.row(index));
        expect(order).toHaveLength(first.length + second.length);
        for (let i = 1; i < order.length; i++) {
          const [before, after] = [order[i - 1], order[i]];
          if (before === undefined || after === undefined) throw new Error('a row is missing');
          expect(inOrder(before.cells, after.cells, sort)).toBe(true);
        }
        for (const row of order) expect(row && joined.row(joined.indexOf(row.ref))).toEqual(row);
      }),
    );
  });

  it('knows no row for what is not there', () => {
    const joined = new JoinedTable([{ id: 'one', table: tableOf('one', [{ a: 1 }]) }]);
    expect(joined.indexOf({ source: 'two', episode: 0 })).toBe(-1);
    expect(joined.indexOf({ source: 'one', episode: 1 })).toBe(-1);
    expect(joined.row(1)).toBeUndefined();
  });
});

/** Missing (and NaN) last; numbers, with booleans as 0 and 1, before strings; strings naturally. */
function inOrder(
  a: Record<string, Cell>,
  b: Record<string, Cell>,
  sort: readonly { column: string; descending: boolean }[],
): boolean {
  for (const { column, descending } of sort) {
    const [x, y] = [a[column], b[column]].map((value) =>
      typeof value === 'boolean' ? Number(value) : value,
    );
    const [noX, noY] = [x, y].map((value) => value === undefined || Number.isNaN(value));
    if (noX || noY) {
      if (noX !== noY) return noY === true;
      continue;
    }
    if (x === y) continue;
    let difference: number;
    if (typeof x === 'number' && typeof y === 'number') difference = x - y;
    else if (typeof x === 'string' && typeof y === 'string') difference = compareNatural(x, y);
    else difference = typeof x === 'number' ? -1 : 1;
    if (difference === 0) return true;
    return descending ? difference > 0 : difference < 0;
  }
  return true;
}
