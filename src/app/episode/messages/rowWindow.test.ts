import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateHeight } from './estimate';
import type { Row } from './rows';
import { RowWindow } from './rowWindow';

const rowOf = (key: number): Row => ({ kind: 'caption', key: `${key}`, text: `${key}` });
const estimate = estimateHeight(rowOf(0));
const some = Array.from({ length: 300 }, (_, key) => rowOf(key));

/** Rows that are measured, and others that begin like them, as those of the next step do. */
const steps = fc.array(
  fc.record({
    same: fc.nat(120),
    rest: fc.uniqueArray(fc.integer({ min: 120, max: 299 }), { maxLength: 120 }),
    heights: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 40, maxLength: 40 }),
    anchor: fc.nat(200),
    scrolled: fc.nat(20_000),
  }),
  { minLength: 1, maxLength: 8 },
);

describe('the rows on screen', () => {
  test('each starts where those before it end, as high as they were last measured', () => {
    fc.assert(
      fc.property(steps, (plans) => {
        const list = new RowWindow();
        const known = new Map<string, number>();
        plans.forEach(({ same, rest, heights, anchor, scrolled }, step) => {
          const rows = [...some.slice(0, same), ...rest.flatMap((key) => some[key] ?? [])];
          const aim = list.plan({
            rows,
            place: { step, mode: 'seen' },
            anchor: anchor < rows.length ? anchor : -1,
            follow: true,
            width: 600,
            height: 500,
          });
          list.drawn({ step, mode: 'seen' });
          const { start, end } = list.range;
          if (aim !== undefined) expect(aim >= start && aim < end).toBe(true);
          rows.slice(start, end).forEach(({ key }, nth) => known.set(key, heights[nth] ?? estimate));
          list.measured(rows.slice(start, end).map((_, nth) => heights[nth] ?? estimate));
          let next = list.startOf(0);
          rows.forEach(({ key }, index) => {
            expect(list.startOf(index)).toBe(next);
            next += known.get(key) ?? estimate;
          });
          expect(list.startOf(rows.length)).toBe(next);
          list.scrollTop = list.within(scrolled);
          const top = list.indexAt(list.scrollTop);
          if (rows.length > 0) expect(list.startOf(top) <= Math.max(list.scrollTop, 4)).toBe(true);
        });
      }),
    );
  });

  test('drawn until they fill the screen, they fill it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 300, maxLength: 300 }),
        fc.nat(300),
        (heights, anchor) => {
          const list = new RowWindow();
          const place = { step: 1, mode: 'seen' as const };
          for (let pass = 0; pass < 40; pass++) {
            list.plan({ rows: some, place, anchor, follow: true, width: 600, height: 500 });
            list.drawn(place);
            const { start, end } = list.range;
            list.measured(heights.slice(start, end));
            list.scrollTop = list.scrollTopFor(anchor);
            if (list.covers) return;
          }
          expect.fail('The screen is not filled.');
        },
      ),
    );
  });
});
