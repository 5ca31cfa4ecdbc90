import { useTable, type Column } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import type { ColumnInfo, Row } from '../../ingest/protocol';
import { setPreferences, usePreferences } from '../stores/preferences';
import {
  columnsFrom,
  features,
  sameColumns,
  sortFrom,
  sortingFrom,
  titleColumn,
  tracksOf,
  visibilityOf,
} from './columns';
import { setSort, useSort } from './query';

export type EpisodeColumn = Column<typeof features, Row>;

// The worker sorts and the virtual list draws: the table itself never sees a row.
const noRows: Row[] = [];

/** The table's columns as the person wants them: order, visibility, widths and sort, each from its store. */
export function useEpisodeColumns(latest: readonly ColumnInfo[]) {
  const infos = useUnchanged(latest);
  const chosen = usePreferences((state) => state.columnsShown);
  const widths = usePreferences((state) => state.columnWidths);
  const sort = useSort();
  const columns = useMemo(() => columnsFrom(infos), [infos]);
  const columnVisibility = useMemo(() => visibilityOf(infos, chosen), [infos, chosen]);
  const sorting = useMemo(() => sortingFrom(sort), [sort]);
  const table = useTable({
    features,
    columns,
    data: noRows,
    manualSorting: true,
    enableMultiSort: true,
    columnResizeMode: 'onChange',
    state: { sorting, columnVisibility, columnSizing: widths },
    onSortingChange: (updater) =>
      setSort(sortFrom(typeof updater === 'function' ? updater(sorting) : updater)),
    onColumnSizingChange: (updater) =>
      setPreferences({ columnWidths: { ...(typeof updater === 'function' ? updater(widths) : updater) } }),
  });
  const visible = table.getVisibleLeafColumns();
  const sized = visible.map((column) => ({ id: column.id, width: column.getSize() }));
  return {
    table,
    visible,
    tracks: tracksOf(sized, Object.hasOwn(widths, titleColumn)),
    width: sized.reduce((sum, { width }) => sum + width, 0),
  };
}

/** While a source is read its columns are told again and again; what shows them need not be drawn anew for that. */
export function useUnchanged(
  latest: readonly ColumnInfo[],
  same: (a: readonly ColumnInfo[], b: readonly ColumnInfo[]) => boolean = sameColumns,
): readonly ColumnInfo[] {
  const [kept, keep] = useState(latest);
  if (kept === latest || same(kept, latest)) return kept;
  keep(latest);
  return latest;
}

/** Sets a column's width within its bounds. */
export function resize(column: EpisodeColumn, width: number): void {
  const { minSize = 0, maxSize = Number.MAX_SAFE_INTEGER } = column.columnDef;
  const { columnWidths } = usePreferences.getState();
  setPreferences({
    columnWidths: { ...columnWidths, [column.id]: Math.min(maxSize, Math.max(minSize, width)) },
  });
}

/** Gives a column the width it comes with. */
export function resetWidth(column: EpisodeColumn): void {
  const { [column.id]: _, ...columnWidths } = usePreferences.getState().columnWidths;
  setPreferences({ columnWidths });
}
