/** Where one record's bytes stand, without the white space around it, and the bytes themselves. */
export interface Span {
  start: number;
  end: number;
  /** 1-based line it starts on. */
  line: number;
  /** Only the beginning where there is a `defect`. */
  bytes: Uint8Array;
  /** Why this is not a record, known before any parsing. */
  defect?: string;
}

/** Finds records in chunks that arrive in order. Spans point into them: they are good until the next is pushed. */
export interface Splitter {
  push(chunk: Uint8Array): Span[];
  /** What the end of the bytes completes. */
  end(): Span[];
}

export const newline = 0x0a;

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;
}

/** More than this is not put together: a string of V8 holds 512 MiB less a little. */
export const defaultMaxRecordBytes = 512 * 1024 * 1024 - 64;

/** Kept of a record that is too long, for the excerpt. */
const keptBytes = 1024;

/** Room for a record of this size is kept for the next one. */
const keptRoom = 4 * 1024 * 1024;

const nothing = new Uint8Array(0);

/** The bytes of one record while it spreads over several chunks, of which only one is there at a time. */
export class Pieces {
  /** Of the record so far. */
  length = 0;
  private held: Uint8Array = nothing;
  private filled = 0;
  /** Two take turns: the last record is still looked at while the beginning of the next is kept. */
  private other: Uint8Array = nothing;
  private readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  /** More of the record, but not its end. */
  keep(part: Uint8Array): void {
    this.length += part.length;
    if (this.length <= this.max) {
      this.append(part);
    } else {
      this.filled = Math.min(this.filled, keptBytes);
      if (this.held.length > keptRoom) this.held = this.held.slice(0, this.filled);
      this.append(part.subarray(0, keptBytes - this.filled));
    }
  }

  /** All bytes, or the first of too many, with those of its end; they are good until the next chunk comes. */
  take(ending: Uint8Array = nothing): Pick<Span, 'bytes' | 'defect'> {
    if (this.length === 0) return bounded(ending, ending.length, this.max);
    this.keep(ending);
    const { held, filled, length, max } = this;
    const bytes = held.subarray(0, filled);
    this.held = this.other.length > keptRoom ? nothing : this.other;
    this.other = held;
    this.filled = 0;
    this.length = 0;
    return bounded(bytes, length, max);
  }

  private append(part: Uint8Array): void {
    const length = this.filled + part.length;
    if (length > this.held.length) {
      const larger = new Uint8Array(Math.max(length, Math.min(this.held.length * 2, this.max)));
      larger.set(this.held.subarray(0, this.filled));
      this.held = larger;
    }
    this.held.set(part, this.filled);
    this.filled = length;
  }
}

function bounded(bytes: Uint8Array, length: number, max: number): Pick<Span, 'bytes' | 'defect'> {
  if (length <= max) return { bytes };
  return { bytes: bytes.subarray(0, keptBytes), defect: tooLong(length, max) };
}

function tooLong(length: number, max: number): string {
  return `The record has ${megabytes(length)} MB; at most ${megabytes(max)} MB can be read at once`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
