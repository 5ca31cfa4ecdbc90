import type { Format } from '../formats';
import type { Episode } from '../model';
import { blobBytes, decode, type ByteSource } from './bytes';
import { parseJson } from './parse';
import type { Problem, RawRecord, SourceInput, SourceState } from './protocol';
import { messageOf, readBytes, type ReadRecord } from './read';
import { SourceTable } from './table';

/** More problems are counted, not kept. */
export const maxProblems = 10_000;

/** Ten a second are enough for eyes. */
const stateInterval = 100;

let serials = 0;

/** One open source: being read, or read. */
export class OpenSource {
  readonly id: string;
  readonly table: SourceTable;
  /** Tells a source from one that was open under the same id before. */
  readonly serial = ++serials;
  readonly problems: Problem[] = [];
  private state: SourceState;
  private readonly bytes: ByteSource;
  private readonly formats: readonly Format[];
  private readonly onState: (state: SourceState) => void;
  private readonly abort = new AbortController();
  private closed = false;
  private lastSent = -Infinity;
  /** When reading has ended, whichever way. */
  readonly done: Promise<void>;

  constructor(input: SourceInput, formats: readonly Format[], onState: (state: SourceState) => void) {
    this.id = input.id;
    this.table = new SourceTable(input.name);
    this.bytes = blobBytes(input.data);
    this.formats = formats;
    this.onState = onState;
    this.state = {
      id: input.id,
      name: input.name,
      phase: 'reading',
      bytesRead: 0,
      bytesTotal: input.data.size,
      records: 0,
      episodes: 0,
      problems: 0,
    };
    this.done = this.read();
  }

  get growing(): boolean {
    return this.state.phase === 'reading';
  }

  private async read(): Promise<void> {
    this.send();
    const result = await readBytes(
      this.bytes,
      {
        record: (read) => {
          this.table.add(read);
          this.update({ records: read.record.index + 1, ...formatOf(read.format) });
        },
        problem: (problem) => {
          if (this.problems.length < maxProblems) this.problems.push(problem);
          this.update({ problems: this.state.problems + 1 });
        },
        progress: (bytesRead) => this.update({ bytesRead }),
      },
      { formats: this.formats, signal: this.abort.signal },
    );
    const { records, problems, bytesRead, format, outcome, failure } = result;
    const phase = outcome === 'complete' ? 'ready' : outcome;
    this.state = {
      ...this.state,
      ...formatOf(format),
      phase,
      records,
      problems,
      bytesRead,
      episodes: this.table.rows,
      ...(failure === undefined ? {} : { failure }),
    };
    this.send();
  }

  private update(change: Partial<SourceState>): void {
    // The format shown is that of the first record until the whole source is known.
    const { format = change.format } = this.state;
    Object.assign(this.state, change, { episodes: this.table.rows }, format === undefined ? {} : { format });
    if (performance.now() - this.lastSent >= stateInterval) this.send();
  }

  private send(): void {
    this.lastSent = performance.now();
    if (!this.closed) this.onState({ ...this.state });
  }

  /** Stops reading; what was read stays. */
  async cancel(): Promise<void> {
    this.abort.abort();
    await this.done;
  }

  /** Stops reading and says nothing more. */
  close(): void {
    this.closed = true;
    this.abort.abort();
  }

  async raw(row: number): Promise<RawRecord | undefined> {
    const found = this.table.recordAt(row);
    if (found === undefined) return undefined;
    return { text: await this.textOf(found.place.byteStart, found.place.byteEnd), ...found.place };
  }

  async episode(row: number): Promise<Episode | undefined> {
    const found = this.table.recordAt(row);
    if (found?.format === undefined) return undefined;
    const { place, index, format, nth } = found;
    if (format.unit === 'source') return this.wholeEpisode(nth);
    const text = await this.textOf(place.byteStart, place.byteEnd);
    const parsed = parseJson(text, place.line);
    if (!parsed.ok) throw new Error(changed);
    return format.episode({ value: parsed.value, text, index, line: place.line }, nth);
  }

  /** Where all records make one episode, all are read again. */
  private async wholeEpisode(nth: number): Promise<Episode | undefined> {
    let whole: ReadRecord | undefined;
    const visitor = { record: (read: ReadRecord): void => void (whole = read) };
    await readBytes(this.bytes, visitor, { formats: this.formats });
    return whole?.format?.episode(whole.record, nth);
  }

  private async textOf(start: number, end: number): Promise<string> {
    let bytes: Uint8Array;
    try {
      bytes = await this.bytes.read(start, end);
    } catch (error) {
      throw new Error(`${changed} (${messageOf(error)})`, { cause: error });
    }
    if (bytes.length !== end - start) throw new Error(changed);
    return decode(bytes);
  }
}

const changed = 'The file cannot be read any more: it was changed or moved. Open it again.';

function formatOf(format: Format | undefined): Pick<SourceState, 'format'> {
  return format === undefined ? {} : { format: { id: format.id, name: format.name } };
}
