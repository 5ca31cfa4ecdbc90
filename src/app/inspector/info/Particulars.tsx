import { memo } from 'react';
import type { Episode } from '../../../model';
import { formatCount } from '../../words/format';
import { Name } from '../../markdown';
import { callCount } from './facts';
import { Section } from './Section';
import styles from './info.module.css';

export const Particulars = memo(function Particulars({ episode }: { episode: Episode }) {
  const { task, model, format, id, messages, steps, edits } = episode;
  const facts: readonly (readonly [name: string, value: string | number | undefined])[] = [
    ['Task', task?.key],
    ['Rollout', task?.rollout],
    ['Attempt', task?.attempt],
    ['Model', model],
    ['Steps', steps.length],
    ['Messages in all', messages.length],
    ['Calls by the policy', callCount(episode)],
    ['Context edits', edits.length],
    ['Id', id],
    ['Format', format],
  ];
  return (
    <Section title="Episode">
      <dl className={styles.facts}>
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'number' ? formatCount(value) : <Name text={value} />}</dd>
            </div>
          ),
        )}
      </dl>
    </Section>
  );
});
