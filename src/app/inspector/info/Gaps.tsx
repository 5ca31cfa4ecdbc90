import { memo, useMemo } from 'react';
import type { Gap } from '../../../model';
import { useFirst } from '../../controls/first';
import { More } from '../../controls/More';
import { Folded } from '../Folded';
import { PlaceButton } from '../PlaceButton';
import type { TabProps } from '../tab';
import { gapNames, gapsBySubject } from './facts';
import { Section } from './Section';
import styles from './info.module.css';

interface GapsProps {
  gaps: readonly Gap[];
  onPlace: TabProps['onPlace'];
}

export const Gaps = memo(function Gaps({ gaps, onPlace }: GapsProps) {
  const subjects = useMemo(() => gapsBySubject(gaps), [gaps]);
  if (gaps.length === 0) return null;
  return (
    <Section title="What this file cannot show">
      <dl className={styles.gaps}>
        {subjects.map(({ about, gaps: found }) => (
          <div key={about}>
            <dt>{gapNames[about]}</dt>
            <dd>
              <Reasons gaps={found} onPlace={onPlace} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
});

const few = 5;

function Reasons({ gaps, onPlace }: GapsProps) {
  const { shown, rest, showMore } = useFirst(gaps, gaps, few);
  return (
    <ul className={styles.reasons}>
      {shown.map(({ reason, step, msgId }, index) => (
        // Two gaps can have the same words and place.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Folded text={reason} /> <PlaceButton step={step} msgId={msgId} onPlace={onPlace} />
        </li>
      ))}
      {rest === 0 ? null : (
        <li>
          <More rest={rest} onMore={showMore} />
        </li>
      )}
    </ul>
  );
}
