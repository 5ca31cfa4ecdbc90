import type { Beside, Format, SourceRecord } from '../formats';
import type { Episode } from '../model';
import { errorText } from '../model/error-text';
import { pause } from './breathe';
import { blobBytes, bytesFrom, decode, sliceBytes, type ByteSource } from './bytes';
import { parseJson } from './parse';
import type { Extension, Problem, RawRecord, SourceData, SourceInput, SourceState } from './protocol';
import { readBytes, type ReadRecord, type TextPosition } from './read';
import type { Part } from './parts';
import { isRemote, remoteBytes } from './remote';
import { edges, manyPlaces, printOf, resumeIn, type Print, type ReadSoFar } from './resume';
import { FoundRows, type SearchedText } from './found-rows';
import { findInChunks, type Needles } from './search';
import type { Spool } from './spool';
import type { Place } from './recognise';
import { SourceTable, type RecordAt, type RowsOfRecord } from './table';
import { Texts } from './texts';

/** More problems are counted, not kept. */
export const maxProblems = 10_000;

/** Ten a second are enough for eyes. */
const stateInterval = 100;

/** What comes to a file bit by bit is added without a word about reading. */
const quicklyRead = 8e6;

/** Milliseconds. */
const printPatience = 3000;

let serials = 0;

/** One open source: being read, or read. */
export class OpenSource {
  readonly id: string;
  readonly table: SourceTable;
  /** Tells a source from one that was open under the same id before. */
  readonly serial = ++serials;
  readonly problems: Problem[] = [];
  private state: SourceState;
  private bytes: ByteSource;
  private readonly openSpool: () => Spool;
  private readonly texts: Texts;
  private readonly formats: readonly Format[];
  private onState: (state: SourceState) => void;
  private abort = new AbortController();
  private lastRecord: Place | undefined;
  private lastProblem: Problem | undefined;
  private print: Print | undefined;
  private readonly isFar: boolean;
  /** More records cannot simply be added: they are not one per line of a file, or all make one episode. */
  private isWhole: boolean;
  /** Reading was stopped or broke off. */
  private interrupted = false;
  /** The last problem is a line that does not end. */
  private endsInLine = false;
  /** The format that the first records have settled, if they have. */
  private known: TextPosition['known'];
  /** One after another: each begins where the one before it ended. */
  private extensions: Promise<unknown> = Promise.resolve();
  private isClosed = false;
  /** Lint is filling columns of its table. */
  linting = false;
  private lastSent = -Infinity;
  /** When reading has ended, whichever way. */
  done: Promise<void>;

  constructor(
    input: SourceInput,
    { formats, spool }: { formats: readonly Format[]; spool: () => Spool },
    onState: (state: SourceState) => void,
  ) {
    this.id = input.id;
    this.table = new SourceTable(input.name);
    this.openSpool = spool;
    this.texts = new Texts(() => this.bytes, spool);
    this.isFar = isRemote(input.data);
    this.bytes = this.bytesOf(input.data);
    // What cannot be asked for in parts comes from its beginning anyway.
    this.isWhole = isRemote(input.data) && !input.data.ranges;
    this.formats = formats;
    this.onState = onState;
    this.state = {
      id: input.id,
      name: input.name,
      phase: 'reading',
      bytesRead: 0,
      bytesTotal: this.bytes.size,
      records: 0,
      episodes: 0,
      problems: 0,
    };
    this.done = this.read();
  }

  /** What its table holds changes from moment to moment. */
  get changing(): boolean {
    return this.state.phase === 'reading' || this.linting;
  }

  get closed(): boolean {
    return this.isClosed;
  }

  private bytesOf(data: SourceData): ByteSource {
    return isRemote(data) ? remoteBytes(data, this.openSpool) : blobBytes(data);
  }

  /** All of it, or what comes after a position. */
  private async read(from?: TextPosition): Promise<void> {
    this.send();
    const before = { records: from?.records ?? 0, problems: this.state.problems, bytes: from?.byte ?? 0 };
    const result = await readBytes(
      from === undefined ? this.bytes : bytesFrom(this.bytes, from.byte),
      {
        record: (read) => {
          this.table.add(read);
          this.lastRecord = read.place;
          this.state.records = read.record.index + 1;
          // The format shown is that of the first record until the whole source is known.
          if (this.state.format === undefined) Object.assign(this.state, formatOf(read.format));
          this.sendInTime();
        },
        problem: (problem) => {
          this.lastProblem = problem;
          if (this.problems.length < maxProblems) this.problems.push(problem);
          this.update({ problems: this.state.problems + 1 });
        },
        progress: (bytesRead) =>
          this.update({
            bytesRead: before.bytes + bytesRead,
            bytesTotal: this.bytes.size,
            ...this.texts.unpacked,
          }),
        ...(from === undefined ? { part: (part: Part) => this.texts.add(part) } : {}),
      },
      {
        formats: this.formats,
        signal: this.abort.signal,
        sketch: true,
        ...(from === undefined ? {} : { from }),
      },
    );
    const { records, problems, bytesRead, format, outcome, failure, containers } = result;
    const { layout, settled, torn, interrupted } = result;
    const phase = outcome === 'complete' ? 'ready' : outcome;
    const inLines = layout === undefined || layout === 'lines';
    this.isWhole ||= containers.length > 0 || format?.unit === 'source' || (!inLines && records > 0);
    if (settled) this.known ??= { format };
    this.interrupted = interrupted;
    this.endsInLine = torn !== undefined;
    this.state = {
      ...this.state,
      ...formatOf(format),
      phase,
      records: before.records + records,
      problems: before.problems + problems,
      bytesRead: before.bytes + bytesRead,
      bytesTotal: this.bytes.size,
      episodes: this.table.rows,
      ...this.texts.unpacked,
      ...(containers.length === 0 ? {} : { containers }),
      ...(failure === undefined ? {} : { failure }),
      ...(interrupted ? { readOn: this.continues ? 'on' : 'again' } : {}),
      ...(torn?.cutOff === true && !this.isWhole
        ? { torn: { line: torn.line, byteStart: torn.byteStart } }
        : {}),
    };
    this.send();
    if (this.isWhole) return;
    // A file that has changed meanwhile is not known again, nor one behind a connection that stands still.
    const print = printOf(this.bytes, this.soFar().end, this.isFar ? edges : manyPlaces);
    this.print = await Promise.race([print.catch(() => undefined), pause(printPatience)]);
  }

  /** Of half a text it must be known how its records stand in it, and what they are. */
  private get continues(): boolean {
    const { isWhole, interrupted, known, lastRecord, lastProblem } = this;
    const isBegun = lastRecord !== undefined || lastProblem !== undefined;
    return !isWhole && (!interrupted || !isBegun || known !== undefined);
  }

  /** Reads on in the file as it is now. */
  extend(data: SourceData, onState: (state: SourceState) => void): Promise<Extension> {
    const next = this.extensions.then(() => this.readOn(data, onState));
    this.extensions = next.catch(() => undefined);
    return next;
  }

  private async readOn(data: SourceData, onState: (state: SourceState) => void): Promise<Extension> {
    await this.done;
    if (!this.continues) return 'whole';
    this.abort = new AbortController();
    const bytes = this.bytesOf(data);
    const soFar = this.soFar();
    const from = await Promise.race([resumeIn(bytes, soFar), aborted(this.abort.signal)]);
    if (from === undefined) {
      onState({ ...this.state });
      return 'extended';
    }
    if (from === 'replaced' || from === 'whole') return from;
    if (this.closed) return 'replaced';
    void this.bytes.dispose?.();
    this.bytes = bytes;
    if (bytes.size <= from.byte && !this.interrupted) {
      onState({ ...this.state });
      return 'extended';
    }
    if (from.byte < soFar.end) this.reconsider(from.byte);
    const { failure: _failure, readOn: _readOn, torn: _torn, ...state } = this.state;
    const phase = this.interrupted || bytes.size - from.byte > quicklyRead ? 'reading' : 'ready';
    this.state = { ...state, phase, bytesRead: from.byte, bytesTotal: bytes.size };
    this.onState = onState;
    if (from.byte === 0) this.texts.forget();
    this.done = this.read(
      from.byte === 0 ? undefined : { ...from, ...(this.known === undefined ? {} : { known: this.known }) },
    );
    await this.done;
    return 'extended';
  }

  private soFar(): ReadSoFar {
    const { records, bytesRead } = this.state;
    const { lastRecord: record, lastProblem: problem, interrupted } = this;
    const last = (problem?.byteEnd ?? 0) > (record?.byteEnd ?? 0) ? problem : record;
    return {
      end: interrupted ? (last?.byteEnd ?? 0) : bytesRead,
      records,
      ...(last === undefined ? {} : { last }),
      // Where reading was interrupted, it is a line that has ended unless it is the last of the file.
      mayBeCutOff: last !== undefined && last === problem && (!interrupted || this.endsInLine),
      ...(this.print === undefined ? {} : { print: this.print }),
    };
  }

  /** A line that was cut off when it was read is no problem yet. */
  private reconsider(start: number): void {
    if (this.lastProblem?.byteStart !== start) return;
    if (this.problems.at(-1) === this.lastProblem) this.problems.pop();
    this.lastProblem = this.problems.at(-1);
    this.state = { ...this.state, problems: this.state.problems - 1 };
  }

  private update(change: Partial<SourceState>): void {
    Object.assign(this.state, change);
    this.sendInTime();
  }

  private sendInTime(): void {
    // The first rows are shown at once.
    const first = this.state.episodes === 0 && this.table.rows > 0;
    if (first || performance.now() - this.lastSent >= stateInterval) this.send();
  }

  private send(): void {
    this.lastSent = performance.now();
    this.state.episodes = this.table.rows;
    if (!this.isClosed) this.onState({ ...this.state });
  }

  /** Stops reading; what was read stays. */
  async cancel(): Promise<void> {
    this.abort.abort();
    await this.done;
  }

  /** Stops reading, says nothing more, and gives back what it took. */
  close(): void {
    this.isClosed = true;
    this.abort.abort();
    void this.done.then(() => Promise.all([this.texts.dispose(), this.bytes.dispose?.()]));
  }

  async raw(row: number): Promise<RawRecord | undefined> {
    const found = this.table.recordAt(row);
    if (found === undefined) return undefined;
    const path = this.texts.path(found.part);
    return { ...(path === undefined ? {} : { path }), text: await this.textOf(found), ...found.place };
  }

  async episode(row: number, beside?: Beside): Promise<Episode | undefined> {
    const found = this.table.recordAt(row);
    if (found?.format === undefined) return undefined;
    if (found.format.unit === 'source') {
      const whole = await this.wholeRecord(found);
      return whole?.format?.episode(whole.record, found.nth);
    }
    return found.format.episode(await this.recordOf(found), found.nth, beside);
  }

  /** Undefined where there is no such row. */
  async record(row: number): Promise<SourceRecord | undefined> {
    const found = this.table.recordAt(row);
    return found === undefined ? undefined : this.recordOf(found);
  }

  private async recordOf(found: RecordAt): Promise<SourceRecord> {
    const { place, index } = found;
    const text = await this.textOf(found);
    const parsed = parseJson(text, place.line);
    if (!parsed.ok) throw new Error(changed);
    return { value: parsed.value, text, index, line: place.line };
  }

  /** Where all records of a text make one episode, all are read again. */
  private async wholeRecord({ part }: RecordAt): Promise<ReadRecord | undefined> {
    let whole: ReadRecord | undefined;
    const visitor = { record: (read: ReadRecord): void => void (whole = read) };
    await readBytes(this.texts.bytes(part), visitor, { formats: this.formats });
    return whole;
  }

  private async episodesOf({ first }: RowsOfRecord): Promise<(row: number) => Episode | undefined> {
    const found = this.table.recordAt(first);
    const { format } = found ?? {};
    if (found === undefined || format === undefined) return () => undefined;
    const record =
      format.unit === 'source' ? (await this.wholeRecord(found))?.record : await this.recordOf(found);
    return (row) => {
      try {
        return record === undefined ? undefined : format.episode(record, row - first);
      } catch {
        return undefined;
      }
    };
  }

  /**
   * Looks for text in all its bytes, and calls `found` with the rows in which it stands, and how often. `go` hears of the
   * bytes that were looked at, or that it has to wait, and says whether to go on.
   */
  async search(
    needles: Needles,
    found: (row: number, places: number) => void,
    go: (bytes: number, waiting?: true) => boolean | Promise<boolean>,
  ): Promise<void> {
    const goOn = async (bytes: number, waiting?: true): Promise<boolean> =>
      (await go(bytes, waiting)) && !this.isClosed;
    for (let index = 0; ; index++) {
      // Which rows stand in a text that is still being read is not known yet.
      while (this.state.phase === 'reading' && index >= this.texts.count - 1) {
        if (!(await goOn(0, true))) return;
        await Promise.race([this.done, pause(stateInterval)]);
      }
      if (index >= this.texts.count || !(await goOn(0))) return;
      const text: SearchedText = {
        rowsOfByte: (offset) => this.table.rowsOfByte(index, offset),
        episodesOf: (record) => this.episodesOf(record),
      };
      const rows = new FoundRows(text, needles, found);
      const settle = () => rows.settle(() => goOn(0));
      const chunkDone = async (bytes: number): Promise<boolean> => (await settle()) && goOn(bytes);
      try {
        await findInChunks(this.searched(index).chunks(), needles, (offset) => rows.add(offset), chunkDone);
        await settle();
      } catch (error) {
        // What was unpacked is gone with the source.
        if (this.isClosed) return;
        const what = `${this.state.name} has changed meanwhile (${errorText(error)}).`;
        throw new Error(`${what} Search again, or open the file again.`, { cause: error });
      }
    }
  }

  /** To be looked at by a search. */
  get searchableBytes(): number {
    let bytes = 0;
    for (let index = 0; index < this.texts.count; index++) bytes += this.searched(index).size;
    return bytes;
  }

  /** Of a file whose reading was stopped, no more than was read. */
  private searched(part: number): ByteSource {
    const bytes = this.texts.bytes(part);
    if (!this.interrupted || part < this.texts.count - 1) return bytes;
    const last = this.table.recordAt(this.table.rows - 1);
    return sliceBytes(bytes, 0, last?.part === part ? last.place.byteEnd : 0);
  }

  private async textOf({ part, place: { byteStart, byteEnd } }: RecordAt): Promise<string> {
    let bytes: Uint8Array;
    try {
      bytes = await this.texts.bytes(part).read(byteStart, byteEnd);
    } catch (error) {
      throw new Error(`${changed} (${errorText(error)})`, { cause: error });
    }
    if (bytes.length !== byteEnd - byteStart) throw new Error(changed);
    return decode(bytes);
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

const changed = 'The file cannot be read any more: it was changed or moved. Open it again.';

function formatOf(format: Format | undefined): Pick<SourceState, 'format' | 'joins'> {
  if (format === undefined) return {};
  const { id, name, files } = format;
  return { format: { id, name }, ...(files === undefined ? {} : { joins: true }) };
}
