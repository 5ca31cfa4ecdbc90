import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchState } from '../../ingest/protocol';
import { foundIn, neighbourOf, placeOf, placeWords, resultWords } from './results';

const found = (count: number): SearchState['found'] =>
  Array.from({ length: count }, (_, nth) => ({
    ref: { source: nth % 2 === 0 ? 'a' : 'b', episode: nth * 3 },
    matches: nth + 1,
  }));
const state: SearchState = { phase: 'done', bytesRead: 50, bytesTotal: 200, matches: 6, found: found(3) };

describe('the results of a search', () => {
  it('are gone round in order, either way', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.constantFrom(1 as const, -1 as const), (count, by) => {
        const all = found(count);
        let at = neighbourOf(all, undefined, by);
        const visited = all.map(() => {
          const here = placeOf(all, at);
          at = neighbourOf(all, at, by);
          return here;
        });
        const order = all.map((_, nth) => nth);
        expect(visited).toEqual(by === 1 ? order : order.toReversed());
        expect(at).toEqual(neighbourOf(all, undefined, by));
      }),
    );
  });

  it('tell of any episode how often it was found', () => {
    const rows = fc.uniqueArray(fc.nat(40), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 4 }), fc.nat(5), fc.nat(41), (sources, nth, episode) => {
        const all = sources.flatMap((episodes, source) =>
          episodes
            .toSorted((a, b) => a - b)
            .map((each) => ({ ref: { source: `${source}`, episode: each }, matches: each + source + 1 })),
        );
        const ref = { source: `${nth}`, episode };
        expect(foundIn(all, ref)).toBe(all[placeOf(all, ref)]?.matches ?? 0);
      }),
    );
  });

  it('that are none lead nowhere', () => {
    expect(neighbourOf([], undefined, 1)).toBeUndefined();
    expect(neighbourOf([], { source: 'a', episode: 0 }, -1)).toBeUndefined();
  });

  it('are told in words', () => {
    expect(resultWords(state)).toBe('6 places in 3 episodes');
    expect(resultWords({ ...state, phase: 'searching' })).toBe('6 places in 3 episodes · 25%');
    expect(resultWords({ ...state, phase: 'cancelled' })).toBe('6 places in 3 episodes · stopped at 25%');
    expect(resultWords({ ...state, matches: 0, found: [] })).toBe('Nothing found');
    expect(resultWords({ ...state, phase: 'searching', matches: 0, found: [] })).toBe('Nothing yet · 25%');
    const waiting = { ...state, phase: 'searching', waiting: true } as const;
    expect(resultWords(waiting)).toBe('6 places in 3 episodes · waits for reading');
    expect(resultWords({ ...waiting, matches: 0, found: [] })).toBe('Nothing yet · waits for reading');
    expect(placeWords(state, { source: 'b', episode: 3 })).toBe('2 of 3');
    expect(placeWords(state, undefined)).toBe('');
  });
});
