import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from '../episode';
import { outsideOf } from './outside';

const spans: fc.Arbitrary<Span[]> = fc.array(
  fc.tuple(fc.nat(30), fc.nat(6)).map(([start, length]): Span => [start, start + length]),
  { maxLength: 8 },
);

/** Position by position. */
function slowly(ranges: Span[], turns: Span[]): Span[] {
  const isIn = (at: number): boolean => turns.some(([start, end]) => start <= at && at < end);
  return ranges
    .toSorted((a, b) => a[0] - b[0])
    .flatMap(([start, end]): Span[] => {
      let from = start;
      while (from < end && isIn(from)) from += 1;
      let to = from;
      while (to < end && !isIn(to)) to += 1;
      return from < end ? [[from, to]] : [];
    });
}

describe('outsideOf', () => {
  it('finds of every range the first part in no turn', () => {
    fc.assert(
      fc.property(spans, spans, (ranges, turns) => {
        expect(outsideOf(ranges, turns)).toEqual(slowly(ranges, turns));
      }),
    );
  });

  it('looks at each turn a few times, however many ranges there are', () => {
    const count = 2_000;
    let reads = 0;
    const turns = Array.from({ length: count }, (_, index): Span => [10 * index, 10 * index + 4]);
    const counted = new Proxy(turns, {
      get(target, key, receiver) {
        reads += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    expect(outsideOf(turns, counted)).toEqual([]);
    expect(reads).toBeLessThan(10 * count);
  });
});
