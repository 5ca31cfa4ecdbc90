import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import type { EpisodeRef, TableQuery } from '../../ingest/protocol';
import { ingest } from '../data/ingest';
import { inTurn } from '../data/turns';
import { Button } from '../controls/Button';
import { Notice } from '../controls/Notice';
import { foundIn } from '../search/results';
import { useSearch } from '../search/store';
import { useFocusGoesOn } from '../start/focus';
import { activeRef, activeRow, refKey, sameRef, type Cursor } from './cursor';
import { HeaderRow } from './HeaderRow';
import { rowAfterKey } from './keys';
import { setFilter } from './query';
import { partIds } from './reach';
import type { RowWindows } from './rowWindows';
import { RowView } from './RowView';
import { useFixedRows } from './useFixedRows';
import { useRowsWanted } from './useRowWindows';
import { useSelectedRow } from './useSelectedRow';
import type { useEpisodeColumns } from './useEpisodeColumns';
import styles from './table.module.css';

export interface EpisodeTableProps {
  query: TableQuery;
  revision: string;
  /** Some source is still being read. */
  growing: boolean;
  /** Rows to expect before the worker has answered. */
  expected: number;
  windows: RowWindows;
  columns: ReturnType<typeof useEpisodeColumns>;
  selected: EpisodeRef | undefined;
  onSelect: (ref: EpisodeRef) => void;
}

/** A key held down moves the cursor; the episode opens when it rests this long. */
export const restMs = 120;
/** As in table.module.css, for the names of the columns too. */
export const rowHeight = 28;

export function EpisodeTable(props: EpisodeTableProps) {
  const { query, revision, growing, expected, windows, columns, selected, onSelect } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  useFocusGoesOn(grid);
  const found = useSearch(({ state }) => state?.found);
  const total = windows.total() ?? expected;
  const rows = useFixedRows({ scroller, count: total, rowHeight, headHeight: rowHeight });
  const { first, end, show } = rows;
  useRowsWanted(windows, { query, revision, first, end });

  const order = JSON.stringify(query);
  const selectedKey = refKey(selected);
  const rowOf = (of: EpisodeRef) => windows.find(({ ref }) => sameRef(ref, of));
  const isSeen = selected !== undefined && rowOf(selected) !== undefined;
  const selectedRow = useSelectedRow(query, selected, revision, growing && isSeen);
  const [cursor, setCursor] = useState<Cursor>();
  const active = activeRow(cursor, { order, selected, selectedRow, rowOf });

  const shown = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (shown.current === selectedKey || selectedRow === undefined || selectedRow >= total) return;
    shown.current = selectedKey;
    if (!rows.isShown(selectedRow)) show(selectedRow);
  });

  /** `turn` counts the moves: what one of them waited for is of no use once there was another. */
  const opening = useRef<{ timer?: ReturnType<typeof setTimeout>; row?: number; turn: number }>({ turn: 0 });
  useEffect(() => {
    const { current } = opening;
    return () => {
      clearTimeout(current.timer);
      current.turn += 1;
    };
  }, []);

  const asked = JSON.stringify([query.sort, query.filter]);
  const lastAsked = useRef(asked);
  useEffect(() => {
    if (lastAsked.current === asked) return;
    lastAsked.current = asked;
    opening.current.turn += 1;
    scroller.current?.scrollTo({ top: 0 });
  }, [asked]);

  async function open(row: number, known: EpisodeRef | undefined): Promise<void> {
    opening.current.row = row;
    const at = known ?? (await ingest().rows(query, row, row + 1)).rows[0]?.ref;
    // Meanwhile the keys may have gone on to another row.
    if (at === undefined || opening.current.row !== row) return;
    setCursor({ row, at, order, from: selectedKey, to: refKey(at) });
    onSelect(at);
  }

  function moveTo(row: number, held: boolean): void {
    opening.current.turn += 1;
    clearTimeout(opening.current.timer);
    delete opening.current.row;
    const there = windows.row(row)?.ref;
    // What is kept of rows far from the screen can be older than what has come in before them.
    const at = there !== undefined && rowOf(there) === row ? there : undefined;
    setCursor({ row, at, order, from: selectedKey, to: cursor?.to });
    show(row);
    if (held) opening.current.timer = setTimeout(() => void open(row, at), restMs);
    else void open(row, at);
  }

  /** From an episode that is not on the screen: by the time of the key it can have been pushed on. */
  async function moveFrom(ref: EpisodeRef, key: string, held: boolean): Promise<void> {
    const turn = ++opening.current.turn;
    const now = await ingest()
      .position(query, ref)
      // From where it was last seen, then.
      .catch(() => -1);
    if (opening.current.turn !== turn) return;
    const row = rowAfterKey(key, { active: now < 0 ? active : now, total, page: rows.page });
    if (row !== undefined) moveTo(row, held);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rowAfterKey(event.key, { active, total, page: rows.page });
    const from = activeRef(cursor, { order, selected });
    if (row !== undefined && growing && from !== undefined && rowOf(from) === undefined)
      void moveFrom(from, event.key, event.repeat);
    else if (row !== undefined) moveTo(row, event.repeat);
    else if ((event.key === 'Enter' || event.key === ' ') && active !== undefined) moveTo(active, false);
    else return;
    event.preventDefault();
  }

  function onClick(event: MouseEvent<HTMLElement>): void {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    if (target?.dataset['row'] !== undefined) moveTo(Number(target.dataset['row']), false);
  }

  const layout: CSSProperties & Record<`--${string}`, string> = {
    height: rows.height,
    '--tracks': columns.tracks,
    '--row-width': `${columns.width}px`,
  };
  const rowId = (index: number) => `${id}-row-${index}`;
  const most = useGrowing(windows.total() !== undefined);
  const drawn = Array.from(
    { length: Math.max(0, Math.min(most, end - first)) },
    (_, offset) => first + offset,
  );
  const failure = windows.failure();
  return (
    <>
      {failure === undefined ? null : (
        <p role="alert" className={styles.failure}>
          These rows could not be loaded: {failure}. Close the source and open it again.
        </p>
      )}
      <div ref={scroller} className={styles.scroller}>
        <table
          ref={grid}
          id={partIds.table}
          // A table whose rows are chosen with keys is a grid.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
          role="grid"
          aria-label="Episodes"
          aria-rowcount={total + 1}
          aria-colcount={columns.visible.length}
          aria-activedescendant={
            active !== undefined && active >= first && active < end ? rowId(active) : undefined
          }
          tabIndex={0}
          className={styles.grid}
          data-aside={rows.aside || undefined}
          style={layout}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          <HeaderRow columns={columns} />
          <tbody className={styles.drawn} style={{ top: rows.top }}>
            {drawn.map((index) => {
              const row = windows.row(index);
              return (
                <RowView
                  key={index}
                  id={rowId(index)}
                  index={index}
                  row={row}
                  columns={columns.visible}
                  selected={row !== undefined && refKey(row.ref) === selectedKey}
                  active={index === active}
                  found={row === undefined ? 0 : foundIn(found, row.ref)}
                />
              );
            })}
          </tbody>
        </table>
        {windows.total() === 0 && query.filter !== undefined ? <NoneLeft /> : null}
      </div>
    </>
  );
}

/** How many rows are drawn at most: when the first ones come a few, some more in each frame, and then as many as there are. */
function useGrowing(begun: boolean): number {
  const [most, setMost] = useState(growth.by);
  useEffect(
    () => (begun && most < growth.end ? inTurn(() => setMost((rows) => rows + growth.by)) : undefined),
    [begun, most],
  );
  if (!begun) return 0;
  return most < growth.end ? most : Infinity;
}

const growth = { by: 12, end: 48 };

/** Stands where the rows would. */
export function NoneLeft() {
  return (
    <div className={styles.none}>
      <Notice
        title="No episode is left"
        actions={<Button onClick={() => setFilter('')}>Clear the filter</Button>}
      >
        The filter is true for none of the episodes that are open.
      </Notice>
    </div>
  );
}
