/**
 * Keys of an object by their bytes, so that no string need be made of those that do not matter: few keys have both the
 * length and the first and last byte of one that does.
 */
export class KeyIndex<T> {
  private readonly slots: { bytes: Uint8Array; value: T }[][] = Array.from({ length: 256 }, () => []);

  constructor(entries: Iterable<readonly [string, T]>) {
    const utf8 = new TextEncoder();
    for (const [key, value] of entries) {
      const bytes = utf8.encode(key);
      this.slots[slotOf(bytes, 0, bytes.length)]?.push({ bytes, value });
    }
  }

  /** What belongs to the key that these bytes write, as long as nothing in it is escaped. */
  find(bytes: Uint8Array, start: number, end: number): T | undefined {
    const slot = this.slots[slotOf(bytes, start, end)];
    if (slot === undefined) return undefined;
    for (let nth = 0; nth < slot.length; nth++) {
      const entry = slot[nth];
      if (entry !== undefined && isSame(entry.bytes, bytes, start, end)) return entry.value;
    }
    return undefined;
  }
}

function slotOf(bytes: Uint8Array, start: number, end: number): number {
  if (start === end) return 0;
  return ((end - start) * 7 + (bytes[start] ?? 0) * 31 + (bytes[end - 1] ?? 0)) & 255;
}

function isSame(key: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let at = 0; at < key.length; at++) if (key[at] !== bytes[start + at]) return false;
  return true;
}
