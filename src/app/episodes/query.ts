import { create } from 'zustand';
import type { TableQuery } from '../../ingest/protocol';
import { useSources } from '../stores/sources';

export type Sort = TableQuery['sort'];

/** How the table of episodes is asked for, apart from the sources, which have their own store. */
export const useTableQuery = create<{ sort: Sort }>()(() => ({ sort: [] }));

export const setSort = (sort: Sort) => useTableQuery.setState({ sort });

/** The query whose rows the table shows now: all open sources in the order of the person's sort. */
export function tableQuery(): TableQuery {
  return {
    sources: useSources.getState().list.map((source) => source.id),
    sort: useTableQuery.getState().sort,
  };
}
