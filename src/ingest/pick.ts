import { setOwn, type Picks } from '../formats';
import { decode } from './bytes';
import { JsonSkipper, Malformed } from './skip';

/**
 * What `prune` leaves of a record, straight from its bytes: the rest is jumped over, not parsed. Undefined where the
 * bytes are not JSON, where the whole record is needed, and where `NaN` stands in a part that is wanted whole: then it
 * must be parsed.
 *
 * It looks at everything outside strings. What is wrong inside a string that is not wanted (a bad escape, a control
 * character) is found when the record is opened.
 */
export function pick(bytes: Uint8Array, picks: Picks): { value: unknown } | undefined {
  try {
    const picker = new Picker(bytes);
    const value = picker.value(picks);
    picker.finish();
    return { value };
  } catch (error) {
    // Parts that are wanted whole go to `JSON.parse`, and a string may be too long to be one.
    if (error instanceof Malformed || error instanceof SyntaxError || error instanceof RangeError)
      return undefined;
    throw error;
  }
}

const quote = 0x22;
const backslash = 0x5c;

class Picker extends JsonSkipper {
  value(picks: Picks): unknown {
    if (picks === 'all') return this.whole();
    if (picks === 'record') throw new Malformed();
    switch (this.next()) {
      case 0x7b:
        return this.object(picks);
      case 0x5b:
        return this.array(picks.items);
      case quote:
        return this.text(picks.text);
      default:
        return this.scalar();
    }
  }

  finish(): void {
    this.space();
    if (this.at < this.bytes.length) throw new Malformed();
  }

  private whole(): unknown {
    const first = this.next();
    if (first === quote) return this.text(Infinity);
    if (first !== 0x7b && first !== 0x5b) return this.scalar();
    const start = this.at;
    this.skip();
    return JSON.parse(decode(this.bytes.subarray(start, this.at)));
  }

  private object(picks: Exclude<Picks, string>): unknown {
    const object: Record<string, unknown> = {};
    this.at += 1;
    if (this.closes(0x7d)) return object;
    do {
      if (this.next() !== quote) throw new Malformed();
      const key = this.text(Infinity);
      this.expect(0x3a);
      const own = picks.keys.get(key) ?? picks.others;
      if (own === undefined) this.skip();
      else setOwn(object, key, this.value(own));
    } while (this.more(0x7d));
    return object;
  }

  private array(items: Picks | undefined): unknown[] {
    if (items === undefined) {
      this.skip();
      return [];
    }
    const array: unknown[] = [];
    this.at += 1;
    if (this.closes(0x5d)) return array;
    do array.push(this.value(items));
    while (this.more(0x5d));
    return array;
  }

  /** A string, of which at most `length` characters are wanted. */
  private text(length: number): string {
    const start = this.at + 1;
    this.string();
    const end = this.at - 1;
    // A character takes up to six bytes: `\u00e9`.
    const cut = end - start > length * 6 ? this.cutAfter(start, length) : end;
    const short = plainAscii(this.bytes, start, cut);
    if (short !== undefined) return short.slice(0, length);
    const parsed: unknown = JSON.parse(`"${decode(this.bytes.subarray(start, cut))}"`);
    return String(parsed).slice(0, length);
  }

  /** Past the first `length` characters of a string, at the beginning of another. */
  private cutAfter(start: number, length: number): number {
    let at = start;
    for (let seen = 0; seen < length; seen++) {
      const byte = this.bytes[at] ?? 0;
      if (byte === backslash) at += this.bytes[at + 1] === 0x75 ? 6 : 2;
      else if (byte < 0xc0) at += 1;
      else at += byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    }
    return at;
  }

  private scalar(): unknown {
    const start = this.at;
    this.skipScalar();
    const length = this.at - start;
    const first = this.bytes[start];
    if (first === 0x74) return true;
    if (first === 0x66) return false;
    if (first === 0x6e) return null;
    return (
      (length < 10 ? wholeNumber(this.bytes, start, this.at) : undefined) ??
      Number(ascii(this.bytes, start, this.at))
    );
  }
}

/** Strings that are longer, or have anything but plain letters, are decoded by the platform. */
const shortString = 40;

/** Keys, types and roles come again and again: made once, by a hash of their bytes. */
const known: (string | undefined)[] = Array.from({ length: 4096 });

function plainAscii(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > shortString) return undefined;
  let hash = end - start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 || byte >= 0x80 || byte === backslash) return undefined;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  const slot = (hash ^ (hash >>> 12)) & 4095;
  const candidate = known[slot];
  if (candidate !== undefined && isWritten(candidate, bytes, start, end)) return candidate;
  const text = ascii(bytes, start, end);
  known[slot] = text;
  return text;
}

function isWritten(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = start; at < end; at++) if (text.charCodeAt(at - start) !== bytes[at]) return false;
  return true;
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

function wholeNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value;
}
