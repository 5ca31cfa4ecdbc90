import { formats as allFormats, type Format } from '../formats';
import type { EpisodeSummary } from '../model';
import { breather } from './breathe';
import { blobBytes, concat, decode, type ByteSource } from './bytes';
import { headBytes, layoutOf, splitterFor } from './layout';
import { parseJson } from './parse';
import type { Failure, Problem } from './protocol';
import { Recogniser, TooBigToGather, type Recognised } from './recognise';
import { sniff, sniffedBytes } from './sniff';
import { defaultMaxRecordBytes, type Span, type Splitter } from './span';

/** A record as it passes by. Nothing of it is kept by the reader. */
export interface ReadRecord extends Recognised {
  summaries: EpisodeSummary[];
}

/** Called in the order of the file; reading waits for what a call returns. */
export interface Visitor {
  record?(read: ReadRecord): void | Promise<void>;
  problem?(problem: Problem): void | Promise<void>;
  /** After each chunk, with the bytes read so far. */
  progress?(bytesRead: number): void;
}

export interface ReadOptions {
  formats?: readonly Format[];
  signal?: AbortSignal;
  maxRecordBytes?: number;
}

export interface ReadResult {
  outcome: 'complete' | 'cancelled' | 'failed';
  failure?: Failure;
  /** Of most of its records; undefined where no format claims them. */
  format?: Format;
  /** Values read without a problem. */
  records: number;
  episodes: number;
  problems: number;
  bytesRead: number;
}

/** Reads a source from its first byte to its last, with flat memory, and shows each record to the visitor. */
export async function readSource(
  data: Blob,
  visitor: Visitor,
  options: ReadOptions = {},
): Promise<ReadResult> {
  return readBytes(blobBytes(data), visitor, options);
}

export async function readBytes(
  bytes: ByteSource,
  visitor: Visitor,
  options: ReadOptions = {},
): Promise<ReadResult> {
  const reading = new Reading(visitor, options);
  try {
    const sniffed = sniff(await bytes.read(0, sniffedBytes));
    if (sniffed.kind === 'unreadable') return reading.failed(sniffed.failure);
    if (sniffed.kind === 'container') return reading.failed(notYet(sniffed.container));
    await reading.run(bytes);
  } catch (error) {
    return reading.failed(failureOf(error, reading.result.bytesRead));
  }
  return reading.finished();
}

class Reading {
  readonly result: ReadResult = { outcome: 'complete', records: 0, episodes: 0, problems: 0, bytesRead: 0 };
  private readonly visitor: Visitor;
  private readonly formats: readonly Format[];
  private readonly recogniser: Recogniser;
  private readonly signal: AbortSignal | undefined;
  private readonly maxRecordBytes: number;
  private readonly breathe = breather();

  constructor(visitor: Visitor, options: ReadOptions) {
    this.visitor = visitor;
    this.formats = options.formats ?? allFormats;
    this.recogniser = new Recogniser(this.formats);
    this.signal = options.signal;
    this.maxRecordBytes = options.maxRecordBytes ?? defaultMaxRecordBytes;
  }

  async run(bytes: ByteSource): Promise<void> {
    let head: Uint8Array[] = [];
    let headLength = 0;
    let wanted = headBytes;
    let splitter: Splitter | undefined;
    for await (const chunk of bytes.chunks(this.signal)) {
      if (this.cancelled) break;
      if (splitter === undefined) {
        head.push(chunk);
        headLength += chunk.length;
        if (headLength >= wanted) {
          splitter = this.chooseSplitter(concat(head).subarray(0, wanted), false);
          wanted *= 2;
        }
        if (splitter !== undefined) {
          for (const part of head) await this.take(splitter.push(part));
          head = [];
        }
      } else {
        await this.take(splitter.push(chunk));
      }
      this.result.bytesRead += chunk.length;
      this.visitor.progress?.(this.result.bytesRead);
      await this.breathe();
    }
    if (!this.cancelled && splitter === undefined) {
      splitter = this.chooseSplitter(concat(head), true);
      for (const part of head) await this.take(splitter?.push(part) ?? []);
    }
    if (!this.cancelled) await this.take(splitter?.end() ?? []);
    // What was read before a cancel counts, also where it was still waiting for its format.
    for (const recognised of this.recogniser.end()) await this.emit(recognised);
  }

  /** Past `maxRecordBytes` there is nothing to wait for: the record would not be read anyway. */
  private chooseSplitter(head: Uint8Array, whole: boolean): Splitter | undefined {
    const layout = layoutOf(head, whole || head.length > this.maxRecordBytes, this.formats);
    return layout === undefined ? undefined : splitterFor(layout, this.maxRecordBytes);
  }

  private get cancelled(): boolean {
    return this.signal?.aborted === true;
  }

  private async take(spans: readonly Span[]): Promise<void> {
    for (const span of spans) {
      if (this.cancelled) return;
      const pause = this.breathe();
      if (pause !== undefined) await pause;
      const parsed = readSpan(span);
      if (!parsed.ok) {
        await this.problem(span, parsed.reason);
        continue;
      }
      const place = { byteStart: span.start, byteEnd: span.end, line: span.line };
      const record = { value: parsed.value, text: parsed.text, index: this.result.records, line: span.line };
      this.result.records += 1;
      for (const recognised of this.recogniser.add(record, place)) {
        const waiting = this.emit(recognised);
        if (waiting !== undefined) await waiting;
      }
    }
  }

  private emit(recognised: Recognised): void | Promise<void> {
    let summaries: EpisodeSummary[] = [];
    try {
      summaries = recognised.format?.summarise(recognised.record) ?? [];
    } catch (error) {
      const name = recognised.format?.name ?? '';
      return this.problemAt(recognised.place, `Could not be read as ${name}: ${messageOf(error)}`, () =>
        recognised.record.text.slice(0, excerptLength),
      );
    }
    this.result.episodes += summaries.length;
    return this.visitor.record?.({ ...recognised, summaries });
  }

  private problem(span: Span, reason: string): void | Promise<void> {
    const place = { byteStart: span.start, byteEnd: span.end, line: span.line };
    return this.problemAt(place, reason, () =>
      decode(span.bytes.subarray(0, excerptLength * 4)).slice(0, excerptLength),
    );
  }

  private problemAt(place: Recognised['place'], reason: string, excerpt: () => string): void | Promise<void> {
    this.result.problems += 1;
    return this.visitor.problem?.({ ...place, reason, excerpt: excerpt() });
  }

  finished(): ReadResult {
    this.settle();
    if (this.cancelled) return { ...this.result, outcome: 'cancelled' };
    if (this.result.records === 0 && this.result.problems > 0) return this.failed(nothingIsJson);
    return this.result;
  }

  failed(failure: Failure): ReadResult {
    this.settle();
    return { ...this.result, outcome: 'failed', failure };
  }

  private settle(): void {
    if (this.recogniser.format !== undefined) this.result.format = this.recogniser.format;
  }
}

const excerptLength = 200;

function readSpan(span: Span): { ok: true; value: unknown; text: string } | { ok: false; reason: string } {
  if (span.defect !== undefined) return { ok: false, reason: span.defect };
  let text: string;
  try {
    text = decode(span.bytes);
  } catch (error) {
    return { ok: false, reason: `The record is too long to be read at once: ${messageOf(error)}` };
  }
  const parsed = parseJson(text, span.line);
  return parsed.ok ? { ...parsed, text } : parsed;
}

const nothingIsJson: Failure = {
  what: 'Nothing in this file is JSON.',
  next: 'Open a JSON or JSONL file. What was found instead is listed under Problems.',
};

function notYet(container: string): Failure {
  return {
    what: `This file is compressed (${container}), which is not supported yet.`,
    next: 'Decompress it and open the result.',
  };
}

function failureOf(error: unknown, bytesRead: number): Failure {
  if (error instanceof TooBigToGather) {
    return {
      what: `All of this file is one ${error.message}, and it is too big to be read as one.`,
      next: 'Cut it into parts of less than 256 MB and open those.',
    };
  }
  if (bytesRead === 0) {
    return {
      what: `This cannot be read: ${messageOf(error)}`,
      next: 'If it is a folder, open the files in it. If the file was changed or moved, open it again.',
    };
  }
  return {
    what: `Reading stopped after ${bytesRead} bytes: ${messageOf(error)}`,
    next: 'What was read stays. If the file was changed meanwhile, open it again.',
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
