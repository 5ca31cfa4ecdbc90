import { memo, useMemo } from 'react';
import type { Outcome as OutcomeOf } from '../../../model';
import { useFirst } from '../../controls/first';
import { More } from '../../controls/More';
import { formatNumber, formatReward, standingOf } from '../../words/format';
import { Name } from '../../markdown';
import { Folded } from '../Folded';
import { rewardParts } from './facts';
import { Section } from './Section';
import styles from './info.module.css';

export const Outcome = memo(function Outcome({ outcome }: { outcome: OutcomeOf }) {
  const { reward, verdict, termination, error } = outcome;
  const standing = reward === undefined ? undefined : standingOf(reward);
  return (
    <Section title="Outcome">
      <dl className={styles.outcome}>
        <div className={styles.reward} data-standing={standing}>
          <dt>Reward</dt>
          <dd title={reward === undefined ? undefined : String(reward)}>
            {standing === 'low' ? <span aria-hidden>▾ </span> : null}
            {standing === 'high' ? <span aria-hidden>▴ </span> : null}
            {reward === undefined ? <span className={styles.absent}>none</span> : formatReward(reward)}
          </dd>
        </div>
        {verdict === undefined ? null : (
          <div>
            <dt>Verdict</dt>
            <dd>
              <Folded text={verdict} />
            </dd>
          </div>
        )}
        {termination === undefined ? null : (
          <div>
            <dt>Ended</dt>
            <dd>
              <Folded text={termination} />
            </dd>
          </div>
        )}
        {error === undefined ? null : (
          <div className={styles.error}>
            <dt>Error</dt>
            <dd>
              <Folded text={error} />
            </dd>
          </div>
        )}
      </dl>
      <Components outcome={outcome} />
    </Section>
  );
});

function Components({ outcome }: { outcome: OutcomeOf }) {
  const { rows, sum, isReward } = useMemo(() => rewardParts(outcome), [outcome]);
  const { shown, rest, showMore } = useFirst(rows, outcome);
  if (rows.length === 0) return null;
  return (
    <table className={styles.components}>
      <caption className="unseen">Components of the reward</caption>
      <tbody>
        {shown.map(({ name, value }) => (
          <tr key={name}>
            <th scope="row">
              <Name text={name} />
            </th>
            <td>{formatNumber(value)}</td>
          </tr>
        ))}
        {rest === 0 ? null : (
          <tr>
            <td colSpan={2}>
              <More rest={rest} onMore={showMore} />
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{isReward === false ? 'sum, which is not the reward' : 'sum'}</th>
          <td>{formatNumber(sum)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
