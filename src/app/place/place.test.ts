import { assert, constantFrom, nat, property, record, string, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeFromSearch, searchFromPlace, tabIds, type Place } from './place';

const places: Arbitrary<Place> = record(
  {
    source: string({ unit: 'grapheme', minLength: 1 }),
    episode: nat(),
    step: nat(),
    tab: constantFrom(...tabIds),
  },
  { requiredKeys: ['step', 'tab'] },
);

describe('place', () => {
  it('survives the way through a link', () => {
    assert(
      property(places, (place) => {
        expect(placeFromSearch(searchFromPlace(place))).toEqual(place);
      }),
    );
  });

  it('reads any search string without complaint', () => {
    assert(
      property(string(), (search) => {
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

  it('names the page of the environment server, unless a source is named', () => {
    expect(placeFromSearch('?page=gym').page).toBe('gym');
    expect(searchFromPlace({ step: 0, tab: 'info', page: 'gym' })).toBe('?page=gym');
    expect(placeFromSearch('?page=gym&source=run.jsonl').page).toBeUndefined();
    expect(placeFromSearch('?page=elsewhere').page).toBeUndefined();
  });
});
