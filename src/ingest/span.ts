import { concat } from './bytes';

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

/** Finds records in chunks that arrive in order. Chunks must not be changed afterwards: spans point into them. */
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

/** The bytes of one record while it spreads over several chunks. */
export class Pieces {
  private parts: Uint8Array[] = [];
  /** Of a record that is too long. */
  private begin = new Uint8Array(0);
  length = 0;
  private readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  get tooLong(): boolean {
    return this.length > this.max;
  }

  add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.length += part.length;
    if (!this.tooLong) {
      this.parts.push(part);
    } else if (this.begin.length < keptBytes) {
      this.begin = concat([this.begin, ...this.parts, part.subarray(0, keptBytes)]).slice(0, keptBytes);
      this.parts = [];
    }
  }

  /** All bytes, or the first of too many; empties it. */
  take(): Pick<Span, 'bytes' | 'defect'> {
    const taken = this.tooLong
      ? { bytes: this.begin, defect: tooLong(this.length, this.max) }
      : { bytes: concat(this.parts) };
    this.parts = [];
    this.begin = new Uint8Array(0);
    this.length = 0;
    return taken;
  }
}

function tooLong(length: number, max: number): string {
  return `The record has ${megabytes(length)} MB; at most ${megabytes(max)} MB can be read at once`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
