import { defaultMaxRecordBytes, isSpace, Pieces, type Span, type Splitter } from './span';
import { eachNewline } from './tokens/newlines';

/** One record per line. Blank lines, CRLF and a byte order mark are no part of a record. */
export class LineSplitter implements Splitter {
  private readonly pieces: Pieces;
  private offset = 0;
  private lineStart = 0;
  private line = 1;

  constructor(maxRecordBytes = defaultMaxRecordBytes) {
    this.pieces = new Pieces(maxRecordBytes);
  }

  push(chunk: Uint8Array): Span[] {
    const spans: Span[] = [];
    let from = 0;
    eachNewline(chunk, (at) => {
      this.close(spans, chunk.subarray(from, at));
      from = at + 1;
      this.lineStart = this.offset + from;
      this.line += 1;
    });
    this.pieces.keep(chunk.subarray(from));
    this.offset += chunk.length;
    return spans;
  }

  end(): Span[] {
    const spans: Span[] = [];
    this.close(spans);
    return spans;
  }

  private close(spans: Span[], ending?: Uint8Array): void {
    const length = this.pieces.length + (ending?.length ?? 0);
    if (length === 0) return;
    const { bytes, defect } = this.pieces.take(ending);
    if (defect !== undefined) {
      spans.push({ start: this.lineStart, end: this.lineStart + length, line: this.line, bytes, defect });
      return;
    }
    let start = byteOrderMark(bytes);
    let end = bytes.length;
    while (start < end && isSpace(bytes[start])) start++;
    while (end > start && isSpace(bytes[end - 1])) end--;
    if (start === end) return;
    spans.push({
      start: this.lineStart + start,
      end: this.lineStart + end,
      line: this.line,
      bytes: bytes.subarray(start, end),
    });
  }
}

/** Its length where there is one: files that were put together with `cat` have them inside, too. */
export function byteOrderMark(bytes: Uint8Array): 0 | 3 {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
