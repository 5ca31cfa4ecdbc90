import { useState } from 'react';
import { formatCount } from '../../words/format';
import { Section } from '../info/Section';
import { sampleName } from './cuts';
import type { Lane } from './lanes';
import styles from './samples.module.css';

interface TurnListProps {
  lanes: readonly Lane[];
  step: number;
  pointed: number | undefined;
  onPoint: (step: number | undefined) => void;
  onStep: (step: number) => void;
}

const few = 100;

/** Every emitted turn, and the sample that trains it. */
export function TurnList({ lanes, step, pointed, onPoint, onStep }: TurnListProps) {
  const [limit, setLimit] = useState(few);
  const turns = lanes.flatMap(({ sample, turns: own }) => own.map((turn) => ({ sample, turn })));
  if (turns.length === 0) return null;
  return (
    <Section title="Turns">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">emitted at</th>
            <th scope="col">tokens</th>
            <th scope="col">trained in</th>
          </tr>
        </thead>
        <tbody>
          {turns.slice(0, limit).map(({ sample, turn }) => (
            <tr
              key={`${sample.index} ${turn.step}`}
              data-pointed={turn.step === pointed ? '' : undefined}
              data-current={turn.step === step ? '' : undefined}
              onMouseEnter={() => onPoint(turn.step)}
              onMouseLeave={() => onPoint(undefined)}
            >
              <td>
                <button
                  type="button"
                  className={styles.link}
                  onClick={() => onStep(turn.step)}
                  onFocus={() => onPoint(turn.step)}
                  onBlur={() => onPoint(undefined)}
                >
                  step {turn.step}
                </button>
              </td>
              <td>{formatCount(turn.length)}</td>
              <td>
                {turn.trained === 0 && turn.length > 0 ? (
                  <span className={styles.none}>no sample</span>
                ) : (
                  sampleName(sample)
                )}
                {turn.trained > 0 && turn.dropped > 0 ? (
                  <span className={styles.none}> without {formatCount(turn.dropped)}</span>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {turns.length > limit ? (
        <button type="button" className={styles.link} onClick={() => setLimit(limit * 5)}>
          and {formatCount(turns.length - limit)} more
        </button>
      ) : null}
    </Section>
  );
}
