import { gzipSync as nodeGzip } from 'node:zlib';
import * as fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { blobBytes, concat } from './bytes';
import { createIngest } from './ingest';
import { nodeSpool } from './node-spool';
import type { Problem, SourceState } from './protocol';
import { readBytes, type ReadOptions, type ReadRecord, type ReadResult } from './read';
import { fleeting, kept } from './fleeting.fixtures';
import { tarOf, zstdOf } from './containers.fixtures';
import { testFormats } from './test-formats.fixtures';

const utf8 = new TextEncoder();

async function read(
  data: Uint8Array,
  options: ReadOptions = {},
  bytes = blobBytes(new Blob([new Uint8Array(data)])),
): Promise<ReadResult & { seen: ReadRecord[]; ledger: Problem[] }> {
  const seen: ReadRecord[] = [];
  const ledger: Problem[] = [];
  const result = await readBytes(
    bytes,
    { record: (record) => void seen.push(kept(record)), problem: (problem) => void ledger.push(problem) },
    { formats: testFormats, ...options },
  );
  return { ...result, seen, ledger };
}

const gzip = (data: Uint8Array): Uint8Array => nodeGzip(data);
const lines = (rewards: readonly number[]): Uint8Array =>
  utf8.encode(rewards.map((reward) => `${JSON.stringify({ reward, text: 'ü😀' })}\n`).join(''));
/** The platform's decompressor stops there, and the other one, which does not look at it, has to go on. */
const withoutChecksum = (data: Uint8Array): Uint8Array => new Uint8Array(data).fill(0, -8, -4);
/** So many, that cannot be compressed much. */
const letters = (count: number): string =>
  Array.from({ length: count }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 8).toString(36)).join('');
const rewardsIn = (seen: readonly ReadRecord[]): unknown[] =>
  seen.map(({ record }): unknown => JSON.parse(record.text).reward);

describe('containers', () => {
  it.each([
    ['gzip', ['gzip'], gzip(lines([1, 2, 3]))],
    ['several gzip members', ['gzip'], concat([gzip(lines([1, 2])), gzip(lines([3]))])],
    ['zstd', ['zstd'], zstdOf(lines([1, 2, 3]))],
    ['several zstd frames', ['zstd'], concat([zstdOf(lines([1])), zstdOf(lines([2, 3]))])],
    ['zip', ['zip'], zipSync({ 'run.jsonl': lines([1, 2, 3]) })],
    ['stored in a zip', ['zip'], zipSync({ 'a/run.jsonl': [lines([1, 2, 3]), { level: 0 }] })],
    ['two files of a zip', ['zip'], zipSync({ 'a.jsonl': lines([1]), 'b.jsonl': lines([2, 3]) })],
    ['tar', ['tar'], tarOf({ 'a.jsonl': lines([1]), 'dir/b.jsonl': lines([2, 3]) })],
    ['tar.gz', ['gzip', 'tar'], gzip(tarOf({ 'a.jsonl': lines([1]), 'b.jsonl': lines([2, 3]) }))],
    ['gzip in a zip', ['zip', 'gzip'], zipSync({ 'run.jsonl.gz': gzip(lines([1, 2, 3])) })],
  ])('reads %s', async (_name, containers, data) => {
    const result = await read(data);
    expect(result).toMatchObject({ outcome: 'complete', containers, problems: 0, records: 3 });
    expect(rewardsIn(result.seen)).toEqual([1, 2, 3]);
    expect(result.bytesRead).toBe(data.length);
  });

  it.each<[string, (lines: Uint8Array) => Uint8Array]>([
    ['text', (lines) => lines],
    ['gzip', gzip],
    [
      'several gzip members',
      (lines) => concat([withoutChecksum(gzip(lines.subarray(0, 1e6))), gzip(lines.subarray(1e6))]),
    ],
    ['zstd', zstdOf],
    ['zip', (lines) => zipSync({ 'run.jsonl': lines })],
    ['tar', (lines) => tarOf({ 'run.jsonl': lines })],
    ['tar.gz', (lines) => gzip(tarOf({ 'run.jsonl': lines }))],
  ])('reads %s from chunks that do not stay', async (_name, pack) => {
    const texts = Array.from({ length: 400 }, (_, i) => JSON.stringify({ reward: i, text: letters(i * 10) }));
    const data = pack(utf8.encode(texts.map((text) => `${text}\n`).join('')));
    for (const size of [13, 5000, 100_000]) {
      for (const sketch of [true, false]) {
        const { seen, ledger } = await read(data, { sketch }, fleeting(data, size));
        expect(ledger, `in chunks of ${size}`).toEqual([]);
        expect(seen.map(({ record }) => record.text)).toEqual(texts);
      }
    }
  });

  it('names the files in an archive and finds a format for each', async () => {
    const archive = zipSync({
      'one.jsonl': lines([1]),
      'two/session.jsonl': strToU8('{"session":1}\n{"session":2}'),
      'readme.md': strToU8('# Read me'),
      '__MACOSX/one.jsonl': strToU8('junk'),
    });
    const { seen, ledger } = await read(archive);
    expect(seen.map(({ path, format, part }) => [path, format?.id, part])).toEqual([
      ['one.jsonl', 'rollout', 0],
      ['two/session.jsonl', 'session', 1],
    ]);
    expect(ledger.map(({ path, reason }) => [path, reason])).toEqual([
      ['readme.md', 'This is not JSON and was left out.'],
    ]);
  });

  it('asks the file for many small entries together, also where their directory is cut off', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `${i}.jsonl`);
    const archive = zipSync(Object.fromEntries(names.map((name, i) => [name, lines([i])])));
    for (const data of [archive, archive.slice(0, -10)]) {
      const blob = blobBytes(new Blob([new Uint8Array(data)]));
      let reads = 0;
      const counting = { ...blob, read: (start: number, end: number) => (reads++, blob.read(start, end)) };
      const seen: ReadRecord[] = [];
      await readBytes(counting, { record: (record) => void seen.push(record) }, { formats: testFormats });
      expect(rewardsIn(seen)).toEqual(names.map((_, i) => i));
      expect(reads).toBeLessThan(10);
    }
  });

  it('takes the samples of an Inspect log', async () => {
    const log = zipSync({
      'header.json': strToU8('{"version":2}'),
      'summaries.json': strToU8('[{"id":1}]'),
      'samples/1_epoch_1.json': strToU8('{"reward":1}'),
      'samples/2_epoch_1.json': strToU8('{\n "reward": 2\n}'),
      '_journal/start.json': strToU8('{}'),
    });
    expect(rewardsIn((await read(log)).seen)).toEqual([1, 2]);
  });

  it('takes the head of an Inspect log that has no samples yet', async () => {
    const journal = { '_journal/start.json': strToU8('{"reward":1}'), 'summaries.json': strToU8('[]') };
    expect(rewardsIn((await read(zipSync(journal))).seen)).toEqual([1]);
    const closed = { ...journal, 'header.json': strToU8('{"reward":2}') };
    expect(rewardsIn((await read(zipSync(closed))).seen)).toEqual([2]);
  });

  it('knows long names in tar archives', async () => {
    const path = `${'deep/'.repeat(40)}run.jsonl`;
    expect((await read(tarOf({ [path]: lines([1]) }))).seen.map((read) => read.path)).toEqual([path]);
  });

  it('keeps what came before the place where an archive is cut off', async () => {
    const rewards = Array.from({ length: 5000 }, (_, i) => i);
    const whole = gzip(
      concat(rewards.map((reward) => utf8.encode(`{"reward":${reward},"noise":"${Math.sin(reward)}"}\n`))),
    );
    const result = await read(whole.slice(0, whole.length / 2));
    expect(result.outcome).toBe('failed');
    expect(result.failure?.what).toMatch(/gzip data is damaged or cut off/);
    expect(result.records).toBeGreaterThan(1000);
    expect(rewardsIn(result.seen)).toEqual(rewards.slice(0, result.records));

    const tar = tarOf({ 'a.jsonl': lines([1]), 'b.jsonl': lines([2, 3]) });
    const cut = await read(tar.slice(0, 1024 + 512 + 20));
    expect([cut.outcome, rewardsIn(cut.seen)]).toEqual(['failed', [1]]);
    const zip = zipSync({
      'a.jsonl': lines([1]),
      'b/c.jsonl': [lines([2, 3]), { level: 0 }],
      'd.jsonl': lines([4]),
    });
    const third = findAll(zip, [0x50, 0x4b, 3, 4])[2] ?? 0;
    for (const [end, rewards, problems] of [
      [-10, [1, 2, 3, 4], 0],
      [third + 50, [1, 2, 3], 1],
      [third + 10, [1, 2, 3], 0],
    ] as const) {
      const cutZip = await read(zip.slice(0, end));
      expect([cutZip.outcome, rewardsIn(cutZip.seen), cutZip.problems]).toEqual([
        'failed',
        rewards,
        problems,
      ]);
      expect(cutZip.failure?.what).toMatch(/cut off/);
    }
  });

  // So few that they come with the bytes a file is known by, and more.
  it.each([3, 300])(
    'says of gzip data whose checksum is wrong that it is damaged: %i lines',
    async (count) => {
      const rewards = Array.from({ length: count }, (_, i) => i);
      const data = gzip(lines(rewards));
      data[data.length - 6] = (data[data.length - 6] ?? 0) ^ 1;
      const result = await read(data);
      expect([result.outcome, rewardsIn(result.seen)]).toEqual(['failed', rewards]);
      expect(result.failure?.what).toMatch(/gzip data is damaged/);
    },
  );

  it('goes on after an entry that is damaged', async () => {
    const archive = zipSync({ 'a.jsonl': lines([1]), 'b.jsonl': lines([2]), 'c.jsonl': lines([3]) });
    // The local header of the second entry.
    const second = findAll(archive, [0x50, 0x4b, 3, 4])[1] ?? 0;
    archive[second] = 0;
    const { seen, ledger, outcome } = await read(archive);
    expect([rewardsIn(seen), outcome]).toEqual([[1, 3], 'complete']);
    expect(ledger).toMatchObject([{ path: 'b.jsonl', reason: expect.stringContaining('damaged') }]);
  });

  it('ends a bomb', async () => {
    const bomb = utf8.encode(`{"reward":1,"text":"${'x'.repeat(1000)}"}\n`.repeat(3000));
    const limits = { ratio: 50, ratioFrom: 100_000, total: 1e9 };
    for (const data of [gzip(bomb), zipSync({ 'a.jsonl': bomb })]) {
      const result = await read(data, { limits });
      expect(result.records).toBeLessThan(3000);
      expect(result.failure?.what ?? result.ledger[0]?.reason).toMatch(/unpacks to more than/);
    }
    const total = await read(zstdOf(bomb), { limits: { ratio: 1e9, ratioFrom: 0, total: 1e6 } });
    expect(total.failure?.what).toMatch(/unpacks to more than/);
  });

  it('ends a bomb whose entries are all the same data', async () => {
    const text = utf8.encode(`{"reward":1,"text":"${'x'.repeat(90_000)}"}\n`);
    const one = zipSync({ 'a.jsonl': text });
    const data = repeatedEntry(one, 1000);
    const result = await read(data, { limits: { ratio: 50, ratioFrom: 100_000, total: 1e9 } });
    expect(result.outcome).toBe('failed');
    expect(result.failure?.what).toMatch(/unpacks to more than/);
    expect(result.records).toBeLessThan(100);
    expect(result.records).toBeGreaterThan(0);
    expect(result.problems).toBeLessThan(3);
  });

  it('never throws, wherever an archive is cut or damaged', async () => {
    const archives = [
      gzip(lines([1, 2])),
      zstdOf(lines([1, 2])),
      zipSync({ 'a.jsonl': lines([1]), 'b.jsonl': lines([2]) }),
      tarOf({ 'a.jsonl': lines([1]), 'b.jsonl': lines([2]) }),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...archives),
        fc.nat(),
        fc.option(fc.tuple(fc.nat(), fc.nat({ max: 255 }))),
        async (archive, cut, flip) => {
          const data = archive.slice(0, cut % (archive.length + 1));
          if (flip !== null && data.length > 0) data[flip[0] % data.length] = flip[1];
          const { outcome } = await read(data);
          expect(['complete', 'failed']).toContain(outcome);
        },
      ),
      { numRuns: 200 },
    );
  });
});

function findAll(bytes: Uint8Array, pattern: readonly number[]): number[] {
  const found: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    if (pattern.every((byte, i) => bytes[at + i] === byte)) found.push(at);
  }
  return found;
}

/** An archive of one entry, whose directory names it many times. */
function repeatedEntry(archive: Uint8Array, times: number): Uint8Array {
  const start = findAll(archive, [0x50, 0x4b, 1, 2])[0] ?? 0;
  const end = findAll(archive, [0x50, 0x4b, 5, 6])[0] ?? 0;
  const entry = archive.slice(start, end);
  const last = archive.slice(end);
  const view = new DataView(last.buffer);
  view.setUint16(8, times, true);
  view.setUint16(10, times, true);
  view.setUint32(12, entry.length * times, true);
  return concat([archive.slice(0, start), ...Array.from({ length: times }, () => entry), last]);
}

describe('episodes of compressed sources', () => {
  it.each([
    ['memory', () => createIngest({ formats: testFormats })],
    ['disk', () => createIngest({ formats: testFormats, spool: () => nodeSpool(1000) })],
  ])('are read again from %s', async (where, create) => {
    const many = Array.from({ length: 200 }, (_, i) => i);
    const sources = {
      gz: gzip(lines(many)),
      zip: zipSync({ 'a.jsonl': lines(many.slice(0, 120)), 'b.jsonl': lines(many.slice(120)) }),
      stored: zipSync({ 'a.jsonl': [lines(many), { level: 0 }] }),
      // More than comes at once.
      tar: tarOf({ 'a.jsonl': lines(Array.from({ length: 100_000 }, (_, i) => i % 200)) }),
      sessions: zipSync({
        'a.jsonl': strToU8('{"session":1}\n{"session":2}'),
        'b.jsonl': strToU8('{"session":3}'),
      }),
    };
    const ingest = create();
    const last = new Map<string, SourceState>();
    for (const [id, data] of Object.entries(sources)) {
      const input = { id, name: id, data: new Blob([new Uint8Array(data)]) };
      await ingest.open(input, (state) => last.set(id, state));
    }
    expect(last.get('gz')).toMatchObject({ containers: ['gzip'], unpacked: { where } });
    expect(last.get('stored')?.unpacked).toBeUndefined();
    for (const id of ['gz', 'zip', 'stored', 'tar']) {
      for (const episode of [0, 119, 120, 199, ...(id === 'tar' ? [40_000, 99_999] : [])]) {
        const text = JSON.stringify({ reward: episode % 200, text: 'ü😀' });
        expect((await ingest.raw({ source: id, episode }))?.text).toBe(text);
        expect((await ingest.episode({ source: id, episode }))?.outcome.verdict).toBe(text);
      }
    }
    expect((await ingest.raw({ source: 'zip', episode: 120 }))?.path).toBe('b.jsonl');
    const verdict = async (episode: number): Promise<unknown> =>
      (await ingest.episode({ source: 'sessions', episode }))?.outcome.verdict;
    expect(await verdict(0)).toBe('[{"session":1},{"session":2}]');
    expect(await verdict(1)).toBe('[{"session":3}]');
    for (const id of Object.keys(sources)) await ingest.close(id);
  });
});
