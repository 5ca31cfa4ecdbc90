import { naturalRanks } from './natural';
import type { AllGroups, Group, GroupQuery } from './protocol';
import type { JoinedTable } from './query';

export interface Grouped {
  groups: Group[];
  all: AllGroups;
}

/** The rows of a query by task (or another column), each with its statistics. Rows without a value are in no group. */
export function groupsOf(table: JoinedTable, request: GroupQuery): Grouped {
  const { query, by = 'task', apart = false, k, passes = 1 } = request;
  const rewards = table.numbers('reward');
  const { keyOf, keys } = table.keys(by, apart);
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
    const source = apart ? { source: first.source } : {};
    groups.push({ key, ...source, n, first, ...statistics(own, k, passes) });
  });
  const all = { ...together(groups, k), ungrouped: rows.length - members.length };
  return { groups: sorted(groups, k, request.sort ?? { by: 'key', descending: false }), all };
}

function together(groups: readonly Group[], k: readonly number[]): Omit<AllGroups, 'ungrouped'> {
  let [n, rewarded, rewards, zeroVariance] = [0, 0, 0, 0];
  const passAt = k.map(() => ({ sum: 0, groups: 0 }));
  for (const group of groups) {
    n += group.n;
    rewarded += group.rewarded;
    rewards += (group.mean ?? 0) * group.rewarded;
    if (group.zeroVariance) zeroVariance += 1;
    group.passAt.forEach((chance, nth) => {
      const at = passAt[nth];
      if (at === undefined || chance === undefined) return;
      at.sum += chance;
      at.groups += 1;
    });
  }
  return {
    n,
    rewarded,
    ...(rewarded === 0 ? {} : { mean: withoutNoise(rewards / rewarded) }),
    passAt: passAt.map(({ sum, groups: own }) => ({
      ...(own === 0 ? {} : { mean: withoutNoise(sum / own) }),
      groups: own,
    })),
    zeroVariance,
  };
}

function statistics(
  rewards: readonly number[],
  k: readonly number[],
  passes: number,
): Omit<Group, 'key' | 'source' | 'n' | 'first'> {
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
 * The chance that one of `k` rollouts, drawn from the `n` there are of which `c` pass, passes: 1 - C(n - c, k) / C(n, k)
 * (Chen et al., Evaluating Large Language Models Trained on Code, 2021). One division of whole numbers as long as they
 * are exact, so that 5 of 8 are 0.625 and not a little less; else a product, so that nothing overflows.
 */
export function passAtK(n: number, c: number, k: number): number | undefined {
  if (!Number.isInteger(k) || k < 1 || k > n) return undefined;
  if (n - c < k) return 1;
  let [failing, draws, allFail] = [1, 1, 1];
  // C(n - c, k) / C(n, k) is the same with c and k exchanged: the fewer factors.
  for (let i = 0; i < Math.min(c, k); i++) {
    const fail = n - Math.max(c, k) - i;
    failing *= fail;
    draws *= n - i;
    allFail *= fail / (n - i);
  }
  return draws <= Number.MAX_SAFE_INTEGER ? (draws - failing) / draws : withoutNoise(1 - allFail);
}

/** 0.6249999999999999 is 0.625: what many roundings leave in the last digits is not shown as another number. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12));
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
