import { useState } from 'react';
import type { EpisodeRef } from '../../../ingest/protocol';
import { ruleIds, type Finding, type Severity } from '../../../model';
import { Notice } from '../../controls/Notice';
import { PlainText } from '../../markdown';
import { goTo } from '../../place/usePlace';
import { counted, formatCount } from '../../words/format';
import { PlaceButton } from '../PlaceButton';
import { showPromptTokens, showTokens } from '../samples/choice';
import type { TabProps } from '../tab';
import { bySeverity, type RuleFindings } from './groups';
import styles from './findings.module.css';

const names: Record<Severity, [one: string, many: string]> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  info: ['note', 'notes'],
};
const marks: Record<Severity, string> = { error: '✕', warning: '▲', info: 'i' };

export function FindingsTab({ episodeRef, findings, onPlace }: TabProps) {
  if (findings.length === 0) {
    return (
      <Notice title="No findings">
        {counted(ruleIds.length, 'rule')} looked at this episode and found nothing amiss.
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
            <RuleView
              key={rule.rule}
              rule={rule}
              severity={severity}
              episodeRef={episodeRef}
              onPlace={onPlace}
            />
          ))}
        </section>
      ))}
    </div>
  );
}

interface RuleViewProps {
  rule: RuleFindings;
  severity: Severity;
  episodeRef: EpisodeRef;
  onPlace: TabProps['onPlace'];
}

const few = 20;

function RuleView({ rule: { rule, explanation, findings }, severity, episodeRef, onPlace }: RuleViewProps) {
  const [all, setAll] = useState(false);
  const shown = all ? findings : findings.slice(0, few);
  return (
    <div className={styles.rule} data-severity={severity}>
      <ul>
        {shown.map((finding, index) => (
          // Two findings can have the same words and place.
          // oxlint-disable-next-line react/no-array-index-key
          <FindingView key={index} finding={finding} episodeRef={episodeRef} onPlace={onPlace} />
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

interface FindingViewProps {
  finding: Finding;
  episodeRef: EpisodeRef;
  onPlace: TabProps['onPlace'];
}

function FindingView({ finding, episodeRef, onPlace }: FindingViewProps) {
  const { message, step, msgId, sample, tokens } = finding;
  return (
    <li>
      <p>
        <PlainText text={message} />
      </p>
      <div className={styles.where}>
        <PlaceButton step={step} msgId={msgId} onPlace={onPlace} />
        {tokens === undefined ? null : (
          <button
            type="button"
            className={styles.tokens}
            title="Show them"
            onClick={() => {
              if (sample === undefined) showPromptTokens(episodeRef);
              else showTokens(episodeRef, sample, tokens[0]);
              goTo({ tab: 'tokens', ...(step === undefined ? {} : { step }) });
            }}
          >
            {tokens[1] - tokens[0] === 1
              ? `token ${formatCount(tokens[0])}`
              : `tokens ${formatCount(tokens[0])} to ${formatCount(tokens[1])}`}
          </button>
        )}
      </div>
    </li>
  );
}
