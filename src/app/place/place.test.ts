import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeFromSearch, searchFromPlace, tabIds, type Place } from './place';

const places: fc.Arbitrary<Place> = fc
  .record(
    {
      source: fc.string({ unit: 'grapheme', minLength: 1 }),
      episode: fc.nat(),
      step: fc.nat(),
      tab: fc.constantFrom(...tabIds),
    },
    { requiredKeys: ['step', 'tab'] },
  )
  .map((place) => place);

describe('place', () => {
  it('survives the way through a link', () => {
    fc.assert(fc.property(places, (place) => expect(placeFromSearch(searchFromPlace(place))).toEqual(place)));
  });

  it('reads any search string without complaint', () => {
    fc.assert(
      fc.property(fc.string(), (search) => {
        const place = placeFromSearch(search);
        expect(Number.isSafeInteger(place.step) && place.step >= 0).toBe(true);
        expect(tabIds).toContain(place.tab);
      }),
    );
  });

  it('keeps a link short and readable', () => {
    expect(searchFromPlace({ source: 'sample/counter', episode: 3, step: 0, tab: 'info' })).toBe(
      '?source=sample/counter&episode=3',
    );
  });
});
