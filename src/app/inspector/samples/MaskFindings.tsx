import { useState, type ReactNode } from 'react';
import type { Finding } from '../../../model';
import { counted, formatCount } from '../../words/format';
import { PlaceButton } from '../PlaceButton';
import type { TabProps } from '../tab';
import { inNames, maskFindings } from './mask-findings';
import styles from './samples.module.css';

const few = 3;

/** What lint says of the recorded masks, where they are drawn. */
export function MaskFindings({ findings, onPlace }: Pick<TabProps, 'findings' | 'onPlace'>) {
  const [all, setAll] = useState(false);
  const found = maskFindings(findings);
  if (found.length === 0) return null;
  const shown = all ? found : found.filter(({ severity }) => severity !== 'info').slice(0, few);
  return (
    <div className={styles.cards}>
      {shown.map((finding, index) => (
        // Two findings can have the same words and place.
        // oxlint-disable-next-line react/no-array-index-key
        <Card key={index} finding={finding} onPlace={onPlace} />
      ))}
      {shown.length < found.length ? (
        <button type="button" className={styles.link} onClick={() => setAll(true)}>
          {shown.length === 0
            ? counted(found.length, 'note')
            : `and ${formatCount(found.length - shown.length)} more`}{' '}
          about masks
        </button>
      ) : null}
    </div>
  );
}

interface CardProps {
  finding: Finding;
  onPlace: TabProps['onPlace'];
  children?: ReactNode;
}

export function Card({ finding, onPlace, children }: CardProps) {
  const { severity, explanation, step } = finding;
  const message = inNames(finding.message);
  // `The final sample trains nothing: its mask …`: what is the case, and why.
  const colon = message.indexOf(': ');
  const title = colon < 0 ? message : message.slice(0, colon);
  const reason = colon < 0 ? undefined : message.slice(colon + 2);
  return (
    <div className={styles.card} data-severity={severity}>
      <p className={styles.cardTitle}>{title}</p>
      {reason === undefined ? null : <p className={styles.reason}>{reason}.</p>}
      <details>
        <summary>What this means</summary>
        <p>{explanation}</p>
      </details>
      <div className={styles.ways}>
        <PlaceButton step={step} onPlace={onPlace} />
        {children}
      </div>
    </div>
  );
}
