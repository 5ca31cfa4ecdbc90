import { rowOf, type Rows } from './rows';
import type { Track } from './track';

interface Stroke {
  key: string;
  ctrlKey: boolean;
}

/** Where a key takes the cursor; undefined for keys that mean nothing here. Never out of the tokens. */
export function moved(
  { key, ctrlKey }: Stroke,
  cursor: number,
  rows: Rows,
  track: Track,
  page: number,
): number | undefined {
  const last = track.length - 1;
  if (last < 0) return undefined;
  const row = rowOf(rows, cursor);
  switch (key) {
    case 'ArrowLeft':
      return ctrlKey ? previousTrained(track, cursor) : Math.max(cursor - 1, 0);
    case 'ArrowRight':
      return ctrlKey ? nextTrained(track, cursor) : Math.min(cursor + 1, last);
    case 'ArrowUp':
      return inRow(rows, row - 1, cursor);
    case 'ArrowDown':
      return inRow(rows, row + 1, cursor);
    case 'PageUp':
      return inRow(rows, row - Math.max(page - 1, 1), cursor);
    case 'PageDown':
      return inRow(rows, row + Math.max(page - 1, 1), cursor);
    case 'Home':
      return ctrlKey ? 0 : (rows.starts[row] ?? 0);
    case 'End':
      return ctrlKey ? last : Math.max((rows.starts[row + 1] ?? 1) - 1, 0);
    default:
      return undefined;
  }
}

/** The same place in another row, counted in tokens. */
function inRow(rows: Rows, wanted: number, cursor: number): number {
  const row = Math.min(Math.max(wanted, 0), rows.count - 1);
  const offset = cursor - (rows.starts[rowOf(rows, cursor)] ?? 0);
  const [start, end] = [rows.starts[row] ?? 0, rows.starts[row + 1] ?? 1];
  return Math.min(start + offset, end - 1);
}

/** The start of the first trained run after a position; where there is none, the position. */
export function nextTrained({ fates }: Track, position: number): number {
  let start = 0;
  for (const { end, fate } of fates) {
    if (fate === 'trained' && start > position) return start;
    start = end;
  }
  return position;
}

export function previousTrained({ fates }: Track, position: number): number {
  let start = 0;
  let found = position;
  for (const { end, fate } of fates) {
    if (start >= position) break;
    if (fate === 'trained') found = start;
    start = end;
  }
  return found;
}
