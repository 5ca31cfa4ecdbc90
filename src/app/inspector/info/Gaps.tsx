import { useState } from 'react';
import type { Gap } from '../../../model';
import { formatCount } from '../../episodes/format';
import { PlaceButton } from '../PlaceButton';
import type { TabProps } from '../tab';
import { gapNames, gapsBySubject } from './facts';
import { Section } from './Section';
import styles from './info.module.css';

export function Gaps({ gaps, onPlace }: { gaps: readonly Gap[]; onPlace: TabProps['onPlace'] }) {
  if (gaps.length === 0) return null;
  return (
    <Section title="What this file cannot show">
      <dl className={styles.gaps}>
        {gapsBySubject(gaps).map(({ about, gaps: found }) => (
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
}

const few = 5;

function Reasons({ gaps, onPlace }: { gaps: readonly Gap[]; onPlace: TabProps['onPlace'] }) {
  const [all, setAll] = useState(false);
  const shown = all ? gaps : gaps.slice(0, few);
  return (
    <ul className={styles.reasons}>
      {shown.map(({ reason, step, msgId }, index) => (
        // Two gaps can have the same words and place.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          {reason} <PlaceButton step={step} msgId={msgId} onPlace={onPlace} />
        </li>
      ))}
      {shown.length < gaps.length ? (
        <li>
          <button type="button" className={styles.all} onClick={() => setAll(true)}>
            and {formatCount(gaps.length - shown.length)} more
          </button>
        </li>
      ) : null}
    </ul>
  );
}
