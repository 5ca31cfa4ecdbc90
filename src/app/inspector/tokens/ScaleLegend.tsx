import { formatNumber } from '../../episodes/format';
import { edgesOf, type Scale } from './scale';
import styles from './tokens.module.css';

/** From quiet to strong, with the value at each end. */
export function ScaleLegend({ name, scale }: { name: string; scale: Scale | undefined }) {
  if (scale === undefined) return <p className={styles.scale}>No finite {name} is recorded here.</p>;
  const edges = edgesOf(scale);
  const [first, last] = [edges[0] ?? scale.low, edges.at(-1) ?? scale.high];
  return (
    <p className={styles.scale}>
      {name} {formatNumber(first)}
      <span aria-hidden className={styles.steps}>
        {edges.slice(1).map((edge, level) => (
          <span key={edge} className={styles.run} data-level={level}>
            {'\u00a0\u00a0'}
          </span>
        ))}
      </span>
      {formatNumber(last)}
      {scale.clamped ? ' and beyond' : ''}
    </p>
  );
}
