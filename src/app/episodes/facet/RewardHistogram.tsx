import type { ColumnInfo, Facet, TableQuery } from '../../../ingest/protocol';
import { ingest } from '../../data/ingest';
import { counted, formatCount, formatReward } from '../../words/format';
import { rangeOf, withRange, type NumberRange } from '../filter/terms';
import { setFilter } from '../query';
import { partIds } from '../reach';
import { useAnswer } from '../useAnswer';
import { Histogram } from './Histogram';
import styles from './facet.module.css';

interface RewardHistogramProps {
  query: TableQuery;
  revision: string;
  /** Some source is still being read. */
  growing: boolean;
  columns: readonly ColumnInfo[];
  /** Episodes that are in the table now, as far as known. */
  shown: number | undefined;
}

const key = 'reward';

/** How the rewards are spread over what the rest of the filter leaves; a brushed range becomes part of the filter. */
export function RewardHistogram({ query, revision, growing, columns, shown }: RewardHistogramProps) {
  const filter = query.filter ?? '';
  const isThere = columns.some(
    (column) => column.key === key && column.type === 'number' && column.filled > 0,
  );
  const rest = withRange(filter, columns, key, undefined);
  const range = rangeOf(filter, columns, key);
  const asked: TableQuery = { sources: query.sources, sort: [], filter: rest };
  const { value: facet } = useAnswer(
    isThere ? JSON.stringify(asked) : undefined,
    revision,
    () => ingest().facet(asked, key),
    { keepLast: true },
  );
  const numbers = facet?.numbers;
  if (facet === undefined || numbers === undefined) return null;
  const choose = (next: NumberRange | undefined, how?: 'push' | 'replace') =>
    setFilter(withRange(filter, columns, key, next), how);
  return (
    <div id={partIds.rewards} className={styles.reward}>
      {numbers.min === numbers.max && range === undefined ? null : (
        <Histogram name="reward" numbers={numbers} range={range} onRange={choose} />
      )}
      <p className={styles.words}>
        {range === undefined ? (
          <Spread facet={facet} numbers={numbers} growing={growing} />
        ) : (
          <>
            <span>
              {rangeWords(range)}
              {shown === undefined ? '' : ` · ${counted(shown, 'episode')}`}
            </span>
            <button
              type="button"
              className={styles.clear}
              aria-label="Clear the range of rewards"
              onClick={() => choose(undefined)}
            >
              Clear
            </button>
          </>
        )}
      </p>
    </div>
  );
}

interface SpreadProps {
  facet: Facet;
  numbers: NonNullable<Facet['numbers']>;
  growing: boolean;
}

/** Lowest, mean and highest, and of how many episodes that is where it is not of all. */
function Spread({ facet, numbers, growing }: SpreadProps) {
  const all = !growing && numbers.count === facet.rows;
  const of = all ? '' : ` of ${formatCount(numbers.count)}${growing ? ' so far' : ''}`;
  const title =
    numbers.count === facet.rows
      ? undefined
      : `${formatCount(numbers.count)} of ${counted(facet.rows, 'episode')} have a number as reward`;
  if (numbers.min === numbers.max) {
    const every = all ? ` in all ${counted(facet.rows, 'episode')}` : of;
    return (
      <span title={title}>
        reward {formatReward(numbers.min)}
        {every}
      </span>
    );
  }
  return (
    <>
      <span>{formatReward(numbers.min)}</span>
      <span title={title}>
        mean reward {formatReward(numbers.mean)}
        {of}
      </span>
      <span>{formatReward(numbers.max)}</span>
    </>
  );
}

/** `0.25 to 0.75`, `from 0.25`, `above 0.25`, `below 0.75`. */
function rangeWords({
  from = -Infinity,
  fromIncluded = true,
  to = Infinity,
  toIncluded = true,
}: NumberRange): string {
  if (from === to) return formatReward(from);
  const upper = toIncluded ? 'up to' : 'below';
  if (from === -Infinity) return `${upper} ${formatReward(to)}`;
  const lower = fromIncluded ? formatReward(from) : `above ${formatReward(from)}`;
  if (to === Infinity) return fromIncluded ? `from ${lower}` : lower;
  return `${lower} ${toIncluded ? 'to' : 'to below'} ${formatReward(to)}`;
}
