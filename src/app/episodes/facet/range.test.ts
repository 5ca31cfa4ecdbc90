import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeAfterKey, rangeBetween, shareOf, valueAt, type Extent } from './range';

const extents: fc.Arbitrary<Extent> = fc
  .tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: 1e-3, max: 1e6, noNaN: true }))
  .map(([min, width]) => ({ min, max: min + width }));
const shares = fc.double({ min: 0, max: 1, noNaN: true });

describe('a brushed range', () => {
  it('holds what was brushed, and hardly more', () => {
    fc.assert(
      fc.property(extents, shares, shares, (extent, a, b) => {
        const [x, y] = [valueAt(a, extent), valueAt(b, extent)];
        const range = rangeBetween(x, y, extent);
        const { from, to } = range ?? { from: extent.min, to: extent.max };
        const slack = (extent.max - extent.min) * 1e-6 + 1e-6;
        expect(from).toBeLessThanOrEqual(Math.min(x, y) + slack);
        expect(to).toBeGreaterThanOrEqual(Math.max(x, y) - slack);
        const width = Math.abs(x - y);
        expect(to - from).toBeLessThanOrEqual(width + 2 * Math.max(1, (extent.max - extent.min) / 20));
      }),
    );
  });

  it('is in numbers a person would write', () => {
    const extent = { min: 0, max: 1 };
    expect(rangeBetween(0.7012, 0.2334, extent)).toEqual({ from: 0.233, to: 0.702 });
    expect(rangeBetween(0.29, 0.57, extent)).toEqual({ from: 0.29, to: 0.57 });
    expect(rangeBetween(12.3, 4100.2, { min: 0, max: 9000 })).toMatchObject({ from: 12, to: 4101 });
    expect(rangeBetween(0, 1, extent)).toBeUndefined();
  });

  it('puts a value where it is found again', () => {
    fc.assert(
      fc.property(extents, shares, (extent, share) => {
        expect(shareOf(valueAt(share, extent), extent)).toBeCloseTo(share, 5);
      }),
    );
  });
});

describe('a thumb', () => {
  it('never passes the other one or the end', () => {
    const keys = fc.constantFrom('ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End');
    const moves = fc.array(fc.tuple(keys, fc.constantFrom('from' as const, 'to' as const)));
    fc.assert(
      fc.property(extents, moves, (extent, all) => {
        let range: { from: number; to: number } | undefined;
        for (const [key, thumb] of all) {
          range = rangeAfterKey(key, thumb, range, extent)?.range;
          if (range !== undefined) expect(range.from).toBeLessThanOrEqual(range.to);
        }
      }),
    );
  });

  it('comes back to everything at the ends', () => {
    const extent = { min: -1, max: 1 };
    const once = rangeAfterKey('ArrowRight', 'from', undefined, extent)?.range;
    expect(once).toEqual({ from: -0.96, to: 1 });
    expect(rangeAfterKey('Home', 'from', once, extent)).toEqual({ range: undefined });
    expect(rangeAfterKey('x', 'from', once, extent)).toBeUndefined();
  });
});
