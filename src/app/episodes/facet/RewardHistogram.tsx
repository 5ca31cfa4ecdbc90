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
            <button type="button" className={styles.clear} onClick={() => choose(undefined)}>
              All rewards
            </button>
          </>
        )}
      </p>
    </div>
  );
}

/** `reward 0.25 to 0.75`, `reward from 0.25`, `reward below 0.75`. */
function rangeWords({ from = -Infinity, to = Infinity, toIncluded = true }: NumberRange): string {
  if (from === to) return `reward ${formatReward(from)}`;
  const upper = toIncluded ? 'up to' : 'below';
  if (from === -Infinity) return `reward ${upper} ${formatReward(to)}`;
  if (to === Infinity) return `reward from ${formatReward(from)}`;
  return `reward ${formatReward(from)} ${toIncluded ? 'to' : 'to below'} ${formatReward(to)}`;
}
