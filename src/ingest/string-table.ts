/** Longer strings are cut in the table; the episode itself has the whole. */
const maxString = 500;

/** Strings by number, each kept once. */
export class StringTable {
  private readonly codes = new Map<string, number>();
  private readonly strings: string[] = [];

  code(text: string): number {
    const cut = text.length > maxString ? `${text.slice(0, maxString)}…` : text;
    const known = this.codes.get(cut);
    if (known !== undefined) return known;
    const own = copyOf(cut);
    this.codes.set(own, this.strings.length);
    this.strings.push(own);
    return this.strings.length - 1;
  }

  text(code: number): string {
    return this.strings[code] ?? '';
  }

  get size(): number {
    return this.strings.length;
  }
}

/**
 * A string of its own memory. A slice of a long string keeps all of it alive: a title cut out of a message
 * would hold the whole record.
 */
export function copyOf(text: string): string {
  return text.length < 13 ? text : `\0${text}`.slice(1);
}
