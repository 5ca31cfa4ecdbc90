import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { sourceOrder, type TableQuery } from '../../ingest/protocol';
import type { SortKey } from '../place/place';
import { currentPlace, goTo, usePlacePart } from '../place/usePlace';
import { useSources } from '../stores/sources';

export type Sort = TableQuery['sort'];

const unsorted: Sort = [];

/** How the table of episodes is asked for: all open sources, and what the URL says of filter and order. */
export function useTableQuery(): TableQuery {
  const sources = useSources(useShallow((state) => state.list.map(({ id }) => id)));
  const filter = usePlacePart((place) => place.filter) ?? '';
  const sort = useSort();
  return useMemo(() => ({ sources, sort, ...(filter === '' ? {} : { filter }) }), [sources, sort, filter]);
}

/** The same list as long as it says the same. */
export function useSort(): Sort {
  const text = usePlacePart(({ sort = unsorted }) => JSON.stringify(sort));
  return useMemo((): Sort => JSON.parse(text), [text]);
}

export const setSort = (sort: Sort) => goTo({ sort });

export const setFilter = (filter: string, how?: 'push' | 'replace') => goTo({ filter: filter.trim() }, how);

/** Puts the rows together by a column; undefined shows them one by one again. */
export const setGroup = (group: string | undefined) => goTo({ group, groupSort: undefined });

export const setGroupSort = (groupSort: SortKey) => goTo({ groupSort });

/** Whether equal values of different files make one group. */
export const setPooled = (pooled: boolean) => goTo({ pool: pooled ? 'files' : undefined });

/** The query whose rows the table shows now. Groups that are in the order of their names are followed, too. */
export function tableQuery(): TableQuery {
  const { filter, sort = unsorted, group, groupSort, pool } = currentPlace();
  const descending = groupSort?.column === 'key' && groupSort.descending;
  const grouped = [
    ...(group === undefined ? [] : [{ column: group, descending }]),
    ...(group === undefined || pool !== undefined ? [] : [{ column: sourceOrder, descending }]),
  ];
  return {
    sources: useSources.getState().list.map((source) => source.id),
    sort: [...grouped, ...sort],
    ...(filter === undefined ? {} : { filter }),
  };
}
