import { formatNumber } from '../../words/format';
import { edgesOf, type Scale } from './scale';
import styles from './tokens.module.css';

/** From quiet to strong, with the value at each end. */
export function ScaleLegend({ name, scale }: { name: string; scale: Scale | undefined }) {
  if (scale === undefined) return <p className={styles.scale}>No finite {name} is recorded here.</p>;
  if (scale.low === scale.high && !scale.clamped) {
    return (
      <p className={styles.scale}>
        {name} {formatNumber(scale.low)} everywhere
      </p>
    );
  }
  const edges = edgesOf(scale);
  const [first, last] = [edges[0] ?? scale.low, edges.at(-1) ?? scale.high];
  return (
    <p className={styles.scale}>
      {name} {formatNumber(first)}
      <span aria-hidden className={styles.steps}>
        {edges.slice(1).map((_, level) => (
          // Edges of a narrow scale can be equal numbers.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={level} className={styles.run} data-level={level}>
            {'\u00a0\u00a0'}
          </span>
        ))}
      </span>
      {formatNumber(last)}
      {scale.clamped ? ' and beyond' : ''}
    </p>
  );
}
