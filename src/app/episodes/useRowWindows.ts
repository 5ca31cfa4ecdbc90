import { useEffect, useState, useSyncExternalStore } from 'react';
import { ingest } from '../data/ingest';
import { rowWindows, type RowWindows, type Wanted, type Windows } from './rowWindows';

/** Rows are fetched this far beyond the screen, so that ordinary scrolling never meets a hole. */
const ahead = 60;

/** The rows at hand; draws again when more have come. */
export function useRowWindows(): RowWindows {
  const [windows] = useState(() => rowWindows((...asked) => ingest().rows(...asked)));
  useSyncExternalStore(windows.subscribe, windows.version);
  return windows;
}

/** Asks for what is on screen. `query` has to be the same object while it is the same query. */
export function useRowsWanted<Query, Item>(
  windows: Windows<Query, Item>,
  { query, revision, first, end }: Wanted<Query>,
): void {
  useEffect(() => {
    windows.want({ query, revision, first: Math.max(0, first - ahead), end: end + ahead });
  }, [windows, query, revision, first, end]);
}
