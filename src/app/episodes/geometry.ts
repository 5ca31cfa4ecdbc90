/** Where rows of one height stand in a scroller that a browser lets become only so high. */

export interface Geometry {
  rows: number;
  rowHeight: number;
  /** Height of the part of the scroller that shows rows. */
  viewport: number;
  /** The highest an element may be here. */
  limit: number;
}

/** Height of the element that holds the rows. */
export function bodyHeight({
  rows,
  rowHeight,
  limit,
}: Pick<Geometry, 'rows' | 'rowHeight' | 'limit'>): number {
  return Math.min(rows * rowHeight, limit);
}

/**
 * How far the rows move for each pixel the scroller does: 1 while all rows fit under the limit, more beyond it,
 * so that the end of the bar is still the last row.
 */
export function speedOf(geometry: Geometry): number {
  const scrollable = bodyHeight(geometry) - geometry.viewport;
  return scrollable <= 0 ? 1 : (geometry.rows * geometry.rowHeight - geometry.viewport) / scrollable;
}

/** Top of a row within the holding element while the scroller stands at `scrollTop`. */
export function topOf(row: number, scrollTop: number, geometry: Geometry): number {
  return row * geometry.rowHeight - scrollTop * (speedOf(geometry) - 1);
}

/** Rows that touch the viewport: from `first` to before `end`. */
export function rowsInView(scrollTop: number, geometry: Geometry): { first: number; end: number } {
  const top = scrollTop * speedOf(geometry);
  const first = Math.min(Math.max(0, Math.floor(top / geometry.rowHeight)), geometry.rows);
  return { first, end: Math.min(geometry.rows, Math.ceil((top + geometry.viewport) / geometry.rowHeight)) };
}

/** Rows come and go in blocks this small, so that no single frame of scrolling has much to draw. */
export const blockRows = 4;
/** Drawn beyond the screen on either side, in blocks: what is scrolled to before the next frame is drawn. */
const blocksAhead = 3;

/** The blocks that hold these rows, and some more on either side, as rows. */
export function blocksAround(
  view: { first: number; end: number },
  rows: number,
): { first: number; end: number } {
  return {
    first: Math.max(0, (Math.floor(view.first / blockRows) - blocksAhead) * blockRows),
    end: Math.min(rows, (Math.ceil(view.end / blockRows) + blocksAhead) * blockRows),
  };
}

/**
 * Where to scroll so that a row is wholly seen: `scrollTop` itself if it is, else the nearest place. A row more than
 * a screen away comes to the middle, among its neighbours.
 */
export function scrollTopFor(row: number, scrollTop: number, geometry: Geometry): number {
  const { rowHeight, viewport } = geometry;
  const speed = speedOf(geometry);
  const top = scrollTop * speed;
  const start = row * rowHeight;
  const end = start + rowHeight;
  if (start >= top && end <= top + viewport) return scrollTop;
  const far = end < top - viewport || start > top + 2 * viewport;
  const wanted = far ? start - (viewport - rowHeight) / 2 : start < top ? start : end - viewport;
  const last = Math.max(0, geometry.rows * rowHeight - viewport);
  return Math.min(last, Math.max(0, wanted)) / speed;
}

let measured: number | undefined;

/** Chromium stops at 33,554,428 pixels and Firefox at 17,895,697, so it is asked rather than known. */
export function highestElement(): number {
  if (measured === undefined) {
    const probe = document.createElement('div');
    probe.style.cssText = 'position:absolute;visibility:hidden;width:1px;height:1000000000px';
    document.body.append(probe);
    const { height } = probe.getBoundingClientRect();
    probe.remove();
    // Half a million pixels are left for what stands above and below.
    measured = Math.max(1_000_000, Math.min(height, 1e9) - 500_000);
  }
  return measured;
}
