import { memo, type ReactNode } from 'react';
import { Name } from '../../markdown';
import { formatCount } from '../../words/format';
import { shortName } from '../fold';
import type { ContextMeasure } from '../measure';
import type { Layer } from './plot';
import styles from './timeline.module.css';

interface LegendProps {
  measure: ContextMeasure;
  /** Of how many steps the total is recorded. */
  recorded: 'all' | 'some' | 'none';
  layers: readonly Layer[];
  edited: boolean;
  /** Whether the limit, if there is one, is drawn as a line. */
  limitDrawn: boolean;
  /** Where another way to count can be chosen. */
  children: ReactNode;
}

/** What is measured and by whom, and the layers this episode has. */
export const Legend = memo(function Legend(props: LegendProps) {
  const { measure, recorded, layers, edited, limitDrawn, children } = props;
  const { unit, limit } = measure;
  return (
    <div className={styles.legend}>
      <span className={styles.measured}>
        <span title={recorded === 'none' ? measure.why : titles[recorded]}>
          {recorded === 'none' && measure.about !== '' ? `${measure.about} ` : ''}
          {unit} in context{source(measure, recorded, children !== null)}
        </span>
        {children}
        {limit === undefined || limitDrawn ? null : (
          <span className={styles.more}>{`${limit.label} ${formatCount(limit.value)}`}</span>
        )}
        {edited ? (
          <span
            className={styles.more}
            title="How large the context would be had nothing been deleted. Derived."
          >
            <i className={styles.dashes} />
            without deletion
          </span>
        ) : null}
      </span>
      <span className={styles.entries}>
        {layers.map(({ key, name }) => (
          <span key={key} className={styles.entry}>
            <i className={styles.swatch} data-layer={key} />
            <Name text={shortName(name, 24)} />
          </span>
        ))}
      </span>
    </div>
  );
});

const titles = {
  all: 'Recorded: the prompt tokens of each call. How they divide into messages is counted or estimated.',
  some: 'Recorded where the source has the prompt tokens of a call; the other steps are counted or estimated.',
} as const;

/** Counted by whom is said by the choice beside it, where there is one. */
function source({ how }: ContextMeasure, recorded: LegendProps['recorded'], hasChoice: boolean): string {
  if (recorded === 'all') return hasChoice ? ', recorded; their parts' : ', recorded';
  if (recorded === 'some') return hasChoice ? ', recorded or' : `, recorded or ${how}`;
  return hasChoice ? ',' : `, ${how}`;
}
