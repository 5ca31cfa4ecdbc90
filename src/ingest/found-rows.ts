import { messageText, valueJson, type Episode } from '../model';
import type { Needles } from './search';
import type { RowsOfRecord } from './table';

/** What is known of the text that a search looks at. */
export interface SearchedText {
  /** The record that holds a byte. */
  rowsOfByte(offset: number): RowsOfRecord | undefined;
  /** Reads a record of several episodes, once for all of them; undefined is one that cannot be made. */
  episodesOf(record: RowsOfRecord): Promise<(row: number) => Episode | undefined>;
}

/**
 * The rows of what a search finds in one text. Where a record holds several episodes, its bytes do not tell in which of
 * them a place is: those are then read.
 */
export class FoundRows {
  private readonly text: SearchedText;
  private readonly needles: Needles;
  private readonly found: (row: number, places: number) => void;
  private record: RowsOfRecord | undefined;
  /** The record's episodes have been looked at, and their places counted. */
  private isCounted = false;
  /** Places since the last settling. */
  private open: { record: RowsOfRecord; places: number }[] = [];

  constructor(text: SearchedText, needles: Needles, found: (row: number, places: number) => void) {
    this.text = text;
    this.needles = needles;
    this.found = found;
  }

  /** Places come in their order. */
  add(offset: number): void {
    if (this.record === undefined || offset >= this.record.byteEnd) {
      this.record = this.text.rowsOfByte(offset);
      this.isCounted = false;
    }
    const { record } = this;
    if (record === undefined || this.isCounted) return;
    const open = this.open.at(-1);
    if (open?.record === record) open.places += 1;
    else this.open.push({ record, places: 1 });
  }

  /** Calls `found` for the places since the last time, in the order of rows, as long as `goOn` says so. */
  async settle(goOn: () => boolean | Promise<boolean>): Promise<boolean> {
    for (const { record, places } of this.open.splice(0)) {
      const { first, last } = record;
      let isThere = false;
      if (first < last) {
        const episodeAt = await this.text.episodesOf(record);
        for (let row = first; row <= last; row++) {
          const count = this.needles.countIn(textsOf(episodeAt(row)));
          if (count > 0) this.found(row, count);
          isThere ||= count > 0;
          if (!(await goOn())) return false;
        }
        if (isThere && record === this.record) this.isCounted = true;
      }
      // Of several it is in what they have in common, or in what no episode shows.
      if (!isThere) this.found(first, places);
    }
    return true;
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
