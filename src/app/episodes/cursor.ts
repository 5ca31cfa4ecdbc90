import type { EpisodeRef } from '../../ingest/protocol';

/** The row the keys are at. It runs ahead of the opened episode while a key is held. */

export interface Cursor {
  row: number;
  /** What stood there, if it was at hand: a source that grows can put more rows before it. */
  at: EpisodeRef | undefined;
  /** The query's order the row was counted in. */
  order: string;
  /** The opened episode when it moved, and the one it asked for: any other was opened from elsewhere. */
  from: string | undefined;
  to: string | undefined;
}

/** What the cursor moves over. */
export interface Standing {
  order: string;
  selected: EpisodeRef | undefined;
  /** Where the opened episode stands, as far as known. */
  selectedRow: number | undefined;
  /** Where an episode stands among the rows on screen. */
  rowOf: (ref: EpisodeRef) => number | undefined;
}

export const refKey = (ref: EpisodeRef | undefined): string | undefined =>
  ref === undefined ? undefined : `${ref.source}#${ref.episode}`;

/** Where the cursor's episode stands by now, as long as the cursor means something, else where the opened one does. */
export function activeRow(cursor: Cursor | undefined, standing: Standing): number | undefined {
  const { order, selected, selectedRow, rowOf } = standing;
  const open = refKey(selected);
  const holds = cursor?.order === order && (open === cursor.to || open === cursor.from);
  const ref = holds ? cursor.at : selected;
  const seen = ref === undefined ? undefined : rowOf(ref);
  if (seen !== undefined || !holds) return seen ?? selectedRow;
  return refKey(ref) === open ? (selectedRow ?? cursor.row) : cursor.row;
}
