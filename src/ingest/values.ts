import { defaultMaxRecordBytes, isSpace, newline, Pieces, type Span, type Splitter } from './span';

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

type Inside =
  | 'nothing'
  | 'container'
  | 'string'
  /** A number or a word. */
  | 'scalar'
  /** What cannot start a value: taken to the end of its line. */
  | 'junk';

/**
 * One record per JSON value, however it is spread over lines: `{…}\n{…}`, or the elements of one array
 * (`elements: true`). Follows depth and strings only; whether a value is JSON is for the parser to say.
 */
export class ValueSplitter implements Splitter {
  private readonly pieces: Pieces;
  private readonly elements: boolean;
  private array: 'before' | 'open' | 'closed' = 'before';
  private inside: Inside = 'nothing';
  private depth = 0;
  private inString = false;
  /** The last byte of the last chunk was a backslash that escapes the next one. */
  private escaped = false;
  private offset = 0;
  private start = 0;
  private line = 1;
  private startLine = 1;

  constructor({ elements = false, maxRecordBytes = defaultMaxRecordBytes } = {}) {
    this.pieces = new Pieces(maxRecordBytes);
    this.elements = elements;
  }

  push(chunk: Uint8Array): Span[] {
    const spans: Span[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.inside === 'nothing') at = this.findStart(chunk, at);
      if (at >= chunk.length) break;
      const end = this.findEnd(chunk, at);
      const part = chunk.subarray(at, end < 0 ? chunk.length : end);
      this.countLines(part);
      if (end < 0) {
        this.pieces.keep(part);
        break;
      }
      spans.push(this.take(part));
      at = end;
    }
    this.offset += chunk.length;
    return spans;
  }

  end(): Span[] {
    const spans: Span[] = [];
    const unfinished = this.inside === 'container' || this.inside === 'string';
    if (this.inside !== 'nothing') {
      const span = this.take();
      spans.push(unfinished ? { ...span, defect: span.defect ?? 'The file ends inside this value' } : span);
    }
    if (this.array === 'open' && !unfinished) {
      spans.push({
        start: this.offset,
        end: this.offset,
        line: this.line,
        bytes: new Uint8Array(0),
        defect: 'The file ends before its array is closed',
      });
    }
    return spans;
  }

  /** The first byte of the next value at or after `at`, or the chunk's length. */
  private findStart(chunk: Uint8Array, at: number): number {
    for (let i = at; i < chunk.length; i++) {
      const byte = chunk[i];
      if (byte === newline) this.line += 1;
      if (isSpace(byte) || byte === 0xef || byte === 0xbb || byte === 0xbf) continue;
      if (this.elements && this.array === 'before') {
        if (byte === openBracket) {
          this.array = 'open';
          continue;
        }
        this.array = 'closed';
      }
      if (this.array === 'open' && byte === comma) continue;
      if (this.array === 'open' && byte === closeBracket) {
        this.array = 'closed';
        continue;
      }
      this.start = this.offset + i;
      this.startLine = this.line;
      this.inside = kindOf(byte);
      this.depth = 0;
      this.inString = false;
      this.escaped = false;
      return i;
    }
    return chunk.length;
  }

  /** Just past the value that is being read, or -1 where it goes on in the next chunk. */
  private findEnd(chunk: Uint8Array, at: number): number {
    switch (this.inside) {
      case 'container':
      case 'string':
        return this.findClose(chunk, at);
      case 'scalar':
        for (let i = at; i < chunk.length; i++) if (endsScalar(chunk[i])) return i;
        return -1;
      case 'junk':
      case 'nothing':
        return chunk.indexOf(newline, at);
    }
  }

  private findClose(chunk: Uint8Array, at: number): number {
    let { depth, inString } = this;
    let i = at;
    while (i < chunk.length) {
      if (inString) {
        const end = this.findQuote(chunk, i);
        if (end < 0) break;
        inString = false;
        i = end + 1;
        if (depth === 0) return i;
      }
      while (i < chunk.length) {
        const byte = chunk[i++];
        if (byte === quote) {
          inString = true;
          break;
        }
        if (byte === openBrace || byte === openBracket) depth++;
        else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return i;
      }
    }
    this.depth = depth;
    this.inString = inString;
    return -1;
  }

  /** The quote that closes the string we are in, or -1. */
  private findQuote(chunk: Uint8Array, at: number): number {
    let from = this.escaped ? at + 1 : at;
    this.escaped = false;
    for (;;) {
      const found = chunk.indexOf(quote, from);
      const end = found < 0 ? chunk.length : found;
      let escapes = 0;
      while (end - escapes > from && chunk[end - escapes - 1] === backslash) escapes++;
      const odd = escapes % 2 === 1;
      if (found < 0) {
        this.escaped = odd;
        return -1;
      }
      if (!odd) return found;
      from = found + 1;
    }
  }

  private countLines(part: Uint8Array): void {
    for (let at = part.indexOf(newline); at >= 0; at = part.indexOf(newline, at + 1)) this.line += 1;
  }

  private take(ending?: Uint8Array): Span {
    this.inside = 'nothing';
    const end = this.start + this.pieces.length + (ending?.length ?? 0);
    return { start: this.start, end, line: this.startLine, ...this.pieces.take(ending) };
  }
}

function kindOf(byte: number | undefined): Inside {
  if (byte === openBrace || byte === openBracket) return 'container';
  if (byte === quote) return 'string';
  return byte !== undefined && '-0123456789tfnNI'.includes(String.fromCharCode(byte)) ? 'scalar' : 'junk';
}

function endsScalar(byte: number | undefined): boolean {
  return (
    isSpace(byte) ||
    byte === comma ||
    byte === quote ||
    byte === openBrace ||
    byte === closeBrace ||
    byte === openBracket ||
    byte === closeBracket
  );
}
