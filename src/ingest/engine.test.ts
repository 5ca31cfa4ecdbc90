import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Format } from '../formats';
import { passAtK } from './groups';
import { createIngest } from './ingest';
import type { Ingest, SearchState } from './protocol';
import { MemorySpool } from './spool';
import { groups, testFormats } from './test-formats.fixtures';

async function opened(sources: Readonly<Record<string, readonly unknown[]>>): Promise<Ingest> {
  const ingest = createIngest({ formats: testFormats });
  for (const [id, records] of Object.entries(sources)) {
    const data = new Blob([records.map((record) => `${JSON.stringify(record)}\n`).join('')]);
    await ingest.open({ id, name: id, data }, () => undefined);
  }
  return ingest;
}

describe('filtered rows', () => {
  it('are those the filter is true for, in the order of the query', async () => {
    const ingest = await opened({
      a: [{ reward: 1, tag: 'x' }, { reward: 0.2, tag: 'y' }, { reward: 0.4 }],
      b: [{ reward: 0.1, tag: 'X' }],
    });
    const rewards = async (filter: string): Promise<unknown[]> => {
      const query = { sources: ['a', 'b'], sort: [{ column: 'reward', descending: false }], filter };
      const { rows, total } = await ingest.rows(query, 0, 10);
      expect(total).toBe(rows.length);
      for (const [place, row] of rows.entries()) expect(await ingest.position(query, row.ref)).toBe(place);
      return rows.map(({ cells }) => cells['reward']);
    };
    expect(await rewards('reward < 0.5')).toEqual([0.1, 0.2, 0.4]);
    expect(await rewards('tag:x')).toEqual([0.1, 1]);
    expect(await rewards('tag is missing')).toEqual([0.4]);
    expect(await rewards('source = b')).toEqual([0.1]);
    expect(await rewards('reward < ')).toHaveLength(4);
    const query = { sources: ['a', 'b'], sort: [], filter: 'reward = 1' };
    expect(await ingest.position(query, { source: 'b', episode: 0 })).toBe(-1);
    expect(await ingest.checkFilter(['a'], 'reward < ')).toEqual({
      fault: { message: 'A value must follow', start: 7, end: 8 },
    });
    expect(await ingest.checkFilter(['a'], 'reward < 1')).toEqual({});
    expect((await ingest.checkFilter(['a'], 'reward')).hint).toMatch(/looks for the word reward/);
    expect((await ingest.completeFilter(['a'], 'tag:', 4)).map(({ text }) => text)).toEqual(['x', 'y']);
  });
});

describe('facets', () => {
  it('count every row of the query once', async () => {
    const cell = fc.option(
      fc.oneof(
        fc.double({ noNaN: true }),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 0, max: 24 }).map((part) => part / 24),
        fc.integer({ min: 0, max: 86_400 }).map((second) => 1.73e9 + second),
        fc.boolean(),
        fc.constantFrom('p', 'q'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { maxLength: 60 }), async (cells) => {
        // Through JSON, which has no infinities and no -0.
        const written: (typeof cells)[number][] = JSON.parse(JSON.stringify(cells));
        const ingest = await opened({ a: written.map((x) => ({ reward: 1, x })) });
        const { rows, missing, numbers, values, distinct } = await ingest.facet(
          { sources: ['a'], sort: [] },
          'metric:x',
        );
        const filled = written.filter((x) => x !== null);
        expect([rows, missing, distinct]).toEqual([
          written.length,
          written.length - filled.length,
          new Set(filled).size,
        ]);
        const finite = filled.filter((x) => typeof x !== 'string').map(Number);
        expect(numbers?.count ?? 0).toBe(finite.length);
        for (const { value, count } of values) expect(count).toBe(filled.filter((x) => x === value).length);
        if (numbers === undefined) return;
        expect([numbers.min, numbers.max]).toEqual([Math.min(...finite), Math.max(...finite)]);
        numbers.bins.forEach(({ from, to, count }, bin) => {
          const last = bin === numbers.bins.length - 1;
          expect(count).toBe(finite.filter((x) => x >= from && (last ? x <= to : x < to)).length);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('have edges a person can read', async () => {
    const thirds = [0, 1 / 3, 2 / 3, 2 / 3, 1];
    const ingest = await opened({ a: thirds.map((reward) => ({ reward })) });
    const { numbers } = await ingest.facet({ sources: ['a'], sort: [] }, 'reward');
    expect(numbers?.bins[7]).toEqual({ from: 0.291667, to: 0.333333, count: 0 });
    expect(numbers?.bins.filter(({ count }) => count > 0).map(({ count }) => count)).toEqual([1, 1, 2, 1]);
  });

  it('list the commonest values of all sources, and of equals the first that came', async () => {
    const cell = fc.oneof(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 70 }).map(String));
    const cells = fc.array(cell, { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(cells, cells, fc.integer({ min: 0, max: 3 }), async (a, b, least) => {
        const written = {
          a: a.map((x, nth) => ({ reward: nth % 4, x })),
          b: b.map((x, nth) => ({ reward: nth % 4, x })),
        };
        const ingest = await opened(written);
        const query = { sources: ['a', 'b'], sort: [], filter: `reward >= ${least}` };
        const { values } = await ingest.facet(query, 'metric:x');
        const counts = new Map<string | number, number>();
        for (const { reward, x } of [...written.a, ...written.b]) {
          if (reward >= least) counts.set(x, (counts.get(x) ?? 0) + 1);
        }
        const sorted = [...counts].sort(([, one], [, other]) => other - one);
        expect(values).toEqual(sorted.slice(0, 50).map(([value, count]) => ({ value, count })));
      }),
      { numRuns: 30 },
    );
  });
});

describe('groups', () => {
  it('have the statistics of their rewards', async () => {
    const ingest = await opened({
      a: [
        { task: '10', reward: 1 },
        { task: '9', reward: 0.5 },
        { task: '10', reward: 0 },
        { reward: 7 },
        { task: '9', reward: 0.5 },
        { task: '11', reward: null },
      ],
      b: [{ task: '10', reward: 2 }],
    });
    const query = { sources: ['a', 'b'], sort: [] };
    const { total, groups } = await ingest.groups({ query, k: [1, 2, 4] }, 0, 10);
    expect(total).toBe(3);
    expect(groups).toEqual([
      {
        key: '9',
        n: 2,
        rewarded: 2,
        mean: 0.5,
        best: 0.5,
        worst: 0.5,
        variance: 0,
        passed: 0,
        passAt: [0, 0, undefined],
        zeroVariance: true,
        first: { source: 'a', episode: 1 },
      },
      {
        key: '10',
        n: 3,
        rewarded: 3,
        mean: 1,
        best: 2,
        worst: 0,
        variance: 2 / 3,
        passed: 2,
        passAt: [expect.closeTo(2 / 3), 1, undefined],
        zeroVariance: false,
        first: { source: 'a', episode: 0 },
      },
      {
        key: '11',
        n: 1,
        rewarded: 0,
        passed: 0,
        passAt: [undefined, undefined, undefined],
        zeroVariance: false,
        first: { source: 'a', episode: 5 },
      },
    ]);
    const byMean = await ingest.groups({ query, k: [], sort: { by: 'mean', descending: true } }, 0, 2);
    expect(byMean.groups.map(({ key }) => key)).toEqual(['10', '9']);
    const byPass = await ingest.groups({ query, k: [4, 2], sort: { by: 'pass@2', descending: false } }, 0, 3);
    expect(byPass.groups.map(({ key }) => key)).toEqual(['9', '10', '11']);
  });

  it('estimate pass@k as the share of all draws in which one passes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
        fc.integer({ min: 1, max: 8 }),
        (rollouts, k) => {
          let [draws, passing] = [0, 0];
          for (let chosen = 0; chosen < 2 ** rollouts.length; chosen++) {
            const drawn = rollouts.filter((_, i) => (chosen >> i) % 2 === 1);
            if (drawn.length !== k) continue;
            draws += 1;
            if (drawn.some(Boolean)) passing += 1;
          }
          const estimate = passAtK(rollouts.length, rollouts.filter(Boolean).length, k);
          if (draws === 0) expect(estimate).toBeUndefined();
          else expect(estimate).toBeCloseTo(passing / draws);
        },
      ),
    );
  });
});

async function found(ingest: Ingest, text: string, matchCase = false): Promise<SearchState | undefined> {
  let last: SearchState | undefined;
  const input = { id: 'find', sources: ['a', 'b'], text, matchCase };
  await ingest.search(input, (state) => (last = state));
  return last;
}

/** As Python writes it. */
function escaped(text: string): string {
  return text.replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Is given back while it is read, and cannot be read any more then, as a file cannot. */
class BrittleSpool extends MemorySpool {
  private gone = false;
  private readonly close: () => Promise<void>;

  constructor(close: () => Promise<void>) {
    super();
    this.close = close;
  }

  override async read(start: number, end: number): Promise<Uint8Array> {
    // Not yet when what was read is looked at once more.
    if (start > 0 && end < this.length) await this.close();
    if (this.gone) throw new Error('the file is closed');
    return super.read(start, end);
  }

  override async dispose(): Promise<void> {
    this.gone = true;
    await super.dispose();
  }
}

describe('search', () => {
  it('finds text in records, however it is written', async () => {
    const ingest = createIngest({ formats: testFormats });
    const lines = [
      '{"reward":1,"t":"A Caf\\u00e9/ \\"x\\""}',
      '{"reward":2}',
      '{"reward":3,"t":"café\\/ café/ \\n"}',
    ];
    await ingest.open({ id: 'a', name: 'a', data: new Blob([lines.join('\n')]) }, () => undefined);
    const state = await found(ingest, 'café/');
    expect(state).toMatchObject({
      phase: 'done',
      matches: 3,
      found: [
        { ref: { source: 'a', episode: 0 }, matches: 1 },
        { ref: { source: 'a', episode: 2 }, matches: 2 },
      ],
    });
    expect(state?.bytesRead).toBe(state?.bytesTotal);
    expect((await found(ingest, 'Café/', true))?.matches).toBe(1);
    expect((await found(ingest, '"x"'))?.matches).toBe(1);
    expect((await found(ingest, ''))?.matches).toBe(0);
  });

  it('finds letters outside ASCII whatever their case', async () => {
    const ingest = createIngest({ formats: testFormats });
    const texts = ['über Köln', 'Über Köln', 'ÜBER KÖLN'];
    const lines = texts.flatMap((t) => [`{"t":"${t}"}`, `{"t":"${escaped(t)}"}`]);
    await ingest.open({ id: 'a', name: 'a', data: new Blob([lines.join('\n')]) }, () => undefined);
    for (const text of texts) {
      const state = await found(ingest, text);
      expect(state).toMatchObject({ matches: 6 });
      expect(state?.found.map(({ ref }) => ref.episode)).toEqual([0, 1, 2, 3, 4, 5]);
      expect((await found(ingest, text, true))?.matches).toBe(2);
    }
  });

  it('tells the episodes of one record apart', async () => {
    const ingest = await opened({
      a: [
        { episodes: [{ t: 'straw' }, { t: 'a needle, a needle' }, { t: 'Needle' }], note: 'straw and hay' },
        { episodes: [{ t: 'straw' }, { t: 'needle' }] },
        { reward: 1, t: 'needle' },
      ],
    });
    const rowsOf = async (text: string) =>
      (await found(ingest, text))?.found.map(({ ref, matches }) => [ref.episode, matches]);
    expect(await rowsOf('needle')).toEqual([
      [1, 2],
      [2, 1],
      [4, 1],
      [5, 1],
    ]);
    expect(await rowsOf('straw')).toEqual([
      [0, 1],
      [3, 1],
    ]);
    // It is in no episode of the record.
    expect(await rowsOf('hay')).toEqual([[0, 1]]);
  });

  it('goes on where an episode of several cannot be made', async () => {
    const brittle: Format = {
      ...groups,
      episode: (record, nth) => {
        if (nth === 1) throw new Error('broken');
        return groups.episode(record, nth);
      },
    };
    const ingest = createIngest({ formats: [brittle] });
    const data = new Blob([JSON.stringify({ episodes: [{ t: 'straw' }, { t: 'needle' }, { t: 'needle' }] })]);
    await ingest.open({ id: 'a', name: 'a', data }, () => undefined);
    const state = await found(ingest, 'needle');
    expect(state).toMatchObject({ phase: 'done', found: [{ ref: { episode: 2 }, matches: 1 }] });
  });

  it('waits for what is still being read, and finds all of it', async () => {
    const line = `{"reward":1,"t":"needle ${'x'.repeat(2000)}"}\n`;
    for (const data of [line.repeat(3000), new Uint8Array(gzipSync(line.repeat(3000)))]) {
      const ingest = createIngest({ formats: testFormats });
      const reading = ingest.open({ id: 'a', name: 'a', data: new Blob([data]) }, () => undefined);
      const states: SearchState[] = [];
      await ingest.search({ id: 's', text: 'needle', sources: ['a'] }, (state) => states.push(state));
      expect(states.some(({ waiting }) => waiting)).toBe(true);
      const state = states.at(-1);
      expect(state).toMatchObject({ phase: 'done', matches: 3000 });
      expect(state).not.toHaveProperty('waiting');
      expect(state?.bytesRead).toBe(state?.bytesTotal);
      await reading;
    }
  });

  it('looks at no more than was read before a cancel', async () => {
    const line = `{"reward":1,"t":"needle ${'x'.repeat(2000)}"}\n`;
    const data = new Blob([line.repeat(5000)]);
    const ingest = createIngest({ formats: testFormats });
    let episodes = 0;
    await ingest.open({ id: 'a', name: 'a', data }, (state) => {
      ({ episodes } = state);
      if (episodes > 0) void ingest.cancel('a');
    });
    expect(episodes).toBeLessThan(5000);
    const state = await found(ingest, 'needle');
    const bytes = episodes * line.length - 1;
    expect(state).toMatchObject({ matches: episodes, bytesRead: bytes, bytesTotal: bytes });
  });

  it('ends quietly where the source is closed meanwhile', async () => {
    const line = `{"reward":1,"t":"needle ${'x'.repeat(2000)}"}\n`;
    const data = new Blob([new Uint8Array(gzipSync(line.repeat(3000)))]);
    const ingest: Ingest = createIngest({
      formats: testFormats,
      spool: () => new BrittleSpool(() => ingest.close('a')),
    });
    await ingest.open({ id: 'a', name: 'a', data }, () => undefined);
    const state = await found(ingest, 'needle');
    expect(state?.phase).toBe('done');
    expect(state?.matches).toBeLessThan(3000);
  });

  it('says which file cannot be searched any more', async () => {
    class Changed extends Blob {
      override slice(): Blob {
        throw new Error('network error');
      }

      override stream(): ReturnType<Blob['stream']> {
        if (read) throw new Error('network error');
        return super.stream();
      }
    }
    let read = false;
    const ingest = createIngest({ formats: testFormats });
    const data = new Changed(['{"reward":1}']);
    await ingest.open({ id: 'a', name: 'run.jsonl', data }, () => undefined);
    read = true;
    await expect(found(ingest, 'reward')).rejects.toThrow(/run\.jsonl has changed .*network error.* again/);
  });

  it('does not find what stands in no record', async () => {
    const ingest = createIngest({ formats: testFormats });
    const text = '{"reward":1}\nno JSON here\n{"reward":2,"t":"JSON"}\n';
    await ingest.open({ id: 'a', name: 'a', data: new Blob([text]) }, () => undefined);
    expect(await found(ingest, 'JSON')).toMatchObject({
      matches: 1,
      found: [{ ref: { source: 'a', episode: 1 }, matches: 1 }],
    });
  });

  it('can be cancelled, and is by the next of its name', async () => {
    const many = Array.from({ length: 40_000 }, () => ({ reward: 1, text: 'needle in a haystack of straw' }));
    const ingest = await opened({ a: many });
    const phases: string[] = [];
    const first = ingest.search({ id: 'find', sources: ['a'], text: 'needle' }, ({ phase }) =>
      phases.push(phase),
    );
    const second = found(ingest, 'straw');
    await first;
    expect(phases.at(-1)).toBe('cancelled');
    expect((await second)?.matches).toBe(40_000);

    let last: SearchState | undefined;
    const third = ingest.search({ id: 'other', sources: ['a'], text: 'straw' }, (state) => (last = state));
    await ingest.cancelSearch('other');
    await third;
    expect(last?.phase).toBe('cancelled');
  });
});
