import { isAtWork } from './atWork';
import { sameRef } from './cursor';
import { restsFor } from './pace';
import type { Row, TableQuery } from '../../ingest/protocol';
import { errorText } from '../../model/error-text';

/** Rows (or groups) of a query around what is on screen, asked for in windows and kept for a while. */

export const windowRows = 200;
/** Ten screens in either direction stay at hand. */
const keptWindows = 12;

export interface Wanted<Query> {
  query: Query;
  /** Changes when the sources have grown: what was loaded at another revision is shown, and asked for again. */
  revision: string;
  first: number;
  end: number;
}

export type RowWindows = Windows<TableQuery, Row>;

export interface Windows<Query, Item> {
  /** Says what is on screen now. */
  want: (wanted: Wanted<Query>) => void;
  row: (index: number) => Item | undefined;
  /** Where the first such item stands among those that are wanted now. */
  find: (is: (item: Item) => boolean) => number | undefined;
  /** Rows of the query in all, as far as known. */
  total: () => number | undefined;
  failure: () => string | undefined;
  subscribe: (listener: () => void) => () => void;
  /** Changes whenever the others answer differently. */
  version: () => number;
}

type LoadRows = (query: TableQuery, start: number, end: number) => Promise<{ total: number; rows: Row[] }>;

/** The windows that hold rows `first` to before `end`: `[0]` for 0 to 30, `[0, 1]` for 190 to 220. */
export function windowsOf(first: number, end: number): number[] {
  const from = Math.floor(Math.max(0, first) / windowRows);
  const to = Math.ceil(Math.max(first + 1, end) / windowRows);
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** The row as it was if it says the same, so that it need not be drawn again each time a source has grown. */
function unchanged(before: Row | undefined, now: Row): Row {
  if (before === undefined || before.title !== now.title || !sameRef(before.ref, now.ref)) return now;
  const keys = Object.keys(now.cells);
  if (keys.length !== Object.keys(before.cells).length) return now;
  return keys.every((key) => Object.is(before.cells[key], now.cells[key])) ? before : now;
}

export function rowWindows(load: LoadRows): RowWindows {
  return windowsOver(load, unchanged);
}

/** `kept` gives the item to show where another one, perhaps the same, was shown before. */
export function windowsOver<Query, Item>(
  load: (query: Query, start: number, end: number) => Promise<{ total: number; rows: Item[] }>,
  kept: (before: Item | undefined, now: Item) => Item,
): Windows<Query, Item> {
  /** In the order they were last wanted. */
  const windows = new Map<number, { rows: readonly Item[]; revision: string }>();
  const underway = new Set<string>();
  /** Until when what has only grown is not asked for again, as long as it goes on growing. */
  let restUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  let wanted: Wanted<Query> | undefined;
  let key: string | undefined;
  /** The query the windows are of: the last one until the first answer to a new one. */
  let loadedKey: string | undefined;
  let total: number | undefined;
  let failure: string | undefined;
  let version = 0;

  function tell(): void {
    version += 1;
    for (const listener of listeners) listener();
  }

  function ask(): void {
    if (wanted === undefined || key === undefined) return;
    for (const index of windowsOf(wanted.first, wanted.end)) {
      const have = loadedKey === key ? windows.get(index) : undefined;
      if (have !== undefined) {
        windows.delete(index);
        windows.set(index, have);
      }
      // One question per window at a time: a source that grows faster than the worker answers is asked again
      // after each answer, and every answer is shown.
      if (have?.revision === wanted.revision || underway.has(`${key} ${index}`)) continue;
      const left = have === undefined || !isAtWork() ? 0 : restUntil - performance.now();
      if (left <= 0) void fetch(index, key, wanted);
      else {
        clearTimeout(timer);
        timer = setTimeout(ask, left);
      }
    }
  }

  async function fetch(index: number, asked: string, { query, revision }: Wanted<Query>): Promise<void> {
    const mark = `${asked} ${index}`;
    underway.add(mark);
    const start = performance.now();
    try {
      const answer = await load(query, index * windowRows, (index + 1) * windowRows);
      if (asked !== key) return;
      if (loadedKey !== asked) windows.clear();
      loadedKey = asked;
      const before = windows.get(index)?.rows ?? [];
      windows.delete(index);
      windows.set(index, { rows: answer.rows.map((row, nth) => kept(before[nth], row)), revision });
      ({ total } = answer);
      failure = undefined;
      for (const old of windows.keys()) {
        if (windows.size <= keptWindows) break;
        windows.delete(old);
      }
    } catch (error) {
      if (asked !== key) return;
      failure = errorText(error);
      if (loadedKey !== asked) windows.clear();
      loadedKey = asked;
      // The same question is not asked again before something has changed.
      windows.set(index, { rows: windows.get(index)?.rows ?? [], revision });
    } finally {
      underway.delete(mark);
      restUntil = performance.now() + restsFor(performance.now() - start);
    }
    tell();
    ask();
  }

  return {
    want(next) {
      wanted = next;
      key = JSON.stringify(next.query);
      ask();
    },
    row: (index) => windows.get(Math.floor(index / windowRows))?.rows[index % windowRows],
    find(is) {
      if (wanted === undefined) return undefined;
      for (const index of windowsOf(wanted.first, wanted.end)) {
        const nth = windows.get(index)?.rows.findIndex(is) ?? -1;
        if (nth >= 0) return index * windowRows + nth;
      }
      return undefined;
    },
    total: () => total,
    failure: () => failure,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
  };
}
