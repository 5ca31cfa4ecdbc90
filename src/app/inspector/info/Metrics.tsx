import { memo, useMemo, useState } from 'react';
import type { Metrics as MetricsOf } from '../../../model';
import { useFirst } from '../../controls/first';
import { More } from '../../controls/More';
import { formatCell, formatCount } from '../../words/format';
import { Name } from '../../markdown';
import { Folded } from '../Folded';
import { metricsNamed } from './facts';
import { Section } from './Section';
import styles from './info.module.css';

/** With more metrics than this there is a field to find one. */
const many = 12;

export const Metrics = memo(function Metrics({ metrics }: { metrics: MetricsOf }) {
  const [find, setFind] = useState('');
  const count = useMemo(() => Object.keys(metrics).length, [metrics]);
  const wanted = count > many ? find : '';
  const found = useMemo(() => metricsNamed(metrics, wanted), [metrics, wanted]);
  const { shown, rest, showMore } = useFirst(found, found);
  if (count === 0) return null;
  return (
    <Section
      title="Metrics"
      aside={
        count > many ? (
          <input
            type="search"
            className={styles.find}
            placeholder={`Find among ${formatCount(count)}`}
            aria-label="Find a metric"
            value={find}
            onChange={(event) => setFind(event.target.value)}
          />
        ) : null
      }
    >
      <dl className={styles.metrics}>
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>
              <Name text={name} />
            </dt>
            <dd title={typeof value === 'number' ? String(value) : undefined}>
              {typeof value === 'string' ? <Folded text={value} /> : formatCell(value)}
            </dd>
          </div>
        ))}
      </dl>
      <More rest={rest} onMore={showMore} />
      {shown.length === 0 ? <p className={styles.absent}>No metric has this in its name or text.</p> : null}
    </Section>
  );
});
