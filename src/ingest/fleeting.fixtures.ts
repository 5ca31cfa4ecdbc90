import type { ByteSource } from './bytes';

/** Bytes in chunks of a size, all in the same memory: nothing is left of a chunk once the next one is asked for. */
export function fleeting(bytes: Uint8Array, size: number): ByteSource {
  return {
    size: bytes.length,
    async *chunks(signal) {
      const memory = new Uint8Array(size);
      for (let at = 0; at < bytes.length; at += size) {
        if (signal?.aborted === true) return;
        const next = bytes.subarray(at, at + size);
        memory.set(next);
        yield await Promise.resolve(memory.subarray(0, next.length));
        memory.fill(0x22);
      }
    },
    read: async (start, end) => bytes.slice(start, end),
  };
}
