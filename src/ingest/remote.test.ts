import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIngest } from './ingest';
import type { RemoteFile, SourceState } from './protocol';
import { describeRemote, RemoteError, remoteBytes } from './remote';
import { MemorySpool } from './spool';
import { testFormats } from './test-formats.fixtures';

/** What the server of a test does with the file it has. */
interface Served {
  body: Buffer;
  ranges: boolean;
  /** Breaks the connection off after so many bytes of an answer, so many times. */
  dies?: { after: number; times: number };
  etag?: string;
  sized?: boolean;
}

let served: Served = { body: Buffer.alloc(0), ranges: true };
let asked: (string | undefined)[] = [];
let server: Server;
let origin = '';

beforeAll(async () => {
  server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { body, ranges, dies, etag, sized = true } = served;
  asked.push(request.headers.range);
  if (request.url !== '/file') {
    response.writeHead(404).end();
    return;
  }
  if (etag !== undefined) response.setHeader('ETag', etag);
  const range = ranges ? /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') : null;
  const start = Number(range?.[1] ?? 0);
  const end = Math.min(Number(range?.[2] ?? Infinity) + 1, body.length);
  if (range !== null && start >= body.length) {
    response.writeHead(416, { 'Content-Range': `bytes */${body.length}` }).end();
    return;
  }
  if (range !== null) response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${body.length}`);
  if (sized) response.setHeader('Content-Length', end - start);
  response.writeHead(range === null ? 200 : 206);
  const sent = body.subarray(start, end);
  if (dies !== undefined && dies.times > 0 && sent.length > dies.after) {
    dies.times -= 1;
    response.write(sent.subarray(0, dies.after), () => response.destroy());
  } else {
    response.end(sent);
  }
}

function serve(next: Served): Promise<RemoteFile> {
  served = next;
  asked = [];
  return describeRemote(`${origin}/file`);
}

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, reward) => `${JSON.stringify({ reward, text: 'ü😀'.repeat(50) })}\n`,
  ).join('');

async function openAll(
  data: RemoteFile,
): Promise<{ last: SourceState; ingest: ReturnType<typeof createIngest> }> {
  const ingest = createIngest({ formats: testFormats });
  const states: SourceState[] = [];
  await ingest.open({ id: 'far', name: 'far', data }, (state) => states.push(state));
  const last = states.at(-1);
  if (last === undefined) throw new Error('No state came');
  return { last, ingest };
}

describe('a file behind a URL', () => {
  it('is described by its first byte', async () => {
    const body = Buffer.from(lines(3));
    expect(await serve({ body, ranges: true, etag: '"a"' })).toMatchObject({
      size: body.length,
      ranges: true,
      etag: '"a"',
    });
    expect(asked).toEqual(['bytes=0-0']);
    expect(await serve({ body, ranges: false })).toMatchObject({ size: body.length, ranges: false });
    expect(await serve({ body, ranges: false, sized: false })).toMatchObject({ size: 0, ranges: false });
    expect(await serve({ body: Buffer.alloc(0), ranges: true })).toMatchObject({ size: 0, ranges: true });
  });

  it('says that it is not there', async () => {
    await expect(describeRemote(`${origin}/elsewhere`)).rejects.toThrow(/404.*no such file/);
    await expect(describeRemote('http://127.0.0.1:1/file')).rejects.toThrow(
      /127\.0\.0\.1:1 cannot be reached/,
    );
  });

  it.each([
    ['with ranges', true, true],
    ['without', false, true],
    ['without, and without a length', false, false],
  ])('gives every byte, in order and again, %s', async (_name, ranges, sized) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 5000 }),
        fc.nat(5000),
        fc.nat(5000),
        async (bytes, from, length) => {
          const file = await serve({ body: Buffer.from(bytes), ranges, sized });
          const source = remoteBytes(file, () => new MemorySpool());
          const came: number[] = [];
          for await (const chunk of source.chunks()) came.push(...chunk);
          expect(came).toEqual([...bytes]);
          expect(await source.read(from, from + length)).toEqual(bytes.slice(from, from + length));
          expect(source.size).toBe(bytes.length);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('gives a part before the rest was read, also where the server knows no parts', async () => {
    const body = Buffer.from('0123456789');
    for (const ranges of [true, false]) {
      const source = remoteBytes(await serve({ body, ranges }), () => new MemorySpool());
      expect(Buffer.from(await source.read(3, 6)).toString()).toBe('345');
    }
  });

  it('asks for the part of an opened episode, not for the whole', async () => {
    const { ingest, last } = await openAll(await serve({ body: Buffer.from(lines(40)), ranges: true }));
    expect(last).toMatchObject({ phase: 'ready', episodes: 40 });
    asked = [];
    expect((await ingest.raw({ source: 'far', episode: 30 }))?.text).toContain('"reward":30');
    const [first, last2] = /(\d+)-(\d+)/.exec(asked.join())?.slice(1).map(Number) ?? [];
    expect((last2 ?? 0) - (first ?? 0)).toBeLessThan(1000);
  });

  it.each([
    ['gzip', gzipSync(lines(2000), { level: 0 })],
    // Too much to have come with the first bytes: its directory stands at its end.
    ['zip', Buffer.from(zipSync({ 'run.jsonl': new TextEncoder().encode(lines(2000)) }, { level: 0 }))],
  ])('opens as %s, with ranges, without, and without a length', async (container, body) => {
    for (const [ranges, sized] of [[true], [false], [false, false]] as const) {
      const { last } = await openAll(
        await serve({ body, ranges, ...(sized === undefined ? {} : { sized }) }),
      );
      expect(last).toMatchObject({ phase: 'ready', episodes: 2000, containers: [container] });
    }
  });

  it('is asked for again from where the connection broke off', async () => {
    const body = Buffer.from(lines(2000));
    const file = await serve({ body, ranges: true, dies: { after: 100_000, times: 2 } });
    const { last } = await openAll(file);
    expect(last).toMatchObject({ phase: 'ready', episodes: 2000, problems: 0, bytesRead: body.length });
    expect(asked.length).toBeGreaterThan(3);
  });

  it('keeps what came where the connection breaks off for good', async () => {
    const body = Buffer.from(lines(2000));
    for (const ranges of [true, false]) {
      const file = await serve({ body, ranges, dies: { after: 300_000, times: Infinity } });
      served = { ...served, body: ranges ? body.subarray(0, 300_001) : body };
      const { last } = await openAll({ ...file, size: body.length });
      expect(last.phase).toBe('failed');
      expect(last.failure?.what).toMatch(/broke off|another one/);
      expect(last.episodes).toBeGreaterThan(100);
    }
  });

  it.each([
    ['from there', { body: lines(2000), ranges: true, after: 300_000 }, 'extended'],
    [
      'from its start, where the server knows no parts',
      { body: lines(2000), ranges: false, after: 300_000 },
      'whole',
    ],
    [
      'from its start, where too little came to tell how its records stand in it',
      {
        body: `[\n${'{"reward":0}\n,\n'.repeat(300)}{"reward":2}\n]`,
        ranges: true,
        after: 40,
      },
      'whole',
    ],
  ] as const)(
    'that broke off is taken up when it can be reached again, %s',
    async (_name, given, expected) => {
      const body = Buffer.from(given.body);
      const dies = {
        times: Infinity,
        // The first byte, a part of the whole, and nothing any more.
        get after() {
          return asked.length <= 2 ? given.after : 0;
        },
      };
      const file = await serve({ body, ranges: given.ranges, dies });
      const { last, ingest } = await openAll(file);
      expect(last).toMatchObject({ phase: 'failed', readOn: expected === 'whole' ? 'again' : 'on' });
      expect(last.episodes).toBeGreaterThan(0);
      served = { body, ranges: given.ranges };
      asked = [];
      let now = last;
      expect(await ingest.extend('far', file, (state) => (now = state))).toBe(expected);
      if (expected === 'whole') return;
      expect(now).toMatchObject({ phase: 'ready', episodes: 2000, records: 2000, problems: 0 });
      expect(now).not.toHaveProperty('failure');
      expect(now).not.toHaveProperty('readOn');
      // What was read is not asked for again, but for its edges.
      const rest = asked.map((range) => Number(/(\d+)-/.exec(range ?? '')?.[1]));
      expect(rest.at(-1)).toBeGreaterThan(250_000);
      expect((await ingest.raw({ source: 'far', episode: 1999 }))?.text).toContain('"reward":1999');
    },
  );

  it('is not taken for what it was once it is another', async () => {
    const body = Buffer.from(lines(5));
    const source = remoteBytes(await serve({ body, ranges: true, etag: '"one"' }), () => new MemorySpool());
    served = { ...served, etag: '"two"' };
    await expect(source.read(0, 10)).rejects.toThrow(RemoteError);
    // It has grown, and what was there is still there.
    served = { ...served, body: Buffer.concat([body, body]) };
    expect(Buffer.from(await source.read(0, 10)).toString()).toBe(body.subarray(0, 10).toString());
  });
});
