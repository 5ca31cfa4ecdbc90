import { compareNatural } from './natural';
import type { Group, GroupQuery } from './protocol';
import type { JoinedTable } from './query';

/** The rows of a query by task (or another column), each with its statistics. Rows without a value are in no group. */
export function groupsOf(table: JoinedTable, request: GroupQuery): Group[] {
  const { query, by = 'task', k, passes = 1 } = request;
  const rewards = table.numbers('reward');
  const members = new Map<string, number[]>();
  for (const row of table.filtered(query.filter ?? '')) {
    const key = table.cell(row, by);
    if (key === undefined || Number.isNaN(key)) continue;
    const known = members.get(String(key));
    if (known === undefined) members.set(String(key), [row]);
    else known.push(row);
  }
  const groups = [...members].flatMap(([key, rows]) => {
    const first = table.refAt(rows[0] ?? -1);
    if (first === undefined) return [];
    const own = rows.map((row) => rewards[row] ?? NaN).filter((reward) => !Number.isNaN(reward));
    return [{ key, n: rows.length, first, ...statistics(own, k, passes) }];
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
  if (by === 'key') return groups.sort((a, b) => direction * compareNatural(a.key, b.key));
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
