import { useMemo, useState } from 'react';
import type { Episode } from '../../../model';
import { formatCount } from '../../words/format';
import { Section } from '../info/Section';
import type { TabProps } from '../tab';
import { between, keptAt, type Moment } from './contents';
import { MessageLines } from './MessageLines';
import styles from './snapshots.module.css';

interface ComparisonProps {
  episode: Episode;
  moments: readonly Moment[];
  /** Compared with the one after it, unless another is chosen. */
  chosen: number;
  onPlace: TabProps['onPlace'];
}

/** What was added and what was deleted from one snapshot to another. */
export function Comparison({ episode, moments, chosen, onPlace }: ComparisonProps) {
  const last = moments.length - 1;
  const [pair, setPair] = useState<readonly [number, number]>(
    chosen < last ? [chosen, chosen + 1] : [Math.max(chosen - 1, 0), chosen],
  );
  const [from, to] = pair[0] <= pair[1] ? pair : [pair[1], pair[0]];
  const [earlier, later] = [moments[from], moments[to]];
  const difference = useMemo(
    () =>
      earlier === undefined || later === undefined
        ? undefined
        : between(keptAt(episode, earlier), keptAt(episode, later)),
    [episode, earlier, later],
  );
  if (earlier === undefined || later === undefined || difference === undefined) return null;
  const { added, taken } = difference;
  const pick = (which: 0 | 1) => (
    <select
      className={styles.select}
      aria-label={which === 0 ? 'Compare from' : 'Compare to'}
      value={pair[which]}
      onChange={({ target }) =>
        setPair(which === 0 ? [Number(target.value), pair[1]] : [pair[0], Number(target.value)])
      }
    >
      {moments.map(({ name }, index) => (
        <option key={name} value={index}>
          {name}
        </option>
      ))}
    </select>
  );
  return (
    <Section title="Compare">
      <p className={styles.pair}>
        {pick(0)} <span aria-hidden>→</span> {pick(1)}
      </p>
      <p className={styles.edit}>
        {formatCount(added.length)} added, {formatCount(taken.length)} deleted
        {contextChange(earlier, later)}
      </p>
      {taken.length === 0 ? null : (
        <>
          <h4 className={styles.kind} data-kind="taken">
            − deleted
          </h4>
          <MessageLines messages={taken.map((kept) => ({ ...kept, state: 'whole' }))} onPlace={onPlace} />
        </>
      )}
      {added.length === 0 ? null : (
        <>
          <h4 className={styles.kind} data-kind="added">
            + added
          </h4>
          <MessageLines messages={added} onPlace={onPlace} />
        </>
      )}
    </Section>
  );
}

function contextChange({ context: before }: Moment, { context: after }: Moment): string {
  if (before === undefined || after === undefined) return '';
  return `; context ${formatCount(before)} → ${formatCount(after)} tokens`;
}
