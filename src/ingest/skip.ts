/** Bytes that are not JSON. */
export class Malformed extends Error {}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** What may come next. Numbers, since they are compared at every token. */
const Expected: Readonly<Record<'value' | 'firstValue' | 'key' | 'firstKey' | 'colon' | 'more', number>> = {
  value: 0,
  firstValue: 1,
  key: 2,
  firstKey: 3,
  colon: 4,
  more: 5,
};

/** Goes over JSON without making anything of it. Strings are jumped over, the rest is checked. */
export class JsonSkipper {
  at = 0;
  protected readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  protected space(): void {
    const { bytes } = this;
    let { at } = this;
    for (;;) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      at++;
    }
    this.at = at;
  }

  /** The next byte that is no space, not taken. */
  protected next(): number | undefined {
    const byte = this.bytes[this.at];
    if (byte !== undefined && byte > 0x20) return byte;
    this.space();
    return this.bytes[this.at];
  }

  protected expect(byte: number): void {
    if (this.next() !== byte) throw new Malformed();
    this.at += 1;
  }

  /** Takes the closing bracket if it comes next. */
  protected closes(closer: number): boolean {
    if (this.next() !== closer) return false;
    this.at += 1;
    return true;
  }

  /** After an element: true for a comma, false for the closing bracket. */
  protected more(closer: number): boolean {
    const byte = this.next();
    if (byte !== comma && byte !== closer) throw new Malformed();
    this.at += 1;
    return byte === comma;
  }

  /**
   * Past the value that comes next. Without recursion: what is skipped may be nested deep. One loop without calls, since
   * most bytes of a record go through here: calls per token made it half as fast.
   */
  protected skip(): void {
    const { bytes } = this;
    let { at } = this;
    /** The closing bracket of each open container. */
    const open: number[] = [];
    let closer = 0;
    let expected = Expected.value;
    for (;;) {
      const byte = bytes[at];
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
        at++;
        continue;
      }
      if (byte === quote) {
        if (expected === Expected.more || expected === Expected.colon) throw new Malformed();
        at = stringEnd(bytes, at);
        expected =
          expected === Expected.key || expected === Expected.firstKey ? Expected.colon : Expected.more;
      } else if (byte === comma) {
        if (expected !== Expected.more) throw new Malformed();
        at++;
        expected = closer === closeBrace ? Expected.key : Expected.value;
        continue;
      } else if (byte === colon) {
        if (expected !== Expected.colon) throw new Malformed();
        at++;
        expected = Expected.value;
        continue;
      } else if (
        byte === closer &&
        (expected === Expected.more || expected === Expected.firstValue || expected === Expected.firstKey)
      ) {
        at++;
        open.pop();
        closer = open.at(-1) ?? 0;
        expected = Expected.more;
      } else if (expected !== Expected.value && expected !== Expected.firstValue) {
        throw new Malformed();
      } else if (byte === openBrace || byte === openBracket) {
        at++;
        closer = byte === openBrace ? closeBrace : closeBracket;
        open.push(closer);
        expected = byte === openBrace ? Expected.firstKey : Expected.firstValue;
        continue;
      } else {
        this.at = at;
        this.skipScalar();
        at = this.at;
        expected = Expected.more;
      }
      if (closer === 0) {
        this.at = at;
        return;
      }
    }
  }

  /** Past the string that starts here. */
  protected string(): void {
    this.at = stringEnd(this.bytes, this.at);
  }

  /** Past a number, `true`, `false`, `null`, `NaN` or an infinity. */
  protected skipScalar(): void {
    const { bytes } = this;
    const start = this.at;
    const first = bytes[start];
    if (first === 0x2d || (first !== undefined && first >= 0x30 && first <= 0x39)) {
      this.number();
      return;
    }
    for (const word of words) {
      if (word[0] === first && word.every((byte, i) => bytes[start + i] === byte)) {
        this.at = start + word.length;
        return;
      }
    }
    throw new Malformed();
  }

  private number(): void {
    const { bytes } = this;
    let { at } = this;
    if (bytes[at] === 0x2d) at++;
    if (bytes[at] === infinity[0]) {
      if (!infinity.every((byte, i) => bytes[at + i] === byte)) throw new Malformed();
      this.at = at + infinity.length;
      return;
    }
    const firstDigit = at;
    at = digits(bytes, at);
    if (at === firstDigit || (bytes[firstDigit] === 0x30 && at > firstDigit + 1)) throw new Malformed();
    if (bytes[at] === 0x2e) {
      const fraction = digits(bytes, at + 1);
      if (fraction === at + 1) throw new Malformed();
      at = fraction;
    }
    if (bytes[at] === 0x65 || bytes[at] === 0x45) {
      const sign = bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d ? 2 : 1;
      const exponent = digits(bytes, at + sign);
      if (exponent === at + sign) throw new Malformed();
      at = exponent;
    }
    this.at = at;
  }
}

/** Past the string whose opening quote is at `start`. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (;;) {
    // A call of `indexOf` costs as much as looking at so many bytes, and most keys and ids are shorter. Quotes that
    // are escaped stand close together, too.
    const near = Math.min(at + nearBytes, bytes.length);
    while (at < near) {
      const byte = bytes[at];
      if (byte === quote) return at + 1;
      at += byte === backslash ? 2 : 1;
    }
    const found = bytes.indexOf(quote, at);
    if (found < 0) throw new Malformed();
    let escapes = 0;
    while (found - escapes > at && bytes[found - escapes - 1] === backslash) escapes++;
    if (escapes % 2 === 0) return found + 1;
    at = found + 1;
  }
}

const nearBytes = 32;

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

const infinity = ascii('Infinity');
const words = [infinity, ascii('true'), ascii('false'), ascii('null'), ascii('NaN')];
