import { useEffect, useRef } from 'react';
import type { GroupQuery, Result } from '../../../ingest/protocol';
import { ingest } from '../../data/ingest';
import { searchId, useSearch } from '../../search/store';
import { useAnswer } from '../useAnswer';
import { groupId, type GroupName } from './flat';

/** In how many places of a group's records what is searched for stands, for the groups on screen. */
export function useFoundInGroups(
  request: GroupQuery,
  revision: string,
  first: number,
  end: number,
): (group: GroupName) => number {
  const asked = useSearch((search) => search.asked);
  const state = useSearch((search) => search.state);
  const { value } = useAnswer(
    state === undefined ? undefined : JSON.stringify([asked, request, first, end]),
    `${revision} ${state?.matches} ${state?.phase}`,
    async () => {
      const found = await ingest().resultsByGroup(searchId, request, first, end);
      // By name: a source that grows puts groups before groups.
      return { of: request, places: new Map(found.map((group) => [groupId(group), group.places])) };
    },
    { keepLast: true },
  );
  return (group) => (value?.of === request ? (value.places.get(groupId(group)) ?? 0) : 0);
}

/** Calls `reveal` with the place of each result that the person walks to. */
export function useWalkedTo(reveal: (place: NonNullable<Result['group']>) => void): void {
  const at = useSearch((search) => search.at);
  // One from before this table was there can have stood in another order.
  const last = useRef(at);
  useEffect(() => {
    if (last.current === at) return;
    last.current = at;
    if (at?.group !== undefined) reveal(at.group);
  });
}
