import type { EpisodeRef } from '../../ingest/protocol';

/** The row the keys are at. It runs ahead of the opened episode while a key is held. */

export interface Cursor {
  row: number;
  /** The query's order the row was counted in. */
  order: string;
  /** The opened episode when it moved, and the one it asked for: any other was opened from elsewhere. */
  from: string | undefined;
  to: string | undefined;
}

export const refKey = (ref: EpisodeRef | undefined): string | undefined =>
  ref === undefined ? undefined : `${ref.source}#${ref.episode}`;

/** The cursor's row as long as it means something, else where the opened episode stands. */
export function activeRow(
  cursor: Cursor | undefined,
  order: string,
  selected: string | undefined,
  selectedRow: number | undefined,
): number | undefined {
  if (cursor?.order === order && (selected === cursor.to || selected === cursor.from)) return cursor.row;
  return selectedRow;
}
