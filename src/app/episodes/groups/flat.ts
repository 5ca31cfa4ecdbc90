import type { Group } from '../../../ingest/protocol';

/** Groups and the rollouts of those that are open, as one list of rows. */

/** What tells a group from the others: its key, and its source where groups are apart by source. */
export type GroupName = Pick<Group, 'key' | 'source'>;

/** An open group: where it stands among the groups, and how many rollouts it has. */
export interface OpenGroup extends GroupName {
  index: number;
  n: number;
}

export type FlatRow =
  | { kind: 'group'; group: number }
  /** The nth rollout of a group, from 0. */
  | { kind: 'member'; group: number; of: OpenGroup; nth: number };

/** The name of a group as one text, for maps. */
export function groupId({ key, source }: GroupName): string {
  return JSON.stringify([key, source]);
}

export function sameGroup(a: GroupName, b: GroupName): boolean {
  return a.key === b.key && a.source === b.source;
}

/** Rows in all. `open` is by ascending index, here and below. */
export function flatCount(groups: number, open: readonly OpenGroup[]): number {
  return open.reduce((sum, { index, n }) => (index < groups ? sum + n : sum), groups);
}

/** What stands in a row. With the second of three groups open, which has two rollouts: 0 1 1.0 1.1 2. */
export function flatAt(row: number, open: readonly OpenGroup[]): FlatRow {
  let before = 0;
  for (const each of open) {
    const { index, n } = each;
    const head = index + before;
    if (row <= head) break;
    if (row <= head + n) return { kind: 'member', group: index, of: each, nth: row - head - 1 };
    before += n;
  }
  return { kind: 'group', group: row - before };
}

/** The row of a group. */
export function rowOfGroup(group: number, open: readonly OpenGroup[]): number {
  return open.reduce((row, { index, n }) => (index < group ? row + n : row), group);
}

/** With a group opened, or closed if it was open. */
export function toggled(open: readonly OpenGroup[], group: OpenGroup): OpenGroup[] {
  const others = open.filter((each) => !sameGroup(each, group));
  if (others.length < open.length) return others;
  return [...others, group].sort((a, b) => a.index - b.index);
}
