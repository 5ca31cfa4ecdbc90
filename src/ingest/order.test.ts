import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNatural, naturalRanks } from './natural';
import { allRows, sortRows } from './order';

const cell = fc.oneof(
  fc.double(),
  fc.constantFrom(NaN, 0, -0, 1, Infinity, -Infinity, Number.MIN_VALUE, -Number.MIN_VALUE),
);

describe('sortRows', () => {
  it('is the stable sort by all keys, with missing values last both ways', () => {
    const table = fc.integer({ min: 0, max: 60 }).chain((rows) =>
      fc.tuple(
        fc.array(fc.tuple(fc.array(cell, { minLength: rows, maxLength: rows }), fc.boolean()), {
          maxLength: 3,
        }),
        fc.subarray([...allRows(rows)]),
      ),
    );
    fc.assert(
      fc.property(table, ([columns, rows]) => {
        const keys = columns.map(([values, descending]) => ({
          values: Float64Array.from(values),
          descending,
        }));
        const expected = [...rows].sort((a, b) => {
          for (const { values, descending } of keys) {
            const [x, y] = [values[a] ?? NaN, values[b] ?? NaN];
            if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
            if (x < y) return descending ? 1 : -1;
            if (x > y) return descending ? -1 : 1;
          }
          return 0;
        });
        expect([...sortRows(Uint32Array.from(rows), keys)]).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('compareNatural', () => {
  it('orders numbers in names as numbers', () => {
    expect(['task 10', 'Task 9', 'task 9', 'a', 'é', 'e'].sort(compareNatural)).toEqual([
      'a',
      'e',
      'é',
      'task 9',
      'Task 9',
      'task 10',
    ]);
  });

  it('calls only equal strings equal', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(compareNatural(a, b) === 0).toBe(a === b);
        expect(Math.sign(compareNatural(a, b))).toBe(-Math.sign(compareNatural(b, a)) || 0);
      }),
    );
  });
});

describe('naturalRanks', () => {
  it('are the places of names that were sorted by comparing them', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('a', 'A', 'é', 'e', '0', '1', '9', ' ', '·', '字', '\uffff', '\xfd', '\xfe'),
      }),
      fc.nat({ max: 300 }).map((number) => `task ${number} · rollout ${number % 7}`),
      fc.nat({ max: 300 }).map((number) => `${'字'.repeat(number % 9)}${number}`),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 400, size: 'max' }), (names) => {
        const ranks = naturalRanks(names);
        const sorted: string[] = [];
        names.forEach((each, at) => (sorted[ranks[at] ?? -1] = each));
        expect(sorted).toEqual(names.toSorted(compareNatural));
      }),
    );
  });
});
