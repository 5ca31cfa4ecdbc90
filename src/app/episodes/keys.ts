/** What keys do in the grid. */

export interface GridPosition {
  /** The row the keys move from; none before the first key. */
  active: number | undefined;
  total: number;
  /** Rows that fit the viewport. */
  page: number;
}

/** The row a key leads to; undefined for keys that do not move. */
export function rowAfterKey(key: string, { active, total, page }: GridPosition): number | undefined {
  if (total === 0) return undefined;
  const step = Math.max(1, page - 1);
  const within = (row: number) => Math.min(total - 1, Math.max(0, row));
  switch (key) {
    case 'ArrowDown':
      return active === undefined ? 0 : within(active + 1);
    case 'ArrowUp':
      return active === undefined ? total - 1 : within(active - 1);
    case 'PageDown':
      return within((active ?? 0) + step);
    case 'PageUp':
      return within((active ?? 0) - step);
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return undefined;
  }
}

/** The header a key leads to; headers do not wrap around. */
export function headerAfterKey(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return Math.min(count - 1, index + 1);
    case 'ArrowLeft':
      return Math.max(0, index - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
