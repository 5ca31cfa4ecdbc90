import { naturalRanks } from './natural';
import type { Group, GroupQuery } from './protocol';
import type { JoinedTable } from './query';

/** The rows of a query by task (or another column), each with its statistics. Rows without a value are in no group. */
export function groupsOf(table: JoinedTable, request: GroupQuery): Group[] {
  const { query, by = 'task', k, passes = 1 } = request;
  const rewards = table.numbers('reward');
  const { keyOf, keys } = table.keys(by);
  const rows = table.filtered(query.filter ?? '');
  const sizes = new Uint32Array(keys.length);
  for (const row of rows) {
    const key = keyOf[row] ?? -1;
    if (key >= 0) sizes[key] = (sizes[key] ?? 0) + 1;
  }
  // The rows of each group, as they stand, one group behind the other.
  const ends = new Uint32Array(keys.length);
  let start = 0;
  for (let key = 0; key < keys.length; key++) {
    ends[key] = start;
    start += sizes[key] ?? 0;
  }
  const members = new Uint32Array(start);
  for (const row of rows) {
    const key = keyOf[row] ?? -1;
    if (key < 0) continue;
    const end = ends[key] ?? 0;
    members[end] = row;
    ends[key] = end + 1;
  }
  const groups: Group[] = [];
  keys.forEach((key, nth) => {
    const end = ends[nth] ?? 0;
    const n = sizes[nth] ?? 0;
    const first = n === 0 ? undefined : table.refAt(members[end - n] ?? -1);
    if (first === undefined) return;
    const own: number[] = [];
    for (let at = end - n; at < end; at++) {
      const reward = rewards[members[at] ?? 0] ?? NaN;
      if (!Number.isNaN(reward)) own.push(reward);
    }
    groups.push({ key, n, first, ...statistics(own, k, passes) });
  });
  return sorted(groups, k, request.sort ?? { by: 'key', descending: false });
}

function statistics(
  rewards: readonly number[],
  k: readonly number[],
  passes: number,
): Omit<Group, 'key' | 'n' | 'first'> {
  const rewarded = rewards.length;
  const passed = rewards.filter((reward) => reward >= passes).length;
  const passAt = k.map((each) => passAtK(rewarded, passed, each));
  if (rewarded === 0) return { rewarded, passed, passAt, zeroVariance: false };
  const best = rewards.reduce((a, b) => Math.max(a, b));
  const worst = rewards.reduce((a, b) => Math.min(a, b));
  const mean = rewards.reduce((a, b) => a + b) / rewarded;
  const same = best === worst;
  // Exactly 0 where all are the same, whatever rounding does to the mean.
  const variance = same ? 0 : rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewarded;
  return { rewarded, mean, best, worst, variance, passed, passAt, zeroVariance: same && rewarded > 1 };
}

/**
 * The chance that one of `k` rollouts, drawn from the `n` there are, passes: 1 - C(n - c, k) / C(n, k), as a product
 * so that nothing overflows (Chen et al., Evaluating Large Language Models Trained on Code, 2021).
 */
export function passAtK(n: number, c: number, k: number): number | undefined {
  if (!Number.isInteger(k) || k < 1 || k > n) return undefined;
  if (n - c < k) return 1;
  let allFail = 1;
  for (let i = n - c + 1; i <= n; i++) allFail *= 1 - k / i;
  return 1 - allFail;
}

/** Groups without the number come last, either way. */
function sorted(
  groups: Group[],
  k: readonly number[],
  { by, descending }: NonNullable<GroupQuery['sort']>,
): Group[] {
  const direction = descending ? -1 : 1;
  if (by === 'key') {
    const inOrder = groups.slice();
    naturalRanks(groups.map(({ key }) => key)).forEach((rank, nth) => {
      const group = groups[nth];
      if (group !== undefined) inOrder[descending ? groups.length - 1 - rank : rank] = group;
    });
    return inOrder;
  }
  return groups.sort((a, b) => {
    const [x, y] = [sortValue(a, by, k), sortValue(b, by, k)];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    return direction * (x - y);
  });
}

function sortValue(
  group: Group,
  by: Exclude<NonNullable<GroupQuery['sort']>['by'], 'key'>,
  k: readonly number[],
): number | undefined {
  switch (by) {
    case 'n':
    case 'mean':
    case 'best':
    case 'worst':
    case 'variance':
    case 'passed':
      return group[by];
    default:
      return group.passAt[k.findIndex((each) => by === `pass@${each}`)];
  }
}
