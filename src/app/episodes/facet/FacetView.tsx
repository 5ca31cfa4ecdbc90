import type { ColumnInfo, TableQuery } from '../../../ingest/protocol';
import { ingest } from '../../data/ingest';
import { Name } from '../../markdown';
import { counted, formatCell, formatCount, formatNumber } from '../../words/format';
import { rangeOf, valueOf, withRange, withValue } from '../filter/terms';
import { setFilter, setGroup } from '../query';
import { useAnswer } from '../useAnswer';
import { Histogram } from './Histogram';
import styles from './facet.module.css';

interface FacetViewProps {
  info: ColumnInfo;
  query: TableQuery;
  revision: string;
  columns: readonly ColumnInfo[];
}

/** How the values of one column are spread over the rest of the filter; a chosen value becomes part of the filter. */
export function FacetView({ info, query, revision, columns }: FacetViewProps) {
  const { key } = info;
  const filter = query.filter ?? '';
  const isNumber = info.type === 'number';
  const rest = isNumber
    ? withRange(filter, columns, key, undefined)
    : withValue(filter, columns, key, undefined);
  const asked: TableQuery = { sources: query.sources, sort: [], filter: rest };
  const { value: facet, failure } = useAnswer(JSON.stringify([asked, key]), revision, () =>
    ingest().facet(asked, key),
  );
  if (failure !== undefined) return <p className={styles.none}>This could not be counted: {failure}</p>;
  if (facet === undefined) return <p className={styles.none}>Counting…</p>;
  const range = isNumber ? rangeOf(filter, columns, key) : undefined;
  const wanted = isNumber ? range?.from === range?.to && range?.from : valueOf(filter, columns, key);
  const most = facet.values[0]?.count ?? 1;
  const few = !isNumber || facet.distinct <= facet.values.length;
  return (
    <div className={styles.facet}>
      {isNumber && facet.numbers !== undefined ? (
        <>
          <Histogram
            name={info.label}
            numbers={facet.numbers}
            range={range}
            onRange={(next, how) => setFilter(withRange(filter, columns, key, next), how)}
          />
          <p className={styles.words}>
            <span>{formatNumber(facet.numbers.min)}</span>
            <span>mean {formatNumber(facet.numbers.mean)}</span>
            <span>{formatNumber(facet.numbers.max)}</span>
          </p>
        </>
      ) : null}
      {few ? (
        <ul className={styles.values} aria-label={`Values of ${info.label}`}>
          {facet.values.map(({ value, count }) => {
            const isWanted = wanted === value;
            const next = isWanted ? undefined : value;
            return (
              <li key={`${typeof value} ${String(value)}`}>
                <button
                  type="button"
                  className={styles.value}
                  aria-pressed={isWanted}
                  onClick={() =>
                    setFilter(
                      isNumber && typeof next !== 'string'
                        ? withRange(
                            filter,
                            columns,
                            key,
                            next === undefined ? undefined : { from: Number(next), to: Number(next) },
                          )
                        : withValue(filter, columns, key, next),
                    )
                  }
                >
                  <span aria-hidden className={styles.share} style={{ width: `${(count / most) * 100}%` }} />
                  <span className={styles.name}>
                    {value === '' ? <i>empty text</i> : <Name text={formatCell(value)} most={80} />}
                  </span>
                  <span className={styles.count}>{formatCount(count)}</span>
                </button>
              </li>
            );
          })}
        </ul>
      ) : null}
      <p className={styles.none}>
        {[
          ...(facet.distinct > facet.values.length ? [counted(facet.distinct, 'value')] : []),
          ...(facet.missing > 0 ? [`${counted(facet.missing, 'episode')} without a value`] : []),
        ].join(' · ')}
      </p>
      {isNumber ? null : (
        <button type="button" className={styles.group} onClick={() => setGroup(key)}>
          Group the episodes by this
        </button>
      )}
    </div>
  );
}
