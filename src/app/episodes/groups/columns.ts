import type { Group, GroupQuery } from '../../../ingest/protocol';
import { formatCount, formatNumber, formatReward } from '../../words/format';

/** What is told of a group, column by column. */
export interface GroupColumn {
  id: NonNullable<GroupQuery['sort']>['by'];
  label: string;
  title: string;
  width: number;
  read: (group: Group) => string;
}

export type GroupOrder = NonNullable<GroupQuery['sort']>;

export const groupColumns = (k: readonly number[]): GroupColumn[] => [
  { id: 'n', label: 'n', title: 'Rollouts', width: 38, read: ({ n }) => formatCount(n) },
  {
    id: 'mean',
    label: 'mean',
    title: 'Mean reward',
    width: 66,
    read: ({ mean }) => reward(mean),
  },
  ...k.map((each, nth): GroupColumn => {
    return {
      id: `pass@${each}`,
      label: `pass@${each}`,
      title: `The chance that one of ${each} rollouts passes: the unbiased estimate`,
      width: 60,
      read: ({ passAt }) => reward(passAt[nth]),
    };
  }),
  { id: 'best', label: 'best', title: 'Best reward', width: 54, read: ({ best }) => reward(best) },
  { id: 'worst', label: 'worst', title: 'Worst reward', width: 56, read: ({ worst }) => reward(worst) },
  {
    id: 'variance',
    label: 'variance',
    title: 'Variance of the rewards',
    width: 68,
    read: ({ variance }) => (variance === undefined ? '' : formatNumber(variance)),
  },
];

function reward(value: number | undefined): string {
  return value === undefined ? '' : formatReward(value);
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
