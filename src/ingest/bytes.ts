/** Bytes in order, in chunks of any size. */
export type Chunks = AsyncIterable<Uint8Array>;

/**
 * Bytes that can be read in order and again by range: a picked file, or what came out of a container.
 * Nothing above this knows about `Blob`.
 */
export interface ByteSource {
  readonly size: number;
  /** From the start, in chunks of any size. Ends early, without an error, when the signal fires. */
  chunks(signal?: AbortSignal): Chunks;
  /** Fewer bytes where there are no more. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** Until then `size` may be less than it is, where nobody said before how much comes. */
  allHasCome?(): Promise<void>;
  /** Gives back what it holds, where that is more than a handle. */
  dispose?(): Promise<void>;
}

export function blobBytes(blob: Blob): ByteSource {
  return {
    size: blob.size,
    chunks: (signal) => streamChunks(blob.stream(), signal),
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  };
}

/** A part of other bytes, as bytes of their own. */
export function sliceBytes(bytes: Pick<ByteSource, 'read'>, start: number, end: number): ByteSource {
  return {
    size: end - start,
    chunks: (signal) => rangeChunks(bytes, start, end, signal),
    read: (from, to) => bytes.read(start + from, Math.min(start + to, end)),
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

/** A blob in memory comes as one chunk, and between two chunks a cancel is heard. */
const maxChunk = 1024 * 1024;

/** The chunks of a stream; the stream is cancelled when the consumer leaves or the signal fires. */
export async function* streamChunks(
  stream: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  const stop = (): void => {
    // A stream that has already failed refuses to be cancelled; its error has been thrown by `read`.
    reader.cancel().catch(() => undefined);
  };
  signal?.addEventListener('abort', stop);
  try {
    for (;;) {
      if (signal?.aborted === true) return;
      const { done, value } = await reader.read();
      if (done) return;
      for (let at = 0; at < value.length; at += maxChunk) yield value.subarray(at, at + maxChunk);
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
        first.push(value);
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
