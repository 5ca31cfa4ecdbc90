import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { AllGroups, ColumnInfo, Group, GroupQuery, TableQuery } from '../../../ingest/protocol';
import { ingest } from '../../data/ingest';
import { withValue } from '../filter/terms';
import { windowsOver } from '../rowWindows';
import type { ForK, GroupOrder } from './columns';
import { flatAt, flatCount, groupId, sameGroup, toggled, type GroupName, type OpenGroup } from './flat';
import { useMembers } from './members';
import { groupRequest } from './request';
import { useGroupSettings } from './settings';
import { standing } from './standing';

interface GroupsAsked {
  query: TableQuery;
  by: string;
  order: GroupOrder;
  pooled: boolean;
  revision: string;
  infos: readonly ColumnInfo[];
}

/** The groups at hand, which of them are open, and the rollouts of those. */
export function useGroups({ query, by, order, pooled, revision, infos }: GroupsAsked) {
  const { k, passes } = useGroupSettings();
  const request = useMemo(
    () => groupRequest(query, by, { by: order.by, descending: order.descending }, { k, passes, pooled }),
    [query, by, k, passes, pooled, order.by, order.descending],
  );
  const [{ windows, all }] = useState(() => {
    // Of the last answer: the worker answers in the order it is asked.
    let last: { of: GroupQuery; all: ForK<AllGroups> } | undefined;
    const windowsOfGroups = windowsOver<GroupQuery, ForK<Group>>(
      async (asked, start, end) => {
        const { total, groups, all: together } = await ingest().groups(asked, start, end);
        const { k: askedK } = asked;
        last = { of: asked, all: { ...together, k: askedK } };
        return { total, rows: groups.map((group) => ({ ...group, k: askedK })) };
      },
      (_before, now) => now,
    );
    return {
      windows: windowsOfGroups,
      /** Other groups together are something else. */
      all: ({ by: column, apart }: GroupQuery) =>
        last !== undefined && last.of.by === column && last.of.apart === apart ? last.all : undefined,
    };
  });
  useSyncExternalStore(windows.subscribe, windows.version);

  // In another order the same place is another group.
  const key = JSON.stringify([query.sources, query.filter, by, order, passes, pooled]);
  const [opened, setOpened] = useState<{ key: string; open: readonly OpenGroup[] }>({ key, open: [] });
  const remembered = opened.key === key ? opened.open : [];
  const open = standing(remembered, windows);
  const members = useMembers();
  useEffect(() => members.keepOnly(new Set(open.map(groupId))));

  function memberQuery({ key: text, source }: GroupName): TableQuery {
    // As text, which also finds the numbers and booleans that are written so.
    const filter = withValue(query.filter ?? '', infos, by, text);
    return { ...query, filter, ...(source === undefined ? {} : { only: source }) };
  }

  /** Asks for the rollouts among the rows on screen. */
  function wantMembers(first: number, end: number): void {
    const wanted = new Map<GroupName, { first: number; end: number }>();
    for (let row = first; row < end; row++) {
      const at = flatAt(row, open);
      if (at.kind !== 'member') continue;
      const known = wanted.get(at.of);
      wanted.set(at.of, { first: known?.first ?? at.nth, end: at.nth + 1 });
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
    all: all(request),
    rows: flatCount(total ?? 0, open),
    open,
    toggle: (group: OpenGroup) => setOpened({ key, open: toggled(remembered, group) }),
    /** Opens a group, if it is closed. */
    reveal: (group: OpenGroup) => {
      if (open.some(({ index }) => index === group.index)) return;
      // It may be open in a place that is not at hand.
      const others = remembered.filter((each) => !sameGroup(each, group));
      setOpened({ key, open: toggled(others, group) });
    },
    members,
    memberQuery,
    wantMembers,
  };
}
