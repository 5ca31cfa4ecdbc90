import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percentRead, rateOf, restsFor, secondsLeft, settling, withSample, type Sample } from './pace';

const read = (samples: Sample[]) => samples.reduce<readonly Sample[]>(withSample, []);

describe('the pace of reading', () => {
  it('is the speed of a steady disk, however often it speaks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 3, maxLength: 60 }),
        (speed, gaps) => {
          let at = 0;
          const samples = gaps.map((gap) => ({ at: (at += gap), bytes: at * speed }));
          const rate = rateOf(read(samples));
          const elapsed = at - (gaps[0] ?? 0);
          if (elapsed < settling) expect(rate).toBeUndefined();
          else expect(rate).toBeCloseTo(speed * 1000, 3);
        },
      ),
    );
  });

  it('forgets how fast it was long ago', () => {
    const slow = Array.from({ length: 100 }, (_, index) => ({ at: index * 100, bytes: index }));
    const fast = Array.from({ length: 100 }, (_, index) => ({
      at: 10_000 + index * 100,
      bytes: 100 + index * 100_000,
    }));
    const samples = read([...slow, ...fast]);
    expect(rateOf(samples)).toBeCloseTo(1_000_000, 0);
    expect(samples.length).toBeLessThan(50);
  });

  it('starts anew when the source does', () => {
    expect(
      read([
        { at: 0, bytes: 500 },
        { at: 100, bytes: 900 },
        { at: 200, bytes: 0 },
      ]),
    ).toEqual([{ at: 200, bytes: 0 }]);
  });

  it('says how long it will take, once it can', () => {
    expect(secondsLeft({ bytesRead: 25, bytesTotal: 100 }, 15)).toBe(5);
    expect(secondsLeft({ bytesRead: 25, bytesTotal: 100 }, undefined)).toBeUndefined();
    expect(secondsLeft({ bytesRead: 0, bytesTotal: 0 }, 15)).toBeUndefined();
  });

  it('is whole only at the end', () => {
    expect(percentRead({ bytesRead: 999_999, bytesTotal: 1_000_000 })).toBe(99);
    expect(percentRead({ bytesRead: 1_000_000, bytesTotal: 1_000_000 })).toBe(100);
    expect(percentRead({ bytesRead: 5, bytesTotal: 0 })).toBe(0);
    // A file that grew while it was read.
    expect(percentRead({ bytesRead: 7, bytesTotal: 5 })).toBe(100);
  });
});

describe('the rest between two questions', () => {
  it('leaves the worker nine tenths of its time, but nobody waits longer than two seconds', () => {
    fc.assert(
      fc.property(fc.double({ min: 5, max: 200, noNaN: true }), (took) => {
        expect(took / (took + restsFor(took))).toBeCloseTo(0.1, 6);
      }),
    );
    expect(restsFor(300)).toBe(2000);
    expect(restsFor(30_000)).toBe(2000);
  });

  it('is none after a quick answer', () => {
    expect(restsFor(2)).toBe(0);
  });
});
