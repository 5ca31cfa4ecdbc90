import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passAtK } from './groups';
import { createIngest } from './ingest';
import { sourceOrder, type GroupQuery, type Ingest, type TableQuery } from './protocol';
import { testFormats } from './test-formats.fixtures';

const record = fc.record(
  {
    task: fc.option(fc.constantFrom('1', '2', '10'), { nil: null }),
    reward: fc.option(fc.constantFrom(0, 0.5, 1), { nil: null }),
    steps: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: ['task', 'reward'] },
);
const records = fc.array(record, { minLength: 1, maxLength: 12 });
const sources = ['b.jsonl', 'a.jsonl'];

async function opened(written: readonly (readonly object[])[]): Promise<Ingest> {
  const ingest = createIngest({ formats: testFormats });
  for (const [nth, id] of sources.entries()) {
    const text = written[nth]?.map((each) => `${JSON.stringify(each)}\n`).join('') ?? '';
    // Two files of one name are two files.
    await ingest.open({ id, name: 'rollouts.jsonl', data: new Blob([text]) }, () => undefined);
  }
  return ingest;
}

const request = (query: Partial<TableQuery>, rest: Partial<GroupQuery> = {}): GroupQuery => ({
  query: { sources, sort: [], ...query },
  k: [1, 2, 3],
  ...rest,
});

describe('groups apart by source', () => {
  it('are those that each source has alone', async () => {
    await fc.assert(
      fc.asyncProperty(records, records, fc.boolean(), async (one, other, descending) => {
        const ingest = await opened([one, other]);
        const sort = { by: 'key', descending } as const;
        const { groups } = await ingest.groups(request({}, { apart: true, sort }), 0, 100);
        for (const source of sources) {
          const alone = await ingest.groups(request({ sources: [source] }, { apart: true, sort }), 0, 100);
          expect(groups.filter((group) => group.source === source)).toEqual(alone.groups);
        }
        // Equal tasks stand together, in the order of the sources.
        const places = groups.map(({ key, source }) => Number(key) * 2 + sources.indexOf(source ?? ''));
        expect(places).toEqual(places.toSorted((a, b) => (descending ? b - a : a - b)));
        const pooled = await ingest.groups(request({}), 0, 100);
        expect(pooled.groups.every((group) => !('source' in group))).toBe(true);
        expect(new Set(groups.map(({ key }) => key)).size).toBe(pooled.total);
      }),
      { numRuns: 50 },
    );
  });

  it('have the rows of their task and source, one group behind the other in the order of a sort', async () => {
    await fc.assert(
      fc.asyncProperty(records, records, fc.boolean(), async (one, other, descending) => {
        const ingest = await opened([one, other]);
        const sort = [{ column: 'metric:steps', descending: false }];
        const asked = request({ sort }, { apart: true, sort: { by: 'key', descending } });
        const { groups, all } = await ingest.groups(asked, 0, 100);
        const members = [];
        for (const { key, source = '', n } of groups) {
          const own = await ingest.rows({ sources, sort, filter: `task = ${key}`, only: source }, 0, 100);
          expect(own.total).toBe(n);
          expect(own.rows.every(({ ref }) => ref.source === source)).toBe(true);
          members.push(...own.rows);
        }
        const through = [{ column: 'task', descending }, { column: sourceOrder, descending }, ...sort];
        const { rows, total } = await ingest.rows({ sources, sort: through }, 0, 100);
        expect(rows.slice(0, members.length)).toEqual(members);
        expect([all.n, all.ungrouped]).toEqual([members.length, total - members.length]);
      }),
      { numRuns: 50 },
    );
  });

  it('keep the meaning a filter has for all sources', async () => {
    const ingest = await opened([[{ task: '1', steps: 1 }, { task: '1' }], [{ task: '1', speed: 2 }]]);
    const query = { sources, sort: [], filter: 'not speed > 1 and steps = 1' };
    expect((await ingest.rows({ ...query, only: 'b.jsonl' }, 0, 9)).total).toBe(1);
    expect((await ingest.rows({ ...query, only: 'a.jsonl' }, 0, 9)).total).toBe(0);
    expect((await ingest.rows({ ...query, only: 'c.jsonl' }, 0, 9)).total).toBe(0);
  });
});

describe('all groups together', () => {
  it('are the mean over groups of pass@k, and over rollouts of the reward', async () => {
    await fc.assert(
      fc.asyncProperty(records, records, fc.boolean(), async (one, other, apart) => {
        const ingest = await opened([one, other]);
        const { groups, all } = await ingest.groups(request({}, { apart }), 0, 100);
        const rewards = [...one, ...other].flatMap(({ task, reward }) =>
          task === null || reward === null ? [] : [reward],
        );
        expect(all.rewarded).toBe(rewards.length);
        if (rewards.length === 0) expect(all.mean).toBeUndefined();
        else expect(all.mean).toBeCloseTo(rewards.reduce<number>((a, b) => a + b, 0) / rewards.length, 11);
        all.passAt.forEach((passAt, nth) => {
          const known = groups.flatMap((group) => group.passAt[nth] ?? []);
          expect(known).toHaveLength(groups.filter(({ rewarded }) => rewarded > nth).length);
          expect(passAt.groups).toBe(known.length);
          if (known.length === 0) expect(passAt.mean).toBeUndefined();
          else expect(passAt.mean).toBeCloseTo(known.reduce((a, b) => a + b) / known.length, 11);
        });
        expect(all.zeroVariance).toBe(groups.filter(({ zeroVariance }) => zeroVariance).length);
      }),
      { numRuns: 50 },
    );
  });

  it('are without what rounding adds to a sum', async () => {
    const ingest = await opened([
      [0.1, 0.2, 0.3].map((reward, task) => ({ task: String(task), reward })),
      [],
    ]);
    expect((await ingest.groups(request({}), 0, 9)).all.mean).toBe(0.2);
  });

  it('are those of the rows a filter leaves', async () => {
    const ingest = await opened([[{ task: '1', reward: 0 }, { reward: 1 }], [{ task: '1', reward: 1 }]]);
    const { all } = await ingest.groups(request({ filter: 'reward = 1' }), 0, 9);
    expect(all).toEqual({
      n: 1,
      ungrouped: 1,
      rewarded: 1,
      mean: 1,
      passAt: [{ mean: 1, groups: 1 }, { groups: 0 }, { groups: 0 }],
      zeroVariance: 0,
    });
  });
});

function choose(n: number, k: number): bigint {
  let ways = 1n;
  for (let i = 0; i < k; i++) ways = (ways * BigInt(n - i)) / BigInt(i + 1);
  return ways;
}

describe('pass@k', () => {
  it('is the fraction that whole numbers give', () => {
    const counts = fc
      .integer({ min: 1, max: 300 })
      .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n }), fc.integer({ min: 1, max: n })));
    fc.assert(
      fc.property(counts, ([n, c, k]) => {
        const draws = choose(n, k);
        const passing = draws - (n - c < k ? 0n : choose(n - c, k));
        const estimate = passAtK(n, c, k) ?? NaN;
        const exact = Number((passing * 10n ** 18n) / draws) / 1e18;
        expect(Math.abs(estimate - exact)).toBeLessThan(1e-11);
        // What thousandths say exactly is nothing else, however it is rounded from there: 0.625, never 0.6249.
        if ((passing * 1000n) % draws === 0n) expect(estimate).toBe(Number((passing * 1000n) / draws) / 1000);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the share that passes where one is drawn', () => {
    for (let n = 1; n <= 200; n++) for (let c = 0; c <= n; c++) expect(passAtK(n, c, 1)).toBe(c / n);
  });

  it('does not overflow, and takes no longer for many rollouts', () => {
    expect(passAtK(1_000_000, 500_000, 1)).toBe(0.5);
    expect(passAtK(1_000_000, 500_000, 400_000)).toBe(1);
    expect(passAtK(1_000_000, 1, 1000)).toBe(0.001);
    expect(passAtK(2000, 2, 1000)).toBeCloseTo(1 - (1000 * 999) / (2000 * 1999), 12);
  });
});
