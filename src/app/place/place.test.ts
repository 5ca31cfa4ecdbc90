import {
  array,
  assert,
  boolean,
  constantFrom,
  nat,
  property,
  record,
  string,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeFromSearch, searchFromPlace, tabIds, type Place } from './place';

const name = string({ unit: 'grapheme', minLength: 1 });
const sortKey = record({ column: name, descending: boolean() });

const places: Arbitrary<Place> = record(
  {
    source: string({ unit: 'grapheme', minLength: 1 }),
    episode: nat(),
    step: nat(),
    tab: constantFrom(...tabIds),
    filter: name,
    sort: array(sortKey, { minLength: 1, maxLength: 3 }),
    group: name,
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

  it('keeps what the open episode is compared with', () => {
    assert(
      property(places, name, nat(), (place, source, episode) => {
        const { compare } = placeFromSearch(searchFromPlace({ ...place, compare: { source, episode } }));
        expect(compare).toEqual(place.source === undefined ? undefined : { source, episode });
      }),
    );
  });

  it('keeps the order of groups, and what they are of, as long as there are groups', () => {
    assert(
      property(places, sortKey, (place, groupSort) => {
        const read = placeFromSearch(searchFromPlace({ ...place, groupSort, pool: 'files' }));
        expect(read.groupSort).toEqual(place.group === undefined ? undefined : groupSort);
        expect(read.pool).toBe(place.group === undefined ? undefined : 'files');
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
    const search = '?page=gym&env=multi_step&panel=checklist';
    expect(placeFromSearch(search)).toMatchObject({ environment: 'multi_step', panel: 'checklist' });
    expect(searchFromPlace(placeFromSearch(search))).toBe(search);
    expect(placeFromSearch('?source=run.jsonl&env=multi_step')).not.toHaveProperty('environment');
    expect(placeFromSearch('?page=elsewhere').page).toBeUndefined();
  });
});
