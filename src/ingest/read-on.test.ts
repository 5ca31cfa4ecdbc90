import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createIngest } from './ingest';
import type { Extension, Ingest, SourceState } from './protocol';
import { testFormats } from './test-formats.fixtures';

afterEach(() => vi.restoreAllMocks());

/** Of every record and problem a state is sent, as if each took longer than the pause between two states. */
function everyStateIsSent(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
}

interface Reading {
  ingest: Ingest;
  last: SourceState;
  outcomes: Extension[];
}

/** Reads a file that is stopped after so many states, and taken up again each time as the page does it. */
async function read(data: Blob, stops: readonly number[]): Promise<Reading> {
  const ingest = createIngest({ formats: testFormats });
  const outcomes: Extension[] = [];
  const seen: SourceState[] = [];
  const stopped = (stop = Infinity): ((state: SourceState) => void) => {
    let count = 0;
    return (state) => {
      seen.push(state);
      if (++count === stop) void ingest.cancel('run');
    };
  };
  const open = (stop?: number) => ingest.open({ id: 'run', name: 'run', data }, stopped(stop));
  const [first, ...rest] = stops;
  await open(first);
  for (const stop of [...rest, undefined]) {
    if (seen.at(-1)?.readOn === undefined) break;
    const { readOn, episodes = 0 } = seen.at(-1) ?? {};
    const outcome = await ingest.extend('run', data, stopped(stop));
    outcomes.push(outcome);
    expect(outcome).toBe(readOn === 'on' ? 'extended' : 'whole');
    if (outcome === 'whole') await open(stop);
    // What was there stays.
    else expect(seen.at(-1)?.episodes).toBeGreaterThanOrEqual(episodes);
  }
  const last = seen.at(-1);
  if (last === undefined) throw new Error('No state came');
  return { ingest, last, outcomes };
}

/** Everything a person can see of a source. */
async function shown({ ingest, last }: Reading): Promise<unknown> {
  const { rows } = await ingest.rows({ sources: ['run'], sort: [] }, 0, 1000);
  const raw = await Promise.all(rows.map(({ ref }) => ingest.raw(ref)));
  const episodes = await Promise.all(rows.map(({ ref }) => ingest.episode(ref)));
  return { last, rows, raw, episodes, problems: await ingest.problems('run') };
}

const lineKinds = fc.oneof(
  { weight: 4, arbitrary: fc.nat(99).map((reward) => `${JSON.stringify({ reward, text: 'ü😀' })}\n`) },
  fc.constantFrom('\n', '  \r\n', '{"reward": 1,\n', 'no json\n', '\uFEFF{"reward":2}\r\n', '{"a": [1]}\n'),
  // Several episodes, none, an importer with a bug, and what another format claims by itself.
  fc.constantFrom(
    '{"reward":3,"episodes":[1,2]}\n',
    '{"episodes":[{},{}]}\n',
    '{"episodes":[]}\n',
    '{"explode":1}\n',
  ),
  // More than the layout is decided on.
  { weight: 1, arbitrary: fc.constant(`{"reward":4,"text":"${'long '.repeat(30_000)}"}\n`) },
);

describe('a reading that was stopped', () => {
  it('shows the same when it is taken up as if it had never been stopped', async () => {
    everyStateIsSent();
    let extended = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', '{"reward":0}\n{"reward":1}\n'),
        fc.array(lineKinds, { maxLength: 24 }),
        fc.constantFrom('', '{"reward": 5}', '{"reward": 5', 'no json'),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
        async (start, lines, end, stops) => {
          const data = new Blob([start, ...lines, end]);
          const whole = await read(data, []);
          const taken = await read(data, stops);
          expect(await shown(taken)).toEqual(await shown(whole));
          extended += taken.outcomes.filter((outcome) => outcome === 'extended').length;
        },
      ),
      { numRuns: 200 },
    );
    expect(extended).toBeGreaterThan(100);
  });

  it('is read from its start where its records are not one per line, or came out of a container', async () => {
    everyStateIsSent();
    const records = Array.from({ length: 20 }, (_, reward) => ({ reward }));
    const lines = records.map((record) => JSON.stringify(record)).join('\n');
    for (const [text, stop] of [
      [JSON.stringify(records), 6],
      [JSON.stringify(records, undefined, 2), 6],
      [records.map((record) => JSON.stringify(record, undefined, 2)).join('\n'), 6],
      // Its only record comes at its end.
      [lines.replaceAll('reward', 'session'), 3],
      [new Uint8Array(gzipSync(lines)), 6],
    ] as const) {
      const data = new Blob([text]);
      const whole = await read(data, []);
      const taken = await read(data, [stop]);
      expect(taken.outcomes).toEqual(['whole']);
      expect(await shown(taken)).toEqual(await shown(whole));
    }
  });

  it('is taken up once, however often that is asked for at the same time', async () => {
    everyStateIsSent();
    const data = new Blob(Array.from({ length: 20 }, (_, reward) => `{"reward":${reward}}\n`));
    const ingest = createIngest({ formats: testFormats });
    let states = 0;
    await ingest.open({ id: 'run', name: 'run', data }, () => {
      if (++states === 6) void ingest.cancel('run');
    });
    await Promise.all([1, 2].map(() => ingest.extend('run', data, () => undefined)));
    expect((await ingest.rows({ sources: ['run'], sort: [] }, 0, 100)).total).toBe(20);
  });
});
