import { formats as allFormats, type Format } from '../formats';
import type { EpisodeSummary } from '../model';
import { errorText } from '../model/error-text';
import { breather } from './breathe';
import { blobBytes, concat, counted, decode, type ByteSource, type Chunks } from './bytes';
import type { InflateLimits } from './inflate';
import { headBytes, layoutOf, linesOfBroken, splitterFor, type Layout } from './layout';
import { parseJson } from './parse';
import { containerFailure, isContainerError, partsOf, type FoundPart, type Part } from './parts';
import type { Failure, Problem } from './protocol';
import { Failed, failureOf, mayPass, nothingIsJson } from './read-failure';
import { Recogniser, type Place, type Recognised } from './recognise';
import { sketchOf, type Sketched } from './sketch';
import type { Container } from './sniff';
import { defaultMaxRecordBytes, type Span, type Splitter } from './span';
import { isCutOff } from './syntax';

/** A record as it passes by. Nothing of it is kept by the reader, and of a sketch the `text` is there only meanwhile. */
export interface ReadRecord extends Recognised {
  /** Which text of the source it stands in: 0 unless the source is a container. */
  part: number;
  /** Of that text, where the container names it. */
  path?: string;
  summaries: EpisodeSummary[];
}

/** Called in the order of the file; reading waits for what a call returns. */
export interface Visitor {
  record?(read: ReadRecord): void | Promise<void>;
  problem?(problem: Problem): void | Promise<void>;
  /** After each chunk, with the bytes of the source read so far. */
  progress?(bytesRead: number): void;
  /**
   * A text of the source begins. Where it cannot be read again by range, because it was compressed, what is returned
   * gets all its bytes; a chunk may change once that is done with it.
   */
  part?(part: Part): ((chunk: Uint8Array) => void | Promise<void>) | undefined;
}

export interface ReadOptions {
  formats?: readonly Format[];
  signal?: AbortSignal;
  maxRecordBytes?: number;
  limits?: InflateLimits;
  /**
   * Summaries are all that is wanted: of records whose format names its `fields` only those are read, several times
   * as fast, and `record.value` has no more than them.
   */
  sketch?: boolean;
  /** Where in a longer text, of one record per line, these bytes begin, and how many records it has before. */
  from?: TextPosition;
}

export interface TextPosition {
  byte: number;
  /** 1-based. */
  line: number;
  records: number;
  /** The format those records have settled, if they have. */
  known?: { format: Format | undefined };
}

export interface ReadResult {
  outcome: 'complete' | 'cancelled' | 'failed';
  failure?: Failure;
  /** It was cancelled, or the bytes did not come: the rest may be read another time. */
  interrupted: boolean;
  /** Of the last text; undefined where too little of it came to tell. */
  layout?: Layout;
  /** Layout and format of that text are known from what it begins with: what follows does not change them. */
  settled: boolean;
  /** The last line, if it could not be read and does not end. Cut off: more of it would make it JSON. */
  torn?: Place & { cutOff: boolean };
  /** Of the first text that has one; undefined where no format claims its records. */
  format?: Format;
  /** From the outside in: `['gzip', 'tar']`; empty for a plain file. */
  containers: readonly Container[];
  /** Values read without a problem. */
  records: number;
  episodes: number;
  problems: number;
  /** Of the source as it is, compressed or not. */
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
  const { signal, limits } = options;
  try {
    const counted = reading.counted(bytes);
    // What a text goes on with says nothing of what it is: only its first bytes do.
    const parts =
      options.from === undefined
        ? partsOf(counted, { signal, limits })
        : [{ containers: [], chunks: counted.chunks(signal), bytes, apart: false }];
    for await (const part of parts) await reading.part(part);
  } catch (error) {
    // What a stopped stream looks like, an empty file for one, says nothing about the source.
    if (signal?.aborted === true) return reading.finished(bytes.size);
    const bytesRead = (options.from?.byte ?? 0) + reading.result.bytesRead;
    return reading.failed(failureOf(error, bytesRead), mayPass(error));
  }
  return reading.finished(bytes.size);
}

class Reading {
  readonly result: ReadResult = {
    outcome: 'complete',
    interrupted: false,
    settled: false,
    containers: [],
    records: 0,
    episodes: 0,
    problems: 0,
    bytesRead: 0,
  };
  private readonly visitor: Visitor;
  private readonly formats: readonly Format[];
  private recogniser: Recogniser;
  private parts = 0;
  private path: string | undefined;
  /** The last that is not JSON. */
  private unread: Place | undefined;
  private readonly signal: AbortSignal | undefined;
  private readonly maxRecordBytes: number;
  private readonly sketch: boolean;
  private readonly from: TextPosition | undefined;
  private readonly breathe = breather();

  constructor(visitor: Visitor, options: ReadOptions) {
    this.visitor = visitor;
    this.formats = options.formats ?? allFormats;
    this.recogniser = new Recogniser(this.formats);
    this.signal = options.signal;
    this.maxRecordBytes = options.maxRecordBytes ?? defaultMaxRecordBytes;
    this.sketch = options.sketch ?? false;
    this.from = options.from;
  }

  /** The same bytes, with an eye on how far they have been read. */
  counted(bytes: ByteSource): ByteSource {
    return counted(bytes, (read) => {
      this.result.bytesRead = Math.min(this.result.bytesRead + read, bytes.size);
    });
  }

  /** Reads one text. One of several that cannot be read is a problem; the only one is a failure. */
  async part(part: FoundPart): Promise<void> {
    this.result.containers = part.containers;
    this.path = part.path;
    const failure = 'failure' in part ? part.failure : await this.tryPart(part);
    if (failure === undefined) return;
    if (!part.apart) throw new Failed(failure);
    await this.problemAt({ byteStart: 0, byteEnd: 0, line: 1 }, failure.what, () => '');
  }

  private async tryPart(part: Part): Promise<Failure | undefined> {
    const keep = this.visitor.part?.(part);
    this.recogniser = new Recogniser(this.formats, this.from?.known);
    try {
      await this.run(part.chunks, keep);
    } catch (error) {
      if (!part.apart || !isContainerError(error)) throw error;
      return containerFailure(error);
    } finally {
      this.parts += 1;
      const { format, settled } = this.recogniser;
      if (format !== undefined) this.result.format ??= format;
      this.result.settled = settled && this.result.layout !== undefined;
    }
    return undefined;
  }

  private async run(chunks: Chunks, keep: ReturnType<NonNullable<Visitor['part']>>): Promise<void> {
    let head: Uint8Array[] = [];
    let headLength = 0;
    let wanted = headBytes;
    let splitter: Splitter | undefined;
    let failure: { error: unknown } | undefined;
    delete this.result.layout;
    try {
      for await (const chunk of chunks) {
        if (this.cancelled) break;
        const kept = keep?.(chunk);
        if (kept !== undefined) await kept;
        if (splitter === undefined) {
          head.push(chunk.slice());
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
        this.visitor.progress?.(this.result.bytesRead);
        await this.breathe();
      }
    } catch (error) {
      failure = { error };
    }
    const isWhole = !this.cancelled && failure === undefined;
    // What came before a cancel or a failure counts, also where it was still waiting for its layout or format.
    if (splitter === undefined && headLength > 0) {
      splitter = this.chooseSplitter(concat(head), true);
      // Of half a text it was a guess.
      if (!isWhole) delete this.result.layout;
      for (const part of head) await this.take(splitter?.push(part) ?? []);
    }
    if (isWhole) await this.end(splitter?.end() ?? []);
    for (const recognised of this.recogniser.end()) await this.emit(recognised);
    if (failure !== undefined) throw failure.error;
  }

  /** Past `maxRecordBytes` there is nothing to wait for: the record would not be read anyway. */
  private chooseSplitter(head: Uint8Array, whole: boolean): Splitter | undefined {
    const layout =
      this.from === undefined
        ? layoutOf(head, whole || head.length > this.maxRecordBytes, this.formats)
        : 'lines';
    if (layout === undefined) return undefined;
    this.result.layout = layout;
    return splitterFor(layout, this.maxRecordBytes);
  }

  /** What the end of the text completes. */
  private async end(spans: readonly Span[]): Promise<void> {
    const before = this.unread;
    await this.take(spans);
    const { unread } = this;
    const [last] = spans;
    if (this.result.layout !== 'lines' || unread === before || unread === undefined) return;
    const cutOff = last !== undefined && last.defect === undefined && isCutOff(decode(last.bytes));
    this.result.torn = { ...unread, cutOff };
  }

  private get cancelled(): boolean {
    return this.signal?.aborted === true;
  }

  private async take(spans: readonly Span[]): Promise<void> {
    for (const span of spans) {
      if (this.cancelled) return;
      const pause = this.breathe();
      if (pause !== undefined) await pause;
      const sketched = this.sketch
        ? sketchOf(span, this.recogniser, this.result.records, this.from?.records)
        : undefined;
      if (sketched !== undefined) {
        this.result.records += 1;
        const waiting = this.emit(sketched);
        if (waiting !== undefined) await waiting;
        continue;
      }
      const parsed = readSpan(span);
      if (!parsed.ok) {
        const lines = linesOfBroken(span);
        await (lines === undefined ? this.problem(span, parsed.reason) : this.take(lines));
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

  private emit(recognised: Sketched): void | Promise<void> {
    if (this.from !== undefined) shift(recognised, this.from);
    let summaries: EpisodeSummary[] = [];
    try {
      const { summary, format, record } = recognised;
      summaries = summary === undefined ? (format?.summarise(record) ?? []) : [summary];
    } catch (error) {
      const name = recognised.format?.name ?? '';
      return this.problemAt(recognised.place, `Could not be read as ${name}: ${errorText(error)}`, () =>
        recognised.record.text.slice(0, excerptLength),
      );
    }
    this.result.episodes += summaries.length;
    // Written out: this is done for every record, and nothing is made that is not needed.
    const { record, place, format } = recognised;
    const { parts: part, path } = this;
    const read: ReadRecord = { record, place, format, part, summaries };
    if (path !== undefined) read.path = path;
    return this.visitor.record?.(read);
  }

  private problem(span: Span, reason: string): void | Promise<void> {
    const place = { byteStart: span.start, byteEnd: span.end, line: span.line };
    if (this.from !== undefined) shiftPlace(place, this.from);
    this.unread = place;
    return this.problemAt(place, reason, () =>
      decode(span.bytes.subarray(0, excerptLength * 4)).slice(0, excerptLength),
    );
  }

  private problemAt(place: Recognised['place'], reason: string, excerpt: () => string): void | Promise<void> {
    this.result.problems += 1;
    const where = this.path === undefined ? {} : { path: this.path };
    return this.visitor.problem?.({ ...place, ...where, reason, excerpt: excerpt() });
  }

  finished(size: number): ReadResult {
    if (this.cancelled) return { ...this.result, outcome: 'cancelled', interrupted: true };
    // Of an archive not every byte is looked at.
    this.result.bytesRead = size;
    const records = this.result.records + (this.from?.records ?? 0);
    if (records === 0 && this.result.problems > 0) return this.failed(nothingIsJson, false);
    return this.result;
  }

  failed(failure: Failure, interrupted: boolean): ReadResult {
    return { ...this.result, outcome: 'failed', failure, interrupted };
  }
}

const excerptLength = 200;

/** Both were made for this record alone. */
function shift({ record, place }: Recognised, from: TextPosition): void {
  record.index += from.records;
  record.line += from.line - 1;
  shiftPlace(place, from);
}

function shiftPlace(place: Place, from: TextPosition): void {
  place.byteStart += from.byte;
  place.byteEnd += from.byte;
  place.line += from.line - 1;
}

function readSpan(span: Span): { ok: true; value: unknown; text: string } | { ok: false; reason: string } {
  if (span.defect !== undefined) return { ok: false, reason: span.defect };
  let text: string;
  try {
    text = decode(span.bytes);
  } catch (error) {
    return { ok: false, reason: `The record is too long to be read at once: ${errorText(error)}` };
  }
  const parsed = parseJson(text, span.line);
  return parsed.ok ? { ...parsed, text } : parsed;
}
