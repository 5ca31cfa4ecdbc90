import { expect, it } from 'vitest';
import { blobBytes, concat, type Chunks } from './bytes';

async function gathered(chunks: Chunks): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk.slice());
  return all;
}

function noise(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, at) => Math.imul(at + 1, 0x9e3779b1) >>> 24);
}

/** A file of 1000 bytes of which so many come at a time, and then something happens. */
function arriving(counts: readonly number[], then: (stream: ReadableByteStreamController) => void): Blob {
  const blob = new Blob([noise(1000)]);
  const left = counts.map(noise);
  blob.stream = () =>
    new ReadableStream({
      type: 'bytes',
      pull(stream) {
        const next = left.shift();
        if (next === undefined) then(stream);
        else stream.enqueue(next);
      },
    });
  return blob;
}

const sizes = [0, 1, 65_536, 524_289, 1_048_575, 1_048_576, 1_048_577, 5_000_000];

it.each(sizes)('gives all bytes of a file of %i, in order', async (size) => {
  const bytes = noise(size);
  const chunks = await gathered(blobBytes(new Blob([bytes])).chunks());
  expect(Buffer.compare(concat(chunks), bytes)).toBe(0);
});

it('gives them where a stream has no room for memory of others', async () => {
  const bytes = noise(2_000_000);
  const blob = new Blob([bytes]);
  blob.stream = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
  expect(Buffer.compare(concat(await gathered(blobBytes(blob).chunks())), bytes)).toBe(0);
});

it('cuts a large file into few chunks', async () => {
  const chunks = await gathered(blobBytes(new Blob([noise(8 * 1024 * 1024)])).chunks());
  expect(chunks.length).toBeLessThan(30);
});

it('gives what comes first at once, and uses its memory again for what comes next', async () => {
  const blob = arriving([10, 990], (stream) => stream.close());
  const chunks: Uint8Array[] = [];
  const lengths: number[] = [];
  for await (const chunk of blobBytes(blob).chunks()) {
    chunks.push(chunk);
    lengths.push(chunk.length);
  }
  expect(lengths).toEqual([10, 990]);
  expect(chunks.map(({ length }) => length)).toEqual([0, 990]);
});

it('ends without an error when it is told to', async () => {
  const stop = new AbortController();
  let seen = 0;
  for await (const chunk of blobBytes(new Blob([noise(3_000_000)])).chunks(stop.signal)) {
    seen += chunk.length;
    stop.abort();
  }
  expect(seen).toBeGreaterThan(0);
  expect(seen).toBeLessThan(3_000_000);
});

it('ends without an error when it is told to while it waits for bytes', async () => {
  const stop = new AbortController();
  const blob = arriving([10, 10, 5], () => stop.abort());
  const chunks = await gathered(blobBytes(blob).chunks(stop.signal));
  // The last five came into memory that was given up.
  expect(concat(chunks)).toHaveLength(20);
});

it('says that a file became shorter', async () => {
  const blob = new Blob([noise(1000)]);
  blob.stream = () => new Blob([noise(900)]).stream();
  let seen = 0;
  const reading = (async () => {
    for await (const chunk of blobBytes(blob).chunks()) seen += chunk.length;
  })();
  await expect(reading).rejects.toThrow('shorter');
  expect(seen).toBe(900);
});

it('says what is wrong with a file that cannot be read', async () => {
  const blob = new Blob([noise(10)]);
  blob.stream = () =>
    new ReadableStream({ type: 'bytes', pull: () => Promise.reject(new Error('the disk is gone')) });
  await expect(gathered(blobBytes(blob).chunks())).rejects.toThrow('the disk is gone');
});
