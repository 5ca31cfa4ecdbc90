import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useState, type RefObject } from 'react';
import {
  blockRows,
  blocksAround,
  bodyHeight,
  highestElement,
  rowsInView,
  scrollTopFor,
  topOf,
} from './geometry';

interface FixedRowsOptions {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  rowHeight: number;
  /** Height of what sticks to the top of the scroller, above the rows. */
  headHeight?: number;
}

export interface FixedRows {
  /** The rows to draw: from `first` to before `end`. */
  first: number;
  end: number;
  /** Where the first of them stands, and how high what holds them is, `headHeight` included. */
  top: number;
  height: number;
  /** Whole rows that fit. */
  page: number;
  /** Scrolled to the right: only then has the first column to be held in its place. */
  aside: boolean;
  /** Scrolls no further than needed for the row to be seen. */
  show: (row: number) => void;
  /** As of the last drawing: asking the page itself would make it lay out all that has changed. */
  isShown: (row: number) => boolean;
}

/** The part of a long list of equally high rows that is on screen. A million cost no more than a hundred. */
export function useFixedRows({ scroller, count, rowHeight, headHeight = 0 }: FixedRowsOptions): FixedRows {
  const [limit] = useState(highestElement);
  const blocks = Math.ceil(count / blockRows);
  // Its functions change what they return; nothing here memoises them.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: blocks,
    getScrollElement: () => scroller.current,
    estimateSize: () => bodyHeight({ rows: count, rowHeight, limit }) / blocks,
    overscan: 0,
  });
  const viewport = Math.max(0, (virtualizer.scrollRect?.height ?? 0) - headHeight);
  const geometry = { rows: count, rowHeight, limit, viewport };
  const scrollTop = virtualizer.scrollOffset ?? 0;
  const show = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (element === null) return;
      const now = { rows: count, rowHeight, limit, viewport: element.clientHeight - headHeight };
      element.scrollTop = scrollTopFor(row, element.scrollTop, now);
    },
    [scroller, count, rowHeight, limit, headHeight],
  );
  const aside = useScrolledAside(scroller);
  const { first, end } = blocksAround(rowsInView(scrollTop, geometry), count);
  return {
    first,
    end,
    top: headHeight + topOf(first, scrollTop, geometry),
    height: headHeight + bodyHeight(geometry),
    page: Math.floor(viewport / rowHeight),
    aside,
    show,
    isShown: (row) => viewport > 0 && scrollTopFor(row, scrollTop, geometry) === scrollTop,
  };
}

function useScrolledAside(scroller: RefObject<HTMLElement | null>): boolean {
  const [aside, setAside] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => setAside(element.scrollLeft > 0);
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [scroller]);
  return aside;
}
