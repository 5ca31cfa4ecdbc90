import { messageText, valueJson, type Episode } from '../model';
import type { Needles } from './search';
import type { RowsOfRecord, SourceTable } from './table';

/**
 * The rows of what a search finds in one text. Where a record holds several episodes, its bytes do not tell in which of
 * them a place is: those are then read.
 */
export class FoundRows {
  private readonly needles: Needles;
  private readonly rowsOfByte: (offset: number) => RowsOfRecord | undefined;
  private readonly episode: (row: number) => Promise<Episode | undefined>;
  private readonly found: (row: number) => void;
  private record: RowsOfRecord | undefined;
  /** Of the record: its episodes have been looked at, and have it; or they have not. */
  private looked: 'not yet' | 'in episodes' | 'elsewhere' = 'not yet';
  /** Places in records of several episodes that have not been looked at. */
  private open: { record: RowsOfRecord; places: number }[] = [];

  constructor(
    { table, part }: { table: SourceTable; part: number },
    needles: Needles,
    episode: (row: number) => Promise<Episode | undefined>,
    found: (row: number) => void,
  ) {
    this.needles = needles;
    this.rowsOfByte = (offset) => table.rowsOfByte(part, offset);
    this.episode = episode;
    this.found = found;
  }

  /** Places come in their order. */
  add(offset: number): void {
    if (this.record === undefined || offset >= this.record.byteEnd) {
      this.record = this.rowsOfByte(offset);
      this.looked = 'not yet';
    }
    const { record } = this;
    if (record === undefined) return;
    if (record.first === record.last || this.looked === 'elsewhere') this.found(record.first);
    else if (this.looked === 'not yet') {
      const open = this.open.at(-1);
      if (open?.record === record) open.places += 1;
      else this.open.push({ record, places: 1 });
    }
  }

  /** Calls `found` for what is open. */
  async settle(): Promise<void> {
    for (const { record, places } of this.open.splice(0)) {
      let isThere = false;
      for (let row = record.first; row <= record.last; row++) {
        const count = this.needles.countIn(textsOf(await this.episode(row)));
        for (let nth = 0; nth < count; nth++) this.found(row);
        isThere ||= count > 0;
      }
      // In what they have in common, or what no episode shows.
      if (!isThere) for (let nth = 0; nth < places; nth++) this.found(record.first);
      if (record === this.record) this.looked = isThere ? 'in episodes' : 'elsewhere';
    }
  }
}

/** What a person can find an episode by. */
function textsOf(episode: Episode | undefined): string[] {
  if (episode === undefined) return [];
  const { id, title, task, model, messages, outcome, metrics } = episode;
  return [
    id,
    title,
    task?.key ?? '',
    model ?? '',
    valueJson(outcome),
    valueJson(metrics),
    ...messages.map(messageText),
  ];
}
