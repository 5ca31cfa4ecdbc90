import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ColumnInfo, Group, GroupQuery, TableQuery } from '../../../ingest/protocol';
import { ingest } from '../../data/ingest';
import { withValue } from '../filter/terms';
import { windowsOver } from '../rowWindows';
import type { GroupOrder } from './columns';
import { flatAt, flatCount, toggled, type OpenGroup } from './flat';
import { useMembers } from './members';
import { groupRequest } from './request';
import { useGroupSettings } from './settings';

interface GroupsAsked {
  query: TableQuery;
  by: string;
  order: GroupOrder;
  revision: string;
  infos: readonly ColumnInfo[];
}

/** The groups at hand, which of them are open, and the rollouts of those. */
export function useGroups({ query, by, order, revision, infos }: GroupsAsked) {
  const { k, passes } = useGroupSettings();
  const request = useMemo(
    () => groupRequest(query, by, { by: order.by, descending: order.descending }, { k, passes }),
    [query, by, k, passes, order.by, order.descending],
  );
  const [windows] = useState(() =>
    windowsOver<GroupQuery, Group>(
      async (asked, start, end) => {
        const { total, groups } = await ingest().groups(asked, start, end);
        return { total, rows: groups };
      },
      (_before, now) => now,
    ),
  );
  useSyncExternalStore(windows.subscribe, windows.version);

  // In another order the same place is another group.
  const key = JSON.stringify([query.sources, query.filter, by, order, passes]);
  const [opened, setOpened] = useState<{ key: string; open: readonly OpenGroup[] }>({ key, open: [] });
  // A source that grows can put another group in its place, or more rollouts into it.
  const open = (opened.key === key ? opened.open : []).flatMap((each) => {
    const now = windows.row(each.index);
    if (now === undefined) return [each];
    return now.key === each.key ? [{ ...each, n: now.n }] : [];
  });
  const members = useMembers();
  const keys = open.map((each) => each.key).join('\0');
  useEffect(() => members.keepOnly(keys === '' ? [] : keys.split('\0')), [members, keys]);

  const type = infos.find((info) => info.key === by)?.type ?? 'string';
  function memberQuery(group: string): TableQuery {
    const value = type === 'number' ? Number(group) : type === 'boolean' ? group === 'true' : group;
    return { ...query, filter: withValue(query.filter ?? '', infos, by, value) };
  }

  /** Asks for the rollouts among the rows on screen. */
  function wantMembers(first: number, end: number): void {
    const wanted = new Map<string, { first: number; end: number }>();
    for (let row = first; row < end; row++) {
      const at = flatAt(row, open);
      if (at.kind !== 'member') continue;
      const known = wanted.get(at.key);
      wanted.set(at.key, { first: known?.first ?? at.nth, end: at.nth + 1 });
    }
    for (const [group, range] of wanted) {
      members.of(group).want({ query: memberQuery(group), revision, ...range });
    }
  }

  const total = windows.total();
  return {
    request,
    windows,
    total,
    rows: flatCount(total ?? 0, open),
    open,
    toggle: (group: OpenGroup) => setOpened({ key, open: toggled(open, group) }),
    /** Opens a group, if it is closed. */
    reveal: (group: OpenGroup) => {
      if (!open.some(({ index }) => index === group.index)) setOpened({ key, open: toggled(open, group) });
    },
    members,
    memberQuery,
    wantMembers,
  };
}
