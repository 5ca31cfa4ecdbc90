import type { Chunks } from './bytes';
import { concat } from './bytes';

/**
 * Finds text in JSON as it is written: quotes and line breaks escaped, and letters outside ASCII either as they are
 * or as Python writes them, `\u00e9`.
 */
export class Needles {
  private readonly needles: readonly Uint8Array[];
  private readonly fold: Uint8Array;
  private readonly text: string;
  private readonly matchCase: boolean;
  /** Bytes that have to be seen together. */
  readonly longest: number;

  constructor(text: string, matchCase: boolean) {
    if (text === '') throw new Error('there is nothing to look for');
    this.text = matchCase ? text : text.toLowerCase();
    this.matchCase = matchCase;
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

  /** How often it stands in texts that were read out of their JSON. */
  countIn(texts: readonly string[]): number {
    let count = 0;
    for (const each of texts) {
      const text = this.matchCase ? each : each.toLowerCase();
      for (let at = text.indexOf(this.text); at >= 0; at = text.indexOf(this.text, at + this.text.length))
        count += 1;
    }
    return count;
  }

  /**
   * Calls `found` with each occurrence that begins in `from` to `to`, in order. They may overlap; what stands before
   * `from` tells where an escape begins.
   */
  find(bytes: Uint8Array, from: number, to: number, found: (start: number, end: number) => void): void {
    const [only, ...others] = this.needles;
    if (only === undefined) return;
    if (others.length === 0) {
      this.findOne(bytes, only, from, to, found);
      return;
    }
    const places: { start: number; end: number }[] = [];
    for (const needle of this.needles) {
      this.findOne(bytes, needle, from, to, (start, end) => places.push({ start, end }));
    }
    places.sort((a, b) => a.start - b.start || b.end - a.end);
    for (const { start, end } of places) found(start, end);
  }

  /** Horspool's search: looks at the last byte of a window, and jumps as far as that byte allows. */
  private findOne(
    bytes: Uint8Array,
    needle: Uint8Array,
    from: number,
    to: number,
    found: (start: number, end: number) => void,
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
      if (i < 0 && !isInsideEscape(bytes, at)) found(at, at + needle.length);
      at += i < 0 ? 1 : (jumps[seen] ?? 1);
    }
  }
}

const backslash = 0x5c;
const letterU = 0x75;

/** Whether what stands here is a part of an escape that began before: the `n` of `\n`, the `e9` of `\u00e9`. */
function isInsideEscape(bytes: Uint8Array, at: number): boolean {
  if (isEscaped(bytes, at)) return true;
  for (let u = at - 1; u >= Math.max(0, at - 4); u--) {
    if (bytes[u] === letterU && isEscaped(bytes, u)) return true;
  }
  return false;
}

/** After an odd number of backslashes; two are one that stands for itself. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  let first = at;
  while (first > 0 && bytes[first - 1] === backslash) first -= 1;
  return (at - first) % 2 === 1;
}

function waysToWrite(text: string): string[] {
  const written = JSON.stringify(text).slice(1, -1);
  const ascii = written.replaceAll(/[^\x20-\x7e]/g, escaped);
  const everyWay = [written, ascii].flatMap((each) => [
    each,
    each.replaceAll('/', '\\/'),
    // As for a page of HTML.
    each.replaceAll(/[<>&]/g, escaped),
    each.replaceAll(/[<>&']/g, escaped),
  ]);
  return everyWay.flatMap((each) => [
    each,
    each.replaceAll(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`),
  ]);
}

const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The cases of letters outside ASCII, whose bytes cannot be folded one by one, as words have them: `über`, `Über`,
 * `ÜBER`. Not those that are other letters: `ß` is not looked for as `SS`.
 */
function casesOf(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return [text];
  const capital = text.toLowerCase().replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  const cases = [text.toLowerCase(), text.toUpperCase(), capital];
  return [text, ...cases.filter(({ length }) => length === text.length)];
}

/** Of ASCII letters only. */
function foldTable(matchCase: boolean): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  if (!matchCase) for (let byte = 0x41; byte <= 0x5a; byte++) table[byte] = byte + 0x20;
  return table;
}

/** More backslashes in a row than this are not counted through. */
const lookBack = 4096;

/**
 * Offsets of the occurrences in a stream, none of which overlaps the one before; `chunkDone` may wait, and ends the
 * search with false.
 */
export async function findInChunks(
  chunks: Chunks,
  needles: Needles,
  found: (offset: number) => void,
  chunkDone: (bytes: number) => boolean | Promise<boolean>,
): Promise<void> {
  /** What was looked at, as far as it is needed to look on, and what comes after it. */
  let carry: Uint8Array = new Uint8Array(0);
  let lookedAt = 0;
  /** Of the first byte of `carry`. */
  let offset = 0;
  let free = 0;
  const look = (bytes: Uint8Array, to: number): void =>
    needles.find(bytes, lookedAt, to, (start, end) => {
      if (offset + start < free) return;
      free = offset + end;
      found(offset + start);
    });
  for await (const chunk of chunks) {
    const bytes = carry.length === 0 ? chunk : concat([carry, chunk]);
    // What begins too near to the end is found with the next chunk.
    const certain = Math.max(lookedAt, bytes.length - needles.longest + 1);
    look(bytes, certain);
    const kept = Math.max(0, certain - lookBack);
    carry = bytes.slice(kept);
    lookedAt = certain - kept;
    offset += kept;
    if (!(await chunkDone(chunk.length))) return;
  }
  look(carry, carry.length);
}
