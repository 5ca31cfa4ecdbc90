import type { Chunks } from './bytes';
import { concat } from './bytes';

/**
 * Finds text in JSON as it is written: quotes and line breaks escaped, and letters outside ASCII either as they are
 * or as Python writes them, `\u00e9`.
 */
export class Needles {
  private readonly needles: readonly Uint8Array[];
  private readonly fold: Uint8Array;
  /** Bytes that have to be seen together. */
  readonly longest: number;

  constructor(text: string, matchCase: boolean) {
    if (text === '') throw new Error('there is nothing to look for');
    this.fold = foldTable(matchCase);
    const utf8 = new TextEncoder();
    const needles = new Map<string, Uint8Array>();
    for (const each of matchCase ? [text] : casesOf(text)) {
      for (const written of waysToWrite(each)) {
        const needle = utf8.encode(written).map((byte) => this.fold[byte] ?? byte);
        needles.set(needle.join(), needle);
      }
    }
    this.needles = [...needles.values()];
    this.longest = Math.max(...this.needles.map(({ length }) => length));
  }

  /** Calls `found` with the start of each occurrence that begins in `from` to `to`, in order per way of writing. */
  find(bytes: Uint8Array, from: number, to: number, found: (start: number) => void): void {
    for (const needle of this.needles) this.findOne(bytes, needle, from, to, found);
  }

  /** Horspool's search: looks at the last byte of a window, and jumps as far as that byte allows. */
  private findOne(
    bytes: Uint8Array,
    needle: Uint8Array,
    from: number,
    to: number,
    found: (start: number) => void,
  ): void {
    const { fold } = this;
    const last = needle.length - 1;
    const jumps = new Uint32Array(256).fill(needle.length);
    for (let i = 0; i < last; i++) jumps[needle[i] ?? 0] = last - i;
    const end = Math.min(to - 1, bytes.length - needle.length);
    for (let at = from; at <= end;) {
      const seen = fold[bytes[at + last] ?? 0] ?? 0;
      let i = last;
      while (i >= 0 && fold[bytes[at + i] ?? 0] === needle[i]) i--;
      if (i < 0) found(at);
      // Occurrences may overlap: how chunks are cut must not matter.
      at += i < 0 ? 1 : (jumps[seen] ?? 1);
    }
  }
}

function waysToWrite(text: string): string[] {
  const written = JSON.stringify(text).slice(1, -1);
  const ascii = written.replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [written, ascii].flatMap((each) => [each, each.replaceAll('/', '\\/')]);
}

/**
 * The cases of letters outside ASCII, whose bytes cannot be folded one by one, as words have them: `über`, `Über`,
 * `ÜBER`.
 */
function casesOf(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return [text];
  const capital = text.toLowerCase().replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return [text, text.toLowerCase(), text.toUpperCase(), capital];
}

/** Of ASCII letters only. */
function foldTable(matchCase: boolean): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  if (!matchCase) for (let byte = 0x41; byte <= 0x5a; byte++) table[byte] = byte + 0x20;
  return table;
}

/** Offsets of all occurrences in a stream, chunk by chunk; `chunkDone` may wait, and ends the search with false. */
export async function findInChunks(
  chunks: Chunks,
  needles: Needles,
  found: (offset: number) => void,
  chunkDone: (bytes: number) => boolean | Promise<boolean>,
): Promise<void> {
  let carry: Uint8Array = new Uint8Array(0);
  let offset = 0;
  for await (const chunk of chunks) {
    const bytes = carry.length === 0 ? chunk : concat([carry, chunk]);
    // What begins too near to the end is found with the next chunk.
    const certain = Math.max(0, bytes.length - needles.longest + 1);
    const base = offset;
    needles.find(bytes, 0, certain, (start) => found(base + start));
    carry = bytes.slice(certain);
    offset += certain;
    if (!(await chunkDone(chunk.length))) return;
  }
  const base = offset;
  needles.find(carry, 0, carry.length, (start) => found(base + start));
}
