import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIngest } from './ingest';
import type { Ingest, SourceState } from './protocol';
import { testFormats } from './test-formats.fixtures';

function ingestOf(): Ingest {
  return createIngest({ formats: testFormats });
}

async function opened(ingest: Ingest, id: string, text: string): Promise<SourceState[]> {
  const states: SourceState[] = [];
  await ingest.open({ id, name: `${id}.jsonl`, data: new Blob([text]) }, (state) => states.push(state));
  return states;
}

const all = { sources: ['run'], sort: [] };

describe('createIngest', () => {
  it('says how far it is, and ends ready', async () => {
    const text = '{"reward":1}\n{"episodes":[{},{}]}\noops\n';
    const states = await opened(ingestOf(), 'run', text);
    expect(states[0]).toEqual({
      id: 'run',
      name: 'run.jsonl',
      phase: 'reading',
      bytesRead: 0,
      bytesTotal: text.length,
      records: 0,
      episodes: 0,
      problems: 0,
    });
    expect(states.at(-1)).toEqual({
      id: 'run',
      name: 'run.jsonl',
      phase: 'ready',
      format: { id: 'group', name: 'The group format' },
      bytesRead: text.length,
      bytesTotal: text.length,
      records: 2,
      episodes: 3,
      problems: 1,
    });
  });

  it('fails with a reason and what to do', async () => {
    const states = await opened(ingestOf(), 'run', '');
    expect(states.at(-1)).toMatchObject({ phase: 'failed', failure: { what: 'This file is empty.' } });
  });

  it('sends no flood of states', async () => {
    const started = performance.now();
    const states = await opened(ingestOf(), 'run', '{"reward":1}\n'.repeat(50_000));
    const seconds = (performance.now() - started) / 1000;
    expect(states.length).toBeLessThanOrEqual(3 + seconds * 10);
    expect(states.at(-1)?.episodes).toBe(50_000);
  });

  it('reads the same record again that it read first', async () => {
    const value = fc
      .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
      .map((rest) => ({ ...rest, reward: 1 }));
    const end = fc.constantFrom('\n', '\r\n', '\n\n', ' \r\n\uFEFF');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, end), { minLength: 1, maxLength: 8 }), async (lines) => {
        const ingest = ingestOf();
        const text = `\uFEFF${lines.map(([value, end]) => JSON.stringify(value) + end).join('')}`;
        await opened(ingest, 'run', text);
        for (const [index, [value]] of lines.entries()) {
          const ref = { source: 'run', episode: index };
          const raw = await ingest.raw(ref);
          expect(raw?.text).toBe(JSON.stringify(value));
          expect(await new Blob([text]).slice(raw?.byteStart, raw?.byteEnd).text()).toBe(raw?.text);
          const episode = await ingest.episode(ref);
          expect(episode).toMatchObject({ id: `${index}:0`, format: 'rollout' });
          expect(episode?.outcome.verdict).toBe(JSON.stringify(JSON.parse(JSON.stringify(value))));
        }
        expect(await ingest.raw({ source: 'run', episode: lines.length })).toBeUndefined();
        expect(await ingest.episode({ source: 'other', episode: 0 })).toBeUndefined();
      }),
      { numRuns: 40 },
    );
  });

  it('opens each episode of a record, and one made of all records', async () => {
    const ingest = ingestOf();
    await opened(ingest, 'run', '{"episodes":["a","b"]}\n{"episodes":["c"]}');
    const verdicts = [];
    for (const episode of [0, 1, 2]) {
      verdicts.push((await ingest.episode({ source: 'run', episode }))?.outcome.verdict);
    }
    expect(verdicts).toEqual(['"a"', '"b"', '"c"']);

    await opened(ingest, 'session', '{"session":1}\n{"session":2}\n');
    const whole = await ingest.episode({ source: 'session', episode: 0 });
    expect(whole?.outcome.verdict).toBe('[{"session":1},{"session":2}]');
    expect((await ingest.raw({ source: 'session', episode: 0 }))?.text).toBe('{"session":1}\n{"session":2}');
  });

  it('keeps an opened episode', async () => {
    const ingest = ingestOf();
    await opened(ingest, 'run', '{"reward":1}');
    const ref = { source: 'run', episode: 0 };
    expect(await ingest.episode(ref)).toBe(await ingest.episode(ref));
  });

  it('sorts, windows and finds rows', async () => {
    const ingest = ingestOf();
    await opened(ingest, 'a', [3, 1, 2].map((reward) => JSON.stringify({ reward })).join('\n'));
    await opened(ingest, 'b', [2, 5].map((reward) => JSON.stringify({ reward })).join('\n'));
    const query = { sources: ['b', 'a', 'gone'], sort: [{ column: 'reward', descending: true }] };
    const { total, rows } = await ingest.rows(query, 1, 4);
    expect(total).toBe(5);
    expect(rows.map(({ ref, cells }) => [ref.source, ref.episode, cells['reward']])).toEqual([
      ['a', 0, 3],
      ['b', 0, 2],
      ['a', 2, 2],
    ]);
    expect(await ingest.position(query, { source: 'a', episode: 2 })).toBe(3);
    expect(await ingest.position(query, { source: 'gone', episode: 0 })).toBe(-1);
    expect((await ingest.rows(query, -3, 1)).rows).toHaveLength(1);
    expect((await ingest.rows(query, 4, 100)).rows).toHaveLength(1);
  });

  it('keeps the rows read before a cancel', async () => {
    const ingest = ingestOf();
    const states: SourceState[] = [];
    const data = new Blob(['{"reward":1}\n'.repeat(80_000)]);
    let cancelling: Promise<void> | undefined;
    const reading = ingest.open({ id: 'run', name: 'run', data }, (state) => {
      states.push(state);
      if (state.episodes > 0) cancelling ??= ingest.cancel('run');
    });
    await reading;
    await cancelling;
    const last = states.at(-1);
    expect(last?.phase).toBe('cancelled');
    expect(last?.episodes).toBeGreaterThan(0);
    expect(last?.episodes).toBeLessThan(80_000);
    const { total } = await ingest.rows(all, 0, 0);
    expect(total).toBe(last?.episodes);
    expect(await ingest.episode({ source: 'run', episode: total - 1 })).toBeDefined();
  });

  it('answers while it is reading', async () => {
    const ingest = ingestOf();
    const totals: Promise<number>[] = [];
    const data = new Blob(['{"reward":1}\n'.repeat(60_000)]);
    await ingest.open({ id: 'run', name: 'run', data }, (state) => {
      if (state.phase === 'reading') totals.push(ingest.rows(all, 0, 5).then(({ total }) => total));
    });
    const seen = await Promise.all(totals);
    expect(seen.some((total) => total > 0 && total < 60_000)).toBe(true);
    expect((await ingest.rows(all, 0, 0)).total).toBe(60_000);
  });

  it('says nothing more of a source that was closed or replaced', async () => {
    const ingest = ingestOf();
    const data = new Blob(['{"reward":1}\n'.repeat(30_000)]);
    const states: SourceState[] = [];
    const first = ingest.open({ id: 'run', name: 'old', data }, (state) => states.push(state));
    const second = opened(ingest, 'run', '{"reward":7}');
    await Promise.all([first, second]);
    expect(states.map(({ phase }) => phase)).toEqual(['reading']);
    const { rows, total } = await ingest.rows(all, 0, 1);
    expect([total, rows[0]?.cells['reward']]).toEqual([1, 7]);

    await ingest.close('run');
    expect(await ingest.rows(all, 0, 1)).toEqual({ total: 0, rows: [] });
    expect(await ingest.problems('run')).toEqual([]);
    await ingest.cancel('run');
  });

  it('keeps only so many problems, and counts them all', async () => {
    const ingest = ingestOf();
    const states = await opened(ingest, 'run', `{"reward":1}\n${'x\n'.repeat(12_000)}`);
    expect(states.at(-1)?.problems).toBe(12_000);
    expect(await ingest.problems('run')).toHaveLength(10_000);
  });
});
