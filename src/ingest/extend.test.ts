import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIngest } from './ingest';
import type { Ingest, SourceState } from './protocol';
import { testFormats } from './test-formats.fixtures';

const line = (reward: number): string => `${JSON.stringify({ reward, text: 'ü😀' })}\n`;

async function opened(text: string | Uint8Array<ArrayBuffer>): Promise<{
  ingest: Ingest;
  last: () => SourceState | undefined;
  extend: (text: string) => Promise<string>;
}> {
  const ingest = createIngest({ formats: testFormats });
  let last: SourceState | undefined;
  const note = (state: SourceState): void => void (last = state);
  await ingest.open({ id: 'run', name: 'run', data: new Blob([text]) }, note);
  return { ingest, last: () => last, extend: (text) => ingest.extend('run', new Blob([text]), note) };
}

/** Everything a person can see of a source's rows. */
async function seen(ingest: Ingest): Promise<unknown> {
  const { total, rows } = await ingest.rows({ sources: ['run'], sort: [] }, 0, 1000);
  const raw = await Promise.all(rows.map(({ ref }) => ingest.raw(ref)));
  return { total, rows, raw, problems: await ingest.problems('run') };
}

describe('a file that grows', () => {
  it('shows the same, whether it was read at once or as it came', async () => {
    const kinds = fc.oneof(
      fc.nat(99).map(line),
      fc.constantFrom('\n', '  \n', '{"reward": 1,\n', 'no json\n', '{"reward":2}\r\n'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(kinds, { maxLength: 12 }),
        fc.array(fc.nat(400), { maxLength: 4 }),
        async (more, cuts) => {
          const text = line(0) + line(1) + more.join('');
          const bytes = new TextEncoder().encode(text);
          const ends = [...cuts.map((cut) => Math.min(line(0).length + cut, bytes.length)), bytes.length];
          ends.sort((a, b) => a - b);
          const [first = 0, ...rest] = ends;
          const grown = await opened(bytes.slice(0, first));
          for (const end of rest) {
            const outcome = await grown.ingest.extend(
              'run',
              new Blob([bytes.slice(0, end)]),
              () => undefined,
            );
            expect(outcome).toBe('extended');
          }
          const whole = await opened(bytes);
          expect(await seen(grown.ingest)).toEqual(await seen(whole.ingest));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('begins empty and is read once there is something in it', async () => {
    const { extend, last } = await opened('');
    expect(last()).toMatchObject({ phase: 'failed' });
    expect(await extend(line(1) + line(2))).toBe('extended');
    expect(last()).toMatchObject({ phase: 'ready', episodes: 2, records: 2 });
    expect(last()).not.toHaveProperty('failure');
  });

  it('says how it is also where nothing has come to it', async () => {
    const { ingest, last } = await opened(line(1));
    const states: SourceState[] = [];
    const data = new Blob([line(1)]);
    expect(await ingest.extend('run', data, (state) => states.push(state))).toBe('extended');
    expect(states).toEqual([last()]);
  });

  it('is another one where a letter of it is, or where it is shifted', async () => {
    const small = Array.from({ length: 60 }, (_, nth) => line(nth)).join('');
    const large = small.repeat(5000);
    const changed = small.replace('30', '90');
    const { extend } = await opened(small);
    expect(await extend(changed)).toBe('replaced');
    expect(await extend(changed + line(1))).toBe('replaced');
    const big = await opened(large);
    const shifted = `${large.slice(0, 3000)}${large.slice(3001, -600)} ${large.slice(-600)}`;
    expect(await big.extend(shifted)).toBe('replaced');
    expect(await big.extend(large + line(1))).toBe('extended');
  });

  it('counts every problem, also where it began with nothing but blank lines', async () => {
    const { extend, last } = await opened('\n\n');
    await extend(`\n\n${line(1)}no json\n`);
    expect(last()).toMatchObject({ phase: 'ready', episodes: 1, problems: 1 });
  });

  it('takes a last line that was cut off for a problem only until it is whole', async () => {
    const text = line(1) + line(2);
    const { extend, last } = await opened(text.slice(0, -9));
    const start = new TextEncoder().encode(line(1)).length;
    expect(last()).toMatchObject({ episodes: 1, problems: 1, torn: { line: 2, byteStart: start } });
    await extend(text);
    expect(last()).toMatchObject({ phase: 'ready', episodes: 2, problems: 0, records: 2 });
    expect(last()).not.toHaveProperty('torn');
    await extend(`${text}{"reward`);
    expect(last()).toMatchObject({ problems: 1, torn: { line: 3, byteStart: 2 * start } });
    await extend(`${text}{"reward"\n`);
    expect(last()).toMatchObject({ problems: 1 });
    expect(last()).not.toHaveProperty('torn');
    // More of it would not make it better.
    await extend(`${text}{"reward"\nnull,`);
    expect(last()).toMatchObject({ problems: 2 });
    expect(last()).not.toHaveProperty('torn');
  });

  it.each([
    ['a record', '{"rew', line(1)],
    ['a record that turns out to be spread over lines', '{', '{\n  "reward": 1\n}\n'],
  ])('begins with a line that does not end yet: %s', async (_name, begun, whole) => {
    const { extend, last } = await opened(begun);
    expect(last()).toMatchObject({ phase: 'failed', problems: 1, torn: { line: 1, byteStart: 0 } });
    expect(await extend(whole)).toBe('extended');
    expect(last()).toMatchObject({ phase: 'ready', episodes: 1, problems: 0 });
    expect(last()).not.toHaveProperty('torn');
  });

  it('that begins with what is no JSON, or with half an array, is not taken for one being written', async () => {
    for (const text of ['no json', '{reward', '[{"reward": 1}, {"rew', '{\n  "rew']) {
      expect((await opened(text)).last()).not.toHaveProperty('torn');
    }
  });

  it('is known for another one where it was replaced', async () => {
    const { extend, last } = await opened(line(1) + line(2));
    expect(await extend(line(1))).toBe('replaced');
    expect(await extend(line(3) + line(2) + line(4))).toBe('replaced');
    expect(await extend(line(1) + line(3) + line(4))).toBe('replaced');
    expect(last()).toMatchObject({ phase: 'ready', episodes: 2 });
  });

  it('is not added to where its records do not simply follow each other', async () => {
    const array = await opened(JSON.stringify([{ reward: 1 }, { reward: 2 }]));
    expect(array.last()).toMatchObject({ episodes: 2 });
    expect(await array.extend(`${JSON.stringify([{ reward: 1 }, { reward: 2 }])}\n`)).toBe('whole');
    const packed = await opened(new Uint8Array(gzipSync(line(1) + line(2))));
    expect(await packed.extend('anything')).toBe('whole');
  });
});
