import type { ByteSource } from './bytes';
import type { ReadRecord } from './read';

/** Bytes in chunks of a size, all in the same memory: nothing is left of a chunk once the next one is asked for. */
export function fleeting(bytes: Uint8Array, size: number): ByteSource {
  return {
    size: bytes.length,
    async *chunks(signal) {
      let memory = new ArrayBuffer(size);
      for (let at = 0; at < bytes.length; at += size) {
        if (signal?.aborted === true) return;
        const next = bytes.subarray(at, at + size);
        const chunk = new Uint8Array(memory, 0, next.length);
        chunk.set(next);
        yield await Promise.resolve(chunk);
        // As a platform does: the memory is no longer the chunk's.
        memory = structuredClone(memory, { transfer: [memory] });
      }
    },
    read: async (start, end) => bytes.slice(start, end),
  };
}

/** With its text, which is there only while the record passes by. */
export function kept(read: ReadRecord): ReadRecord {
  const { value, text, index, line } = read.record;
  return { ...read, record: { value, text, index, line } };
}
