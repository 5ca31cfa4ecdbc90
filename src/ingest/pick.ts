import {
  cellOf,
  idOf,
  longestWord,
  setOwn,
  wordCode,
  type ItemColumn,
  type Picks,
  type TablePicks,
} from '../formats';
import { decode } from './bytes';
import { isPlain, KnownStrings } from './tokens/known';
import { finder, type Finder } from './tokens/simd';
import {
  closeBrace,
  closeBracket,
  malformed,
  Malformed,
  openBrace,
  openBracket,
  quote,
  TokenWalker,
  wordEnd,
} from './tokens/walk';

/**
 * What `prune` leaves of a record, straight from its bytes: the rest is jumped over, not parsed. Undefined where the
 * bytes are not JSON, where the whole record is needed, and where `NaN` stands in a part that is wanted whole: then it
 * must be parsed.
 *
 * It looks at everything outside strings. What is wrong inside a string that is not wanted (a bad escape, a control
 * character) is found when the record is opened.
 */
export function pick(bytes: Uint8Array, picks: Picks): { value: unknown } | undefined {
  shared ??= pickerFor(finder());
  try {
    return shared?.pick(bytes, picks);
  } catch (error) {
    // Parts that are wanted whole go to `JSON.parse`, and a string may be too long to be one.
    if (error instanceof Malformed || error instanceof SyntaxError || error instanceof RangeError)
      return undefined;
    throw error;
  }
}

/** Made when it is first needed, and used for one record after another. Null where there is no finder of tokens. */
let shared: Picker | null | undefined;

function pickerFor(found: Finder | undefined): Picker | null {
  return found === undefined ? null : new Picker(found);
}

const backslash = 0x5c;

class Picker extends TokenWalker {
  private readonly known = new KnownStrings();
  /** The same bytes, to be read four at a time. */
  private view: DataView = new DataView(new ArrayBuffer(0));

  pick(bytes: Uint8Array, picks: Picks): { value: unknown } {
    this.start(bytes);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const value = this.value(picks);
    if (this.peek() !== 0) throw malformed;
    return { value };
  }

  private value(picks: Picks): unknown {
    if (picks === 'all') return this.whole();
    if (picks === 'record') throw malformed;
    if ('table' in picks) return this.table(picks);
    switch (this.peek()) {
      case openBrace:
        return this.object(picks);
      case openBracket:
        return this.array(picks.items);
      case quote:
        return this.text(picks.text);
      default:
        return this.word();
    }
  }

  private whole(): unknown {
    const first = this.peek();
    if (first === quote) return this.text(Infinity);
    if (first !== openBrace && first !== openBracket) return this.word();
    const start = this.nextAt();
    const end = this.skip();
    return JSON.parse(decode(this.bytes.subarray(start, end)));
  }

  private object(picks: Exclude<Picks, string | TablePicks>): unknown {
    const object: Record<string, unknown> = {};
    this.take();
    if (this.closes(closeBrace)) return object;
    do {
      this.takeKey();
      const { textStart: keyStart, textEnd: keyEnd } = this;
      let own = picks.index.find(this.bytes, keyStart, keyEnd);
      let key: string | undefined;
      if (own === undefined && (picks.others !== undefined || this.isEscaped(keyStart, keyEnd))) {
        key = this.made(keyStart, keyEnd, Infinity);
        own = picks.keys.get(key) ?? picks.others;
      }
      if (own === undefined) this.skip();
      else setOwn(object, key ?? this.made(keyStart, keyEnd, Infinity), this.value(own));
    } while (this.more(closeBrace));
    return object;
  }

  private array(items: Picks | undefined): unknown[] {
    if (items === undefined) {
      this.skip();
      return [];
    }
    const array: unknown[] = [];
    this.take();
    if (this.closes(closeBracket)) return array;
    do array.push(this.value(items));
    while (this.more(closeBracket));
    return array;
  }

  private table(picks: TablePicks): unknown {
    const { table } = picks;
    const first = this.peek();
    if (first === quote) return this.text(1);
    if (first === openBrace) throw malformed;
    if (first !== openBracket) return this.word();
    this.take();
    table.length = 0;
    if (this.closes(closeBracket)) return table;
    do this.item(picks);
    while (this.more(closeBracket));
    return table;
  }

  private item({ index, table }: TablePicks): void {
    this.expect(openBrace);
    const start = table.add();
    if (this.closes(closeBrace)) return;
    do {
      this.takeKey();
      const { textStart: keyStart, textEnd: keyEnd } = this;
      const column =
        index.find(this.bytes, keyStart, keyEnd) ??
        (this.isEscaped(keyStart, keyEnd) ? table.columns.get(this.decoded(keyStart, keyEnd)) : undefined);
      if (column === undefined) this.skip();
      else table.cells[start + column.place] = this.cell(column);
    } while (this.more(closeBrace));
  }

  private isEscaped(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.bytes[at] === backslash) return true;
    return false;
  }

  /** As `cellOf` a parsed value. */
  private cell({ kind }: ItemColumn): number {
    const first = this.peek();
    if (kind === 'word' || kind === 'id') {
      if (first === quote) return kind === 'word' ? this.wordCell() : this.idCell();
      this.skip();
      return -1;
    }
    this.skip();
    // An empty list is the only one of two tokens.
    const isThere = first === openBracket ? this.skipped > 2 : first !== 0x6e;
    if (isThere && kind === 'none') throw malformed;
    return isThere ? 1 : 0;
  }

  private wordCell(): number {
    this.takeText();
    const { known, textStart: start, textEnd: end } = this;
    const slot = known.find(this.view, start, end);
    const before = slot < 0 ? -1 : (known.codes[slot] ?? -1);
    if (before >= 0) return before;
    const code = wordCode(this.made(start, end, longestWord + 1));
    if (code === undefined) throw malformed;
    if (slot >= 0) known.codes[slot] = code;
    return code;
  }

  private idCell(): number {
    this.takeText();
    const { textStart: start, textEnd: end } = this;
    // What is escaped or not ASCII has other bytes elsewhere.
    if (!isPlain(this.view, start, end)) return cellOf('id', this.decoded(start, end)) ?? -1;
    return idOf(this.view, start, end);
  }

  /** A string, of which at most `length` characters are wanted. */
  private text(length: number): string {
    this.takeText();
    return this.made(this.textStart, this.textEnd, length);
  }

  /** The string that these bytes write, up to `length` characters of it. */
  private made(start: number, end: number, length: number): string {
    // A character takes up to six bytes: `\u00e9`.
    const cut = end - start > length * 6 ? this.cutAfter(start, length) : end;
    const slot = this.known.find(this.view, start, cut);
    return (slot < 0 ? this.decoded(start, cut) : this.known.text(slot)).slice(0, length);
  }

  private decoded(start: number, end: number): string {
    const parsed: unknown = JSON.parse(`"${decode(this.bytes.subarray(start, end))}"`);
    return String(parsed);
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

  private word(): unknown {
    const first = this.take();
    const start = this.at;
    const end = wordEnd(this.bytes, start);
    if (first === 0x74) return true;
    if (first === 0x66) return false;
    if (first === 0x6e) return null;
    return decimal(this.bytes, start, end) ?? Number(ascii(this.bytes, start, end));
  }
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

/** Powers of ten that are exact. */
const powers = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * A number without an exponent and of at most 15 digits: the digits are exact, and so is the power of ten they are
 * divided by, so that the quotient is the nearest number there is.
 */
function decimal(bytes: Uint8Array, start: number, end: number): number | undefined {
  const negative = bytes[start] === 0x2d;
  const first = negative ? start + 1 : start;
  if (end - first > 16) return undefined;
  let value = 0;
  let point = end;
  for (let at = first; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else if (digit === -2) point = at;
    else return undefined;
  }
  if (point === end && end - first > 15) return undefined;
  const size = point === end ? value : value / (powers[end - point - 1] ?? NaN);
  return negative ? -size : size;
}
