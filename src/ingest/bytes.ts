/**
 * Bytes in order, in chunks of any size. A chunk is there until the next one is asked for: the same memory may be used
 * again. Who needs it longer makes a copy.
 */
export type Chunks = AsyncIterable<Uint8Array>;

/**
 * Bytes that can be read in order and again by range: a picked file, or what came out of a container.
 * Nothing above this knows about `Blob`.
 */
export interface ByteSource {
  readonly size: number;
  /** From the start. Ends early, without an error, when the signal fires. */
  chunks(signal?: AbortSignal): Chunks;
  /** Fewer bytes where there are no more. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** The same without its beginning, if it comes faster that way than by range. */
  from?(start: number): ByteSource;
  /** Until then `size` may be less than it is, where nobody said before how much comes. */
  allHasCome?(): Promise<void>;
  /** Gives back what it holds, where that is more than a handle. */
  dispose?(): Promise<void>;
}

export function blobBytes(blob: Blob): ByteSource {
  return {
    size: blob.size,
    chunks: (signal) => blobChunks(blob, signal),
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
    from: (start) => blobBytes(blob.slice(start)),
  };
}

export function bytesFrom(bytes: ByteSource, start: number): ByteSource {
  return bytes.from?.(start) ?? sliceBytes(bytes, start, bytes.size);
}

/** A part of other bytes, as bytes of their own. */
export function sliceBytes(bytes: Pick<ByteSource, 'read'>, start: number, end: number): ByteSource {
  return {
    size: end - start,
    chunks: (signal) => rangeChunks(bytes, start, end, signal),
    read: (from, to) => bytes.read(start + from, Math.min(start + to, end)),
  };
}

/** The same bytes; `count` hears of each piece that was read how long it is. */
export function counted(bytes: ByteSource, count: (length: number) => void): ByteSource {
  return {
    // Of a file that is still coming it may not be known yet.
    get size() {
      return bytes.size;
    },
    async *chunks(signal) {
      for await (const chunk of bytes.chunks(signal)) {
        count(chunk.length);
        yield chunk;
      }
    },
    async read(start, end) {
      const piece = await bytes.read(start, end);
      count(piece.length);
      return piece;
    },
    allHasCome: async () => bytes.allHasCome?.(),
  };
}

async function* rangeChunks(
  bytes: Pick<ByteSource, 'read'>,
  start: number,
  end: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += maxChunk) {
    if (signal?.aborted === true) return;
    const chunk = await bytes.read(at, Math.min(at + maxChunk, end));
    if (chunk.length === 0) return;
    yield chunk;
  }
}

/** Large against most records; what comes in one piece is cut, since a cancel is heard between two chunks. */
const maxChunk = 1024 * 1024;

/** The chunks of a stream, each in memory of its own; the stream is cancelled when the consumer leaves or the signal fires. */
export async function* streamChunks(
  stream: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for await (const chunk of reading(reader, async () => (await reader.read()).value, signal)) {
    for (let at = 0; at < chunk.length; at += maxChunk) yield chunk.subarray(at, at + maxChunk);
  }
}

function blobChunks(blob: Blob, signal?: AbortSignal): Chunks {
  const stream = blob.stream();
  const reader = byteReader(stream);
  if (reader === undefined) return streamChunks(stream, signal);
  return reading(reader, refilling(reader, blob.size), signal);
}

/** Undefined where the platform's streams of files give out memory of their own only. */
function byteReader(stream: ReadableStream): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

/**
 * Reads always into the same memory: new memory for each chunk takes about as long to come by as the bytes in it. The
 * first chunk is what comes first; each later one has as much as all before it, as far as there is room, so that few
 * records are cut in two.
 */
function refilling(reader: ReadableStreamBYOBReader, size: number): () => Promise<Uint8Array | undefined> {
  let memory = new ArrayBuffer(Math.min(maxChunk, size));
  let read = 0;
  return async () => {
    const wanted = Math.min(memory.byteLength, Math.max(1, read), size - read);
    let filled = 0;
    for (let ended = false; filled < wanted && !ended;) {
      const { done, value } = await reader.read(new Uint8Array(memory, filled), { min: wanted - filled });
      // It was cancelled, and the memory is gone with what had come into it.
      if (value === undefined) return undefined;
      memory = value.buffer;
      filled += value.length;
      ended = done;
    }
    read += filled;
    if (filled > 0) return new Uint8Array(memory, 0, filled);
    if (read < size) throw new Error('The file became shorter while it was read');
    return undefined;
  };
}

/**
 * Readers that wait for bytes. One that brings its own memory, and is held by nobody but who waits for it, is garbage to
 * Chromium: both would be gone.
 */
const readers = new Set<ReadableStreamDefaultReader | ReadableStreamBYOBReader>();

/** What `next` gives, until there is no more. */
async function* reading(
  reader: ReadableStreamDefaultReader | ReadableStreamBYOBReader,
  next: () => Promise<Uint8Array | undefined>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const stop = (): void => {
    // A stream that has already failed refuses to be cancelled; its error has been thrown by `next`.
    reader.cancel().catch(() => undefined);
  };
  signal?.addEventListener('abort', stop);
  try {
    for (;;) {
      if (signal?.aborted === true) return;
      readers.add(reader);
      const chunk = await next().finally(() => readers.delete(reader));
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

/** The reverse of `streamChunks`, pulled as the reader wants. */
export function chunkStream(chunks: Chunks): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** The first bytes, at least `length` of them if there are so many, and all chunks with those in front. */
export async function peek(chunks: Chunks, length: number): Promise<{ head: Uint8Array; chunks: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let seen = 0;
  let ended = false;
  let failure: { error: unknown } | undefined;
  while (seen < length && !ended) {
    try {
      const { done, value } = await iterator.next();
      ended = done === true;
      if (done !== true) {
        first.push(value.slice());
        seen += value.length;
      }
    } catch (error) {
      // What came before counts: it is thrown behind that.
      if (seen === 0) throw error;
      failure = { error };
      ended = true;
    }
  }
  async function* again(): AsyncGenerator<Uint8Array> {
    try {
      yield* first;
      if (failure !== undefined) throw failure.error;
      if (!ended) yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  return { head: concat(first).subarray(0, length), chunks: again() };
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes that are not UTF-8 become U+FFFD. Throws for more than a string can hold. */
export function decode(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}
