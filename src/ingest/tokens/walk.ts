import { windowBytes, type Finder } from './simd';

/** Bytes that are not JSON. */
export class Malformed extends Error {}

/** Always the same: to say where it was thrown costs more than to read a record, and nobody asks. */
export const malformed = new Malformed();

export const quote = 0x22;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/** What may come next. Numbers, since they are compared at every token. */
const Expected: Readonly<Record<'value' | 'firstValue' | 'key' | 'firstKey' | 'colon' | 'more', number>> = {
  value: 0,
  firstValue: 1,
  key: 2,
  firstKey: 3,
  colon: 4,
  more: 5,
};

/** Goes over JSON from token to token. Strings are jumped over, the rest is checked. */
export class TokenWalker {
  protected bytes: Uint8Array = new Uint8Array(0);
  /** Where the token that was taken last begins. */
  protected at = 0;
  private readonly finder: Finder;
  private readonly tokens: Uint32Array;
  /** Of the window that is being looked at: where it begins, how many tokens it has, and the next of them. */
  private base = 0;
  private count = 0;
  private next = 0;
  /** How many tokens `skip` went over the last time. */
  protected skipped = 0;
  /** The closing bracket of each container that is open while skipping. */
  private open = new Uint8Array(64);

  constructor(finder: Finder) {
    this.finder = finder;
    this.tokens = finder.tokens;
  }

  /** Begins another text. */
  protected start(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.base = 0;
    this.fill(1);
  }

  private fill(first: 0 | 1): void {
    const { bytes, base, finder } = this;
    const length = Math.min(windowBytes, bytes.length - base);
    finder.input.set(base === 0 && length === bytes.length ? bytes : bytes.subarray(base, base + length));
    const found = finder.find(length, first);
    const isLast = base + length >= bytes.length;
    if (found < 0 || (isLast && found % 2 === 1)) throw malformed;
    this.count = found >> 1;
    this.next = 0;
  }

  /** False where there are no more tokens. */
  private refill(): boolean {
    while (this.next === this.count) {
      if (this.base + windowBytes >= this.bytes.length) return false;
      this.base += windowBytes;
      this.fill(0);
    }
    return true;
  }

  /** The first byte of the next token, which is not taken; 0 at the end. */
  protected peek(): number {
    if (this.next === this.count && !this.refill()) return 0;
    return this.bytes[this.base + (this.tokens[this.next] ?? 0)] ?? 0;
  }

  /** Where the next token begins. */
  protected nextAt(): number {
    return this.peek() === 0 ? this.bytes.length : this.base + (this.tokens[this.next] ?? 0);
  }

  /** Takes the next token; its first byte. */
  protected take(): number {
    if (this.next === this.count && !this.refill()) throw malformed;
    this.at = this.base + (this.tokens[this.next++] ?? 0);
    return this.bytes[this.at] ?? 0;
  }

  protected expect(byte: number): void {
    if (this.take() !== byte) throw malformed;
  }

  /** Takes the closing bracket if it comes next. */
  protected closes(closer: number): boolean {
    if (this.peek() !== closer) return false;
    this.take();
    return true;
  }

  /** After an element: true for a comma, false for the closing bracket. */
  protected more(closer: number): boolean {
    const byte = this.take();
    if (byte !== comma && byte !== closer) throw malformed;
    return byte === comma;
  }

  /** Where the inside of the string that was taken last begins and ends. */
  protected textStart = 0;
  protected textEnd = 0;

  /** Takes a string. Nothing inside it is a token: the one after its opening quote is its closing one. */
  protected takeText(): void {
    this.expect(quote);
    this.textStart = this.at + 1;
    this.take();
    this.textEnd = this.at;
  }

  /** Takes a key and its colon. */
  protected takeKey(): void {
    const { bytes, tokens, base, next } = this;
    if (next + 3 > this.count) {
      this.takeText();
      this.expect(colon);
      return;
    }
    // All at once: every second token is part of a key.
    const start = base + (tokens[next] ?? 0);
    if (bytes[start] !== quote || bytes[base + (tokens[next + 2] ?? 0)] !== colon) throw malformed;
    this.textStart = start + 1;
    this.textEnd = base + (tokens[next + 1] ?? 0);
    this.next = next + 3;
  }

  /**
   * Past the value that comes next, and just past its last token. Without recursion, since it may be nested deep, and in
   * one loop without calls, since most tokens go through here.
   */
  protected skip(): number {
    const { bytes, tokens } = this;
    let { base, next, count } = this;
    // Mostly it is a string: two tokens.
    if (next + 1 < count && bytes[base + (tokens[next] ?? 0)] === quote) {
      this.next = next + 2;
      this.skipped = 2;
      return base + (tokens[next + 1] ?? 0) + 1;
    }
    let at = 0;
    let depth = 0;
    /** Tokens of the windows before, less those of this one that came before. */
    let before = -next;
    let closer = 0;
    let expected = Expected.value;
    for (;;) {
      if (next === count) {
        this.next = next;
        before += next;
        if (!this.refill()) throw malformed;
        ({ base, next, count } = this);
      }
      at = base + (tokens[next++] ?? 0);
      const byte = bytes[at];
      if (byte === quote) {
        if (expected === Expected.more || expected === Expected.colon) throw malformed;
        // Its closing quote is the next token, since nothing in between is one.
        if (next === count) {
          this.next = next;
          before += next;
          this.refill();
          ({ base, next, count } = this);
        }
        at = base + (tokens[next++] ?? 0);
        expected =
          expected === Expected.key || expected === Expected.firstKey ? Expected.colon : Expected.more;
      } else if (byte === comma) {
        if (expected !== Expected.more) throw malformed;
        expected = closer === closeBrace ? Expected.key : Expected.value;
        continue;
      } else if (byte === colon) {
        if (expected !== Expected.colon) throw malformed;
        expected = Expected.value;
        continue;
      } else if (
        byte === closer &&
        (expected === Expected.more || expected === Expected.firstValue || expected === Expected.firstKey)
      ) {
        depth -= 1;
        closer = depth === 0 ? 0 : (this.open[depth - 1] ?? 0);
        expected = Expected.more;
      } else if (expected !== Expected.value && expected !== Expected.firstValue) {
        throw malformed;
      } else if (byte === openBrace || byte === openBracket) {
        closer = byte === openBrace ? closeBrace : closeBracket;
        if (depth === this.open.length) this.open = doubled(this.open);
        this.open[depth++] = closer;
        expected = byte === openBrace ? Expected.firstKey : Expected.firstValue;
        continue;
      } else {
        at = wordEnd(bytes, at) - 1;
        expected = Expected.more;
      }
      if (closer === 0) {
        this.next = next;
        this.skipped = before + next;
        return at + 1;
      }
    }
  }
}

function doubled(from: Uint8Array): Uint8Array<ArrayBuffer> {
  const into = new Uint8Array(from.length * 2);
  into.set(from);
  return into;
}

/** Past the number, `true`, `false`, `null`, `NaN` or infinity that starts at `start`, and is all there is up to a token. */
export function wordEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start] ?? 0;
  const end =
    first === 0x2d || (first >= 0x30 && first <= 0x39) ? numberEnd(bytes, start) : nameEnd(bytes, start);
  const after = bytes[end];
  if (
    after !== undefined &&
    after > 0x20 &&
    after !== comma &&
    after !== closeBrace &&
    after !== closeBracket
  ) {
    throw malformed;
  }
  return end;
}

function nameEnd(bytes: Uint8Array, start: number): number {
  const name = names[bytes[start] ?? 0];
  if (name === undefined) throw malformed;
  for (let at = 1; at < name.length; at++) if (bytes[start + at] !== name[at]) throw malformed;
  return start + name.length;
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === 0x2d ? start + 1 : start;
  // An infinity.
  if (bytes[at] === 0x49) return nameEnd(bytes, at);
  const firstDigit = at;
  at = digits(bytes, at);
  if (at === firstDigit || (bytes[firstDigit] === 0x30 && at > firstDigit + 1)) throw malformed;
  if (bytes[at] === 0x2e) {
    const fraction = digits(bytes, at + 1);
    if (fraction === at + 1) throw malformed;
    at = fraction;
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    const sign = bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d ? 2 : 1;
    const exponent = digits(bytes, at + sign);
    if (exponent === at + sign) throw malformed;
    at = exponent;
  }
  return at;
}

function digits(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined || byte < 0x30 || byte > 0x39) return at;
    at++;
  }
}

function ascii(word: string): Uint8Array {
  return Uint8Array.from(word, (letter) => letter.charCodeAt(0));
}

/** By their first byte. */
const names: (Uint8Array | undefined)[] = Array.from({ length: 256 });
for (const name of ['null', 'true', 'false', 'NaN', 'Infinity']) names[name.charCodeAt(0)] = ascii(name);
