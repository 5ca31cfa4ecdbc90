import { memo, useMemo } from 'react';
import { deletionQuality, type Episode } from '../../../model';
import { Section } from '../info/Section';
import { deletionFacts } from './deletion-facts';
import styles from './snapshots.module.css';

/** How well the deletes served the episode. */
export const Deletion = memo(function Deletion({ episode }: { episode: Episode }) {
  const facts = useMemo(() => deletionFacts(episode, deletionQuality(episode)), [episode]);
  if (facts.length === 0) return null;
  return (
    <Section title="Deletion">
      <dl className={styles.facts}>
        {facts.map(({ name, value, title, amiss = false }) => (
          <div key={name} title={title} data-amiss={amiss ? '' : undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
});
