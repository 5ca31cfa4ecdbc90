import { useState } from 'react';
import { rules, type Finding, type Severity } from '../../../model';
import { Notice } from '../../controls/Notice';
import { counted, formatCount } from '../../words/format';
import { PlaceButton } from '../PlaceButton';
import type { TabProps } from '../tab';
import { bySeverity, type RuleFindings } from './groups';
import styles from './findings.module.css';

const names: Record<Severity, [one: string, many: string]> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  info: ['note', 'notes'],
};
const marks: Record<Severity, string> = { error: '✕', warning: '▲', info: 'i' };

export function FindingsTab({ findings, onPlace }: TabProps) {
  if (findings.length === 0) {
    return (
      <Notice title="No findings">
        {counted(rules.length, 'rule')} looked at this episode and found nothing amiss.
      </Notice>
    );
  }
  return (
    <div className={styles.findings}>
      {bySeverity(findings).map(({ severity, count, rules: found }) => (
        <section key={severity} className={styles.severity}>
          <h3 data-severity={severity}>
            <span aria-hidden className={styles.mark}>
              {marks[severity]}
            </span>
            {counted(count, ...names[severity])}
          </h3>
          {found.map((rule) => (
            <RuleView key={rule.rule} rule={rule} severity={severity} onPlace={onPlace} />
          ))}
        </section>
      ))}
    </div>
  );
}

interface RuleViewProps {
  rule: RuleFindings;
  severity: Severity;
  onPlace: TabProps['onPlace'];
}

const few = 20;

function RuleView({ rule: { rule, explanation, findings }, severity, onPlace }: RuleViewProps) {
  const [all, setAll] = useState(false);
  const shown = all ? findings : findings.slice(0, few);
  return (
    <div className={styles.rule} data-severity={severity}>
      <ul>
        {shown.map((finding, index) => (
          // Two findings can have the same words and place.
          // oxlint-disable-next-line react/no-array-index-key
          <FindingView key={index} finding={finding} onPlace={onPlace} />
        ))}
      </ul>
      {shown.length < findings.length ? (
        <button type="button" className={styles.all} onClick={() => setAll(true)}>
          and {formatCount(findings.length - shown.length)} more
        </button>
      ) : null}
      <details>
        <summary>
          What this means <code>{rule}</code>
        </summary>
        <p>{explanation}</p>
      </details>
    </div>
  );
}

function FindingView({ finding, onPlace }: { finding: Finding; onPlace: TabProps['onPlace'] }) {
  const { message, step, msgId, tokens } = finding;
  return (
    <li>
      <p>{message}</p>
      <div className={styles.where}>
        <PlaceButton step={step} msgId={msgId} onPlace={onPlace} />
        {tokens === undefined ? null : (
          <span className={styles.tokens}>
            tokens {formatCount(tokens[0])} to {formatCount(tokens[1])}
          </span>
        )}
      </div>
    </li>
  );
}
