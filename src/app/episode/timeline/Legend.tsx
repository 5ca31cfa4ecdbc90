import type { Budget } from '../../../model';
import type { ContextMeasure } from '../measure';
import { formatCount } from '../../words/format';
import { layers, layerSize, type Layer } from './plot';
import styles from './timeline.module.css';

export const layerNames: Record<Layer, string> = {
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  stubs: 'stubs',
};

interface LegendProps {
  measure: ContextMeasure;
  budgets: readonly Budget[];
  edited: boolean;
  /** Whether the limit, if there is one, is drawn as a line. */
  limitDrawn: boolean;
}

/** What is measured, and the layers this episode has. */
export function Legend({ measure: { unit, limit }, budgets, edited, limitDrawn }: LegendProps) {
  const present = layers.filter((layer) => budgets.some((budget) => layerSize(budget, layer) > 0));
  return (
    <div className={styles.legend}>
      <span className={styles.measured}>
        {unit} in context
        {limit === undefined || limitDrawn ? null : (
          <span className={styles.limit}>{`, ${limit.label} ${formatCount(limit.value)}`}</span>
        )}
      </span>
      {present.map((layer) => (
        <span key={layer} className={styles.entry}>
          <i className={styles.swatch} data-layer={layer} />
          {layerNames[layer]}
        </span>
      ))}
      {edited ? (
        <span
          className={styles.entry}
          title="How large the context would be had nothing been deleted. Derived."
        >
          <i className={styles.dashes} />
          without deletion
        </span>
      ) : null}
    </div>
  );
}
