import type { ColumnInfo, TableQuery } from '../../../ingest/protocol';
import { ingest } from '../../data/ingest';
import { counted, formatReward } from '../../words/format';
import { rangeOf, withRange, type NumberRange } from '../filter/terms';
import { setFilter } from '../query';
import { useAnswer } from '../useAnswer';
import { Histogram } from './Histogram';
import styles from './facet.module.css';

interface RewardHistogramProps {
  query: TableQuery;
  revision: string;
  columns: readonly ColumnInfo[];
  /** Episodes that are in the table now, as far as known. */
  shown: number | undefined;
}

const key = 'reward';

/** How the rewards are spread over what the rest of the filter leaves; a brushed range becomes part of the filter. */
export function RewardHistogram({ query, revision, columns, shown }: RewardHistogramProps) {
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
  if (numbers === undefined || (numbers.min === numbers.max && range === undefined)) return null;
  const choose = (next: NumberRange | undefined, how?: 'push' | 'replace') =>
    setFilter(withRange(filter, columns, key, next), how);
  return (
    <div className={styles.reward}>
      <Histogram name="reward" numbers={numbers} range={range} onRange={choose} />
      <p className={styles.words}>
        {range === undefined ? (
          <>
            <span>{formatReward(numbers.min)}</span>
            <span>mean reward {formatReward(numbers.mean)}</span>
            <span>{formatReward(numbers.max)}</span>
          </>
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

/** `0.25 to 0.75`, `from 0.25`, `below 0.75`. */
function rangeWords({ from = -Infinity, to = Infinity, toIncluded = true }: NumberRange): string {
  if (from === to) return formatReward(from);
  const upper = toIncluded ? 'up to' : 'below';
  if (from === -Infinity) return `${upper} ${formatReward(to)}`;
  if (to === Infinity) return `from ${formatReward(from)}`;
  return `${formatReward(from)} ${toIncluded ? 'to' : 'to below'} ${formatReward(to)}`;
}
