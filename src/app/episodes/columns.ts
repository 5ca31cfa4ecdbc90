import {
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSortingFeature,
  tableFeatures,
  type SortingState,
} from '@tanstack/react-table';
import type { Cell, ColumnInfo, Row } from '../../ingest/protocol';
import { emptyRecord } from '../../model';
import type { Sort } from './query';

/** How the table describes its columns. Rows are sorted by the worker and drawn by the virtual list. */

/** What a cell is drawn as. */
export type CellKind = 'title' | 'reward' | 'number' | 'boolean' | 'string';

interface ColumnMeta {
  kind: CellKind;
  read: (row: Row) => Cell;
}

export const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnMeta: metaHelper<ColumnMeta>(),
});

export const titleColumn = 'title';
/** Room for `task 17 · rollout 3`. */
const titleWidth = 144;
export const narrowest = 44;
export const widest = 900;

const helper = createColumnHelper<typeof features, Row>();

/** The title first, which is always there, then what the data has. */
export function columnsFrom(infos: readonly ColumnInfo[]) {
  return helper.columns([
    column(titleColumn, 'Episode', titleWidth, { kind: 'title', read: ({ title }) => title }),
    ...hideable(infos).map((info) =>
      column(info.key, info.label, widthFor(info), {
        kind: kindOf(info),
        read: ({ cells }) => (Object.hasOwn(cells, info.key) ? cells[info.key] : undefined),
      }),
    ),
  ]);
}

/** The columns a person can hide. */
export function hideable(infos: readonly ColumnInfo[]): ColumnInfo[] {
  return infos.filter(({ key }) => key !== titleColumn);
}

function column(id: string, label: string, size: number, meta: ColumnMeta) {
  return helper.accessor(meta.read, {
    id,
    header: label,
    size,
    meta,
    minSize: meta.kind === 'title' ? 80 : narrowest,
    maxSize: widest,
    sortDescFirst: false,
  });
}

function kindOf({ key, type }: ColumnInfo): CellKind {
  return key === 'reward' && type === 'number' ? 'reward' : type;
}

/** Room for the label with its sort mark, and for the values that are usual for the kind. */
export function widthFor(info: ColumnInfo): number {
  const values = { reward: 68, number: 54, boolean: 52, string: 128, title: titleWidth }[kindOf(info)];
  // 5.9: a character of the small sans face; 34: padding, and a sort mark with its number.
  return Math.min(200, Math.max(values, Math.round(info.label.length * 5.9) + 34));
}

/** Which columns are to be seen: what the person chose, else what the worker thinks useful. */
export function visibilityOf(
  infos: readonly ColumnInfo[],
  chosen: Readonly<Record<string, boolean>>,
): Record<string, boolean> {
  const visible = emptyRecord<boolean>();
  for (const { key, shown } of hideable(infos)) {
    const choice = Object.hasOwn(chosen, key) ? chosen[key] : undefined;
    visible[key] = choice ?? shown;
  }
  return visible;
}

/** Those to choose from: a column in which no episode has a value would be empty. */
export function listable(
  infos: readonly ColumnInfo[],
  chosen: Readonly<Record<string, boolean>>,
): ColumnInfo[] {
  const visible = visibilityOf(infos, chosen);
  return hideable(infos).filter(({ key, filled }) => filled > 0 || visible[key] === true);
}

/** The person's choices after showing or hiding a column; what agrees with the default is not a choice. */
export function withChoice(
  chosen: Readonly<Record<string, boolean>>,
  { key, shown }: Pick<ColumnInfo, 'key' | 'shown'>,
  visible: boolean,
): Record<string, boolean> {
  const rest = Object.entries(chosen).filter(([other]) => other !== key);
  return Object.fromEntries(visible === shown ? rest : [...rest, [key, visible]]);
}

/** Whether the table looks the same with either; how many rows have a value is not seen in it. */
export function sameColumns(a: readonly ColumnInfo[], b: readonly ColumnInfo[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ key, label, type, shown }, index) => {
      const other = b[index];
      return key === other?.key && label === other.label && type === other.type && shown === other.shown;
    })
  );
}

/** Whether the same can be said of either in a filter; a column without values is offered nowhere. */
export function sameToFilter(a: readonly ColumnInfo[], b: readonly ColumnInfo[]): boolean {
  return sameColumns(a, b) && a.every(({ filled }, index) => filled > 0 === (b[index]?.filled ?? 0) > 0);
}

/** Tracks of the rows' grid. The title takes what is left, unless the person gave it a width. */
export function tracksOf(columns: readonly { id: string; width: number }[], fixedTitle: boolean): string {
  const tracks = columns.map(({ id, width }) =>
    id === titleColumn && !fixedTitle ? `minmax(${width}px, 1fr)` : `${width}px`,
  );
  return fixedTitle ? [...tracks, 'minmax(0, 1fr)'].join(' ') : tracks.join(' ');
}

export const sortingFrom = (sort: Sort): SortingState =>
  sort.map(({ column, descending }) => ({ id: column, desc: descending }));

export const sortFrom = (sorting: SortingState): Sort =>
  sorting.map(({ id, desc }) => ({ column: id, descending: desc }));
