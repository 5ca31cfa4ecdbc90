import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchState } from '../../ingest/protocol';
import { foundIn, placeWords, resultWords } from './results';

const found = (count: number): SearchState['found'] =>
  Array.from({ length: count }, (_, nth) => ({
    ref: { source: nth % 2 === 0 ? 'a' : 'b', episode: nth * 3 },
    matches: nth + 1,
  }));
const state: SearchState = { phase: 'done', bytesRead: 50, bytesTotal: 200, matches: 6, found: found(3) };

const words = (change: Partial<SearchState>) => resultWords({ ...state, ...change }, undefined);

describe('the results of a search', () => {
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
        const own = all.find((each) => each.ref.source === ref.source && each.ref.episode === episode);
        expect(foundIn(all, ref)).toBe(own?.matches ?? 0);
      }),
    );
  });

  it('are told in words', () => {
    expect(words({})).toBe('6 places in 3 episodes');
    expect(words({ phase: 'searching' })).toBe('6 places in 3 episodes · 25%');
    expect(words({ phase: 'cancelled' })).toBe('6 places in 3 episodes · stopped at 25%');
    expect(words({ matches: 0, found: [] })).toBe('Nothing found');
    expect(words({ phase: 'searching', matches: 0, found: [] })).toBe('Nothing yet · 25%');
    const waiting = { phase: 'searching', waiting: true } as const;
    expect(words(waiting)).toBe('6 places in 3 episodes · waits for reading');
    expect(words({ ...waiting, matches: 0, found: [] })).toBe('Nothing yet · waits for reading');
  });

  it('are told apart from those that are not shown', () => {
    const hidden = (kept: number, shown: number) =>
      resultWords(state, { found: 3, kept, shown, place: -1 }).replace('6 places in 3 episodes', '');
    expect(hidden(3, 3)).toBe('');
    expect(hidden(1, 1)).toBe(', 2 of them hidden by the filter');
    expect(hidden(0, 0)).toBe(', all of them hidden by the filter');
    expect(hidden(3, 2)).toBe(', 1 of them in no group');
    expect(hidden(2, 1)).toBe(', 1 of them hidden by the filter, 1 of them in no group');
    const one = resultWords({ ...state, found: found(1) }, { found: 1, kept: 0, shown: 0, place: -1 });
    expect(one).toBe('6 places in 1 episode, which is hidden by the filter');
  });

  it('have a place once one is open', () => {
    expect(placeWords({ found: 9, kept: 3, shown: 3, place: 1 })).toBe('2 of 3');
    expect(placeWords({ found: 9, kept: 3, shown: 3, place: -1 })).toBe('');
  });
});
