import type { AllGroups, Group, GroupQuery } from '../../../ingest/protocol';
import { counted, formatCount, formatNumber, formatReward } from '../../words/format';

/** What stands in a cell, and what there is to say of it: why there is no number, or what it is the mean of. */
export interface Told {
  text: string;
  why?: string;
}

/** What an answer tells, and which `k` it was asked for: its `passAt` is in their order. */
export type ForK<T extends Group | AllGroups> = T & { k: readonly number[] };

/** What is told of a group, column by column. */
export interface GroupColumn {
  id: NonNullable<GroupQuery['sort']>['by'];
  label: string;
  /** In a narrow table. */
  short: string;
  title: string;
  width: Widths;
  read: (group: ForK<Group>) => Told;
  /** Of all groups, in the words that are used for one of them: `task`. */
  all: (all: ForK<AllGroups>, total: number, noun: string) => Told;
}

/** In a table that is wide enough, and in a narrow one. */
interface Widths {
  wide: number;
  narrow: number;
}

export type GroupOrder = NonNullable<GroupQuery['sort']>;

const nothing = (): Told => ({ text: '' });

/** `filtered`: some rollouts may be left out. What matters most comes first: the rest is seen by scrolling. */
export const groupColumns = (k: readonly number[], { filtered = false, most = 0 } = {}): GroupColumn[] => [
  {
    id: 'n',
    label: 'n',
    short: 'n',
    title: 'Rollouts',
    width: sameWidth(Math.max(26, formatCount(most).length * 8 + 8)),
    read: ({ n }) => ({ text: formatCount(n) }),
    all: ({ n, ungrouped }, _total, noun) => ({
      text: formatCount(n),
      ...(ungrouped === 0 ? {} : { why: `${counted(ungrouped, 'more episode')} of no ${noun}` }),
    }),
  },
  {
    id: 'mean',
    label: 'mean',
    short: 'mean',
    title: 'Mean reward',
    width: sameWidth(46),
    read: ({ mean }) => reward(mean),
    all: ({ mean, rewarded }) => ({
      ...reward(mean),
      why: rewarded === 0 ? 'no rollout has a reward' : `of ${counted(rewarded, 'rollout')} with a reward`,
    }),
  },
  ...k.map((each): GroupColumn => {
    const label = `pass@${each}` as const;
    const meaning = `The chance that one of ${each} rollouts passes: the unbiased estimate`;
    return {
      id: label,
      label,
      short: `@${each}`,
      title: filtered ? `${meaning}, from the rollouts that the filter leaves` : meaning,
      width: {
        wide: label.length * 7 + 11,
        narrow: Math.max(38, String(each).length * 7 + 22),
      },
      read: ({ passAt, k: asked }) => {
        // Another k may just have been wanted.
        if (!asked.includes(each)) return nothing();
        const chance = passAt[asked.indexOf(each)];
        return chance === undefined
          ? { text: '', why: `fewer than ${counted(each, 'rewarded rollout')}` }
          : reward(chance);
      },
      all: ({ passAt, k: asked }, total, noun) => {
        if (!asked.includes(each)) return nothing();
        const { mean, groups = 0 } = passAt[asked.indexOf(each)] ?? {};
        const enough = `at least ${counted(each, 'rewarded rollout')}`;
        const those =
          groups === total
            ? `all ${counted(total, noun)}`
            : `the ${groups} of ${counted(total, noun)} with ${enough}`;
        return { ...reward(mean), why: groups === 0 ? `no ${noun} has ${enough}` : `mean over ${those}` };
      },
    };
  }),
  {
    id: 'best',
    label: 'best',
    short: 'best',
    title: 'Best reward',
    width: sameWidth(54),
    read: ({ best }) => reward(best),
    all: nothing,
  },
  {
    id: 'worst',
    label: 'worst',
    short: 'worst',
    title: 'Worst reward',
    width: sameWidth(56),
    read: ({ worst }) => reward(worst),
    all: nothing,
  },
  {
    id: 'variance',
    label: 'variance',
    short: 'variance',
    title: 'Variance of the rewards',
    width: sameWidth(68),
    read: ({ variance }) => ({ text: variance === undefined ? '' : formatNumber(variance) }),
    all: nothing,
  },
];

function sameWidth(width: number): Widths {
  return { wide: width, narrow: width };
}

function reward(value: number | undefined): Told {
  return { text: value === undefined ? '' : formatReward(value) };
}

const narrowestName = 68;
const widestName = 200;
/** A thin one, of which the width of a container does not tell. */
const scrollbarWidth = 11;
/** Seen without scrolling wherever there is room for them and for the start of a name. */
const isSeenFirst = (id = '') => id === 'n' || id === 'mean' || id.startsWith('pass@');

const sum = (widths: readonly number[]) => widths.reduce((a, b) => a + b, 0);

/** Room for the mark of the column that is sorted by. */
const markWidth = 11;

/** Tracks of the rows' grid, and how wide that is at least. The name has what the columns that are seen first leave. */
export function layoutOf(
  columns: readonly GroupColumn[],
  others: readonly number[],
  { by }: GroupOrder,
  how: keyof Widths,
) {
  const widths = columns.map(({ id, width }) => width[how] + (id === by ? markWidth : 0));
  const seen = sum(widths.filter((_, nth) => isSeenFirst(columns[nth]?.id)));
  const name = `clamp(${narrowestName}px, 100cqw - ${seen + scrollbarWidth}px, ${widestName}px)`;
  return {
    tracks: [`minmax(${name}, 1fr)`, ...[...widths, ...others].map((width) => `${width}px`)].join(' '),
    width: `calc(${name} + ${sum([...widths, ...others])}px)`,
  };
}

/** The order the URL asks for, as far as there is such a column; by name where there is none. */
export function orderFrom(
  asked: { column: string; descending: boolean } | undefined,
  columns: readonly GroupColumn[],
): GroupOrder {
  const by = columns.find(({ id }) => id === asked?.column)?.id ?? 'key';
  return { by, descending: asked?.descending === true && (by !== 'key' || asked.column === 'key') };
}

/** What a click on a column does: numbers fall first, names rise first, then the other way. */
export function orderAfter(order: GroupOrder, by: GroupOrder['by']): GroupOrder {
  return { by, descending: order.by === by ? !order.descending : by !== 'key' };
}
