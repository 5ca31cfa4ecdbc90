/**
 * Bytes that can be read in order and again by range: a picked file, or what came out of a container.
 * Nothing above this knows about `Blob`.
 */
export interface ByteSource {
  /** Undefined while it is not known, as for a stream that is still being decompressed. */
  readonly size: number | undefined;
  /** From the start, in chunks of any size. Ends early, without an error, when the signal fires. */
  chunks(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  read(start: number, end: number): Promise<Uint8Array>;
}

export function blobBytes(blob: Blob): ByteSource {
  return {
    size: blob.size,
    chunks: (signal) => streamChunks(blob.stream(), signal),
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  };
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
