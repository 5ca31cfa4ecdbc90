import { useMemo } from 'react';
import type { GroupQuery, Shown, TableQuery } from '../../../ingest/protocol';
import { usePlacePart } from '../../place/usePlace';
import { groupColumns, orderFrom, type GroupOrder } from './columns';
import { useGroupSettings } from './settings';

/** How the groups are asked for; the worker makes them once for all who ask in the same words. */
export function groupRequest(
  query: TableQuery,
  by: string,
  { by: column, descending }: GroupOrder,
  { k, passes, pooled }: { k: readonly number[]; passes: number; pooled: boolean },
): GroupQuery {
  return { query, by, apart: !pooled, k, passes, sort: { by: column, descending } };
}

/** What the table asks for: rows, or groups of them where the URL says so. */
export function useShown(query: TableQuery): Shown {
  const by = usePlacePart(({ group }) => group);
  const sort = usePlacePart(({ groupSort }) => JSON.stringify(groupSort));
  const pooled = usePlacePart(({ pool }) => pool) !== undefined;
  const { k, passes } = useGroupSettings();
  return useMemo(() => {
    if (by === undefined) return query;
    const order = orderFrom(sort === undefined ? undefined : JSON.parse(sort), groupColumns(k));
    return groupRequest(query, by, order, { k, passes, pooled });
  }, [query, by, sort, k, passes, pooled]);
}
