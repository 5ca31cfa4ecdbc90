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

export const sameRef = (a: EpisodeRef, b: EpisodeRef): boolean =>
  a.source === b.source && a.episode === b.episode;

/** The episode the keys are at: the cursor's, as long as that means something, else the opened one. */
export function activeRef(
  cursor: Cursor | undefined,
  { order, selected }: Pick<Standing, 'order' | 'selected'>,
): EpisodeRef | undefined {
  return holds(cursor, order, selected) ? cursor.at : selected;
}

/** Where that stands by now, as far as known. */
export function activeRow(cursor: Cursor | undefined, standing: Standing): number | undefined {
  const { order, selected, selectedRow, rowOf } = standing;
  const ref = activeRef(cursor, standing);
  const seen = ref === undefined ? undefined : rowOf(ref);
  if (seen !== undefined || !holds(cursor, order, selected)) return seen ?? selectedRow;
  return refKey(ref) === refKey(selected) ? (selectedRow ?? cursor.row) : cursor.row;
}

function holds(
  cursor: Cursor | undefined,
  order: string,
  selected: EpisodeRef | undefined,
): cursor is Cursor {
  const open = refKey(selected);
  return cursor?.order === order && (open === cursor.to || open === cursor.from);
}
