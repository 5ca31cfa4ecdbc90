import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIngest } from './ingest';
import type { EpisodeRef, GroupPlaces, GroupQuery, Ingest, Result, Row, Shown, TableQuery } from './protocol';
import { testFormats } from './test-formats.fixtures';

const record = fc.record({
  reward: fc.constantFrom(0, 0.5, 1),
  task: fc.option(fc.constantFrom('1', '2', '10'), { nil: undefined }),
  t: fc.constantFrom('hay', 'needle', 'needle and needle'),
});
type Written = typeof record extends fc.Arbitrary<infer T> ? T : never;

async function searched(sources: Record<string, readonly Written[]>): Promise<Ingest> {
  const ingest = createIngest({ formats: testFormats });
  for (const [id, records] of Object.entries(sources)) {
    const text = records.map((each) => JSON.stringify(each)).join('\n');
    await ingest.open({ id, name: id, data: new Blob([text]) }, () => undefined);
  }
  const input = { id: 'find', sources: Object.keys(sources), text: 'needle' };
  await ingest.search(input, () => undefined);
  return ingest;
}

/** All results, from one to the next, and back again. */
async function walked(ingest: Ingest, shown: Shown): Promise<Result[]> {
  const all: Result[] = [];
  let at: EpisodeRef | undefined;
  for (;;) {
    const { shown: count, place, next, previous } = await ingest.results('find', shown, at);
    expect(place).toBe(all.length - 1);
    if (place > 0) expect(previous).toEqual(all[place - 1]);
    if (all.length === count) {
      expect(next).toEqual(all[0]);
      return all;
    }
    if (next === undefined) throw new Error('there is no next result');
    all.push(next);
    at = next.ref;
  }
}

const query: fc.Arbitrary<TableQuery> = fc.record(
  {
    sources: fc.constant(['a', 'b']),
    sort: fc.constantFrom<TableQuery['sort']>(
      [],
      [{ column: 'reward', descending: true }],
      [
        { column: 'metric:t', descending: false },
        { column: 'reward', descending: false },
      ],
    ),
    filter: fc.constantFrom('reward < 1', 'task = 10', 'not task = 10'),
  },
  { requiredKeys: ['sources', 'sort'] },
);

const tables = fc.record({
  a: fc.array(record, { minLength: 1, maxLength: 8 }),
  b: fc.array(record, { minLength: 1, maxLength: 8 }),
});

const hasIt = ({ cells }: Row): boolean => String(cells['metric:t']).includes('needle');
const ofRow = ({ cells }: Row): number => String(cells['metric:t']).split('needle').length - 1;

describe('what a search found', () => {
  it('is walked in the order of the rows that are shown', async () => {
    await fc.assert(
      fc.asyncProperty(tables, query, async (written, asked) => {
        const ingest = await searched(written);
        const { rows } = await ingest.rows(asked, 0, 100);
        const results = await walked(ingest, asked);
        expect(results.map(({ ref }) => ref)).toEqual(rows.filter(hasIt).map(({ ref }) => ref));
        const { found, kept, shown } = await ingest.results('find', asked);
        expect([kept, shown]).toEqual([results.length, results.length]);
        const all = await ingest.rows({ ...asked, filter: '' }, 0, 100);
        expect(found).toBe(all.rows.filter(hasIt).length);
      }),
      { numRuns: 60 },
    );
  });

  it('is walked group by group where the table is grouped', async () => {
    const order = fc.constantFrom<NonNullable<GroupQuery['sort']>>(
      { by: 'key', descending: true },
      { by: 'mean', descending: false },
    );
    await fc.assert(
      fc.asyncProperty(tables, query, order, fc.boolean(), async (written, asked, sort, apart) => {
        const ingest = await searched(written);
        const request: GroupQuery = { query: asked, by: 'task', apart, k: [], sort };
        const { groups } = await ingest.groups(request, 0, 10);
        const wanted: Result[] = [];
        const places: GroupPlaces[] = [];
        for (const [index, { key, source, n }] of groups.entries()) {
          const of = source === undefined ? {} : { source };
          const only = source === undefined ? {} : { only: source };
          const filter = asked.filter === undefined ? `task = ${key}` : `(${asked.filter}) and task = ${key}`;
          const { rows } = await ingest.rows({ ...asked, ...only, filter }, 0, 100);
          rows.forEach((row, nth) => {
            if (hasIt(row)) wanted.push({ ref: row.ref, group: { index, key, ...of, n, nth } });
          });
          places.push({ key, ...of, places: rows.reduce((sum, row) => sum + ofRow(row), 0) });
        }
        expect(await walked(ingest, request)).toEqual(wanted);
        expect(await ingest.resultsByGroup('find', request, 0, 10)).toEqual(places);
        expect(await ingest.resultsByGroup('find', request, 1, 2)).toEqual(places.slice(1, 2));
        const { kept } = await ingest.results('find', request);
        expect(kept).toBe((await ingest.rows(asked, 0, 100)).rows.filter(hasIt).length);
      }),
      { numRuns: 60 },
    );
  });

  it('begins anew behind an episode that is not shown, and is nothing before a search', async () => {
    const ingest = await searched({
      a: [
        { reward: 0, task: '1', t: 'needle' },
        { reward: 1, task: '1', t: 'needle' },
      ],
    });
    const shown = { sources: ['a'], sort: [], filter: 'reward > 0' };
    const at = { source: 'a', episode: 0 };
    const only = { ref: { source: 'a', episode: 1 } };
    expect(await ingest.results('find', shown, at)).toEqual({
      found: 2,
      kept: 1,
      shown: 1,
      place: -1,
      previous: only,
      next: only,
    });
    const none = { found: 0, kept: 0, shown: 0, place: -1 };
    expect(await ingest.results('another', shown, at)).toEqual(none);
    await ingest.search({ id: 'find', sources: ['a'], text: 'gold' }, () => undefined);
    expect(await ingest.results('find', shown, at)).toEqual(none);
  });
});
