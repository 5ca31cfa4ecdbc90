/** Longer strings are not looked for. */
const longest = 40;
const wordsOfString = longest / 4;
const slots = 4096;
const backslash = 0x5c;

/**
 * Keys, types and roles come again and again: each is made once, and found by its bytes. Four of those at a time,
 * since a file has millions of them.
 */
export class KnownStrings {
  private readonly texts: string[] = Array.from({ length: slots }, () => '');
  private readonly lengths = new Uint8Array(slots);
  private readonly words = new Int32Array(slots * wordsOfString);
  private readonly wanted = new Int32Array(wordsOfString);
  /** For whoever has numbers for these strings; -1 unless it was set. */
  readonly codes = new Int32Array(slots).fill(-1);

  /** Where the string is that these bytes write; -1 where it is long, or anything in it is escaped or not ASCII. */
  find(view: DataView, start: number, end: number): number {
    const length = end - start;
    if (length > longest) return -1;
    const { wanted } = this;
    let hash = length;
    let count = 0;
    for (let at = start; at < end; at += 4) {
      const word = at + 4 <= end ? view.getInt32(at, true) : lastWord(view, at, end);
      if (!isPlainWord(word)) return -1;
      wanted[count++] = word;
      hash = Math.imul(hash ^ word, 0xcc9e2d51);
      hash ^= hash >>> 15;
    }
    const slot = (hash ^ (hash >>> 12)) & (slots - 1);
    if (!this.holds(slot, length, count)) this.put(slot, view, start, end);
    return slot;
  }

  private holds(slot: number, length: number, count: number): boolean {
    const { words, wanted } = this;
    if (this.lengths[slot] !== length) return false;
    const from = slot * wordsOfString;
    for (let nth = 0; nth < count; nth++) if (words[from + nth] !== wanted[nth]) return false;
    return true;
  }

  private put(slot: number, view: DataView, start: number, end: number): void {
    this.texts[slot] = String.fromCharCode(
      ...new Uint8Array(view.buffer, view.byteOffset + start, end - start),
    );
    this.lengths[slot] = end - start;
    this.words.set(this.wanted, slot * wordsOfString);
    this.codes[slot] = -1;
  }

  text(slot: number): string {
    return this.texts[slot] ?? '';
  }
}

/** Neither escaped nor beyond ASCII. */
export function isPlain(view: DataView, start: number, end: number): boolean {
  let at = start;
  for (; at + 4 <= end; at += 4) if (!isPlainWord(view.getInt32(at, true))) return false;
  return isPlainWord(lastWord(view, at, end));
}

/** A backslash leaves a zero byte, and only where there is one does subtracting borrow a sign that was not there. */
function isPlainWord(word: number): boolean {
  const slash = word ^ (backslash * 0x01010101);
  return ((word | ((slash - 0x01010101) & ~slash)) & 0x80808080) === 0;
}

/** Up to three bytes. */
function lastWord(view: DataView, start: number, end: number): number {
  let word = 0;
  for (let at = end - 1; at >= start; at--) word = (word << 8) | view.getUint8(at);
  return word;
}
