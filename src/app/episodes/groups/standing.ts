import type { EpisodeRef, Group, GroupQuery } from '../../../ingest/protocol';
import type { RowWindows, Windows } from '../rowWindows';
import { sameRef } from '../cursor';
import { rowOfGroup, sameGroup, type GroupName, type OpenGroup } from './flat';

/** Where open groups and the cursor stand by now: a source that grows puts groups before groups, and rollouts before rollouts. */

export type GroupsAtHand = Pick<Windows<GroupQuery, Group>, 'row' | 'find'>;

/** A group, and where it was last seen. */
interface SeenGroup extends GroupName {
  index: number;
}

/** Undefined where another group stands in its place, and it is not on screen. */
function placeOf(group: SeenGroup, groups: GroupsAtHand): number | undefined {
  const now = groups.row(group.index);
  if (now === undefined || sameGroup(now, group)) return group.index;
  return groups.find((each) => sameGroup(each, group));
}

/** The groups that were opened, in their order, as far as it is known where they are. */
export function standing(opened: readonly OpenGroup[], groups: GroupsAtHand): OpenGroup[] {
  return opened
    .flatMap((each) => {
      const index = placeOf(each, groups);
      return index === undefined ? [] : [{ ...each, index, n: groups.row(index)?.n ?? each.n }];
    })
    .sort((a, b) => a.index - b.index);
}

/** What the keys are at: a group, or a rollout of it. */
export interface GroupCursor {
  group: SeenGroup;
  /** `ref` if it was at hand. */
  member?: { nth: number; ref: EpisodeRef | undefined };
}

/** The row of what the cursor is at, as far as known; of the group where that is not open. */
export function rowOfCursor(
  { group, member }: GroupCursor,
  groups: GroupsAtHand,
  open: readonly OpenGroup[],
  membersOf: (group: GroupName) => Pick<RowWindows, 'find'>,
): number | undefined {
  const index = placeOf(group, groups);
  if (index === undefined) return undefined;
  const head = rowOfGroup(index, open);
  const opened = open.find((each) => each.index === index);
  if (member === undefined || opened === undefined) return head;
  const { nth, ref } = member;
  const now = ref === undefined ? undefined : membersOf(opened).find((row) => sameRef(row.ref, ref));
  return head + 1 + Math.min(now ?? nth, opened.n - 1);
}
