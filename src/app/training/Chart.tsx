import type { EpisodeRef } from '../../ingest/protocol';
import { spelled } from '../markdown';
import { counted, formatCount, formatReward } from '../words/format';
import { placeOf, type Axis } from './axis';
import styles from './training.module.css';

interface ChartProps {
  axis: Axis;
  open: EpisodeRef;
  onOpen: (ref: EpisodeRef) => void;
}

const width = 320;
const height = 120;

/** The mean score of each training step with its spread, and on top the scores of the open prompt. A table says the same. */
export function Chart({ axis, open, onOpen }: ChartProps) {
  const { means, scores, steps, rewards } = axis;
  const x = (step: number): number => placeOf(step, steps, width);
  const y = (reward: number): number => height - placeOf(reward, rewards, height);
  const line = means.map(({ step, mean }) => `${x(step)},${y(mean)}`).join(' ');
  const band = [
    ...means.map(({ step, high }) => `${x(step)},${y(high)}`),
    ...means.toReversed().map(({ step, low }) => `${x(step)},${y(low)}`),
  ].join(' ');
  return (
    <figure className={styles.figure}>
      <div className={styles.plot}>
        <span className={styles.high}>{formatReward(rewards[1])}</span>
        <span className={styles.low}>{formatReward(rewards[0])}</span>
        <div className={styles.field}>
          <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            aria-hidden
            className={styles.svg}
          >
            <polygon points={band} className={styles.band} />
            <polyline points={line} className={styles.mean} />
          </svg>
          {scores.map(({ step, reward, ref, title }) => {
            const isOpen = ref.source === open.source && ref.episode === open.episode;
            return (
              <button
                key={`${ref.source} ${ref.episode}`}
                type="button"
                className={styles.score}
                data-open={isOpen}
                aria-current={isOpen}
                aria-label={`Training step ${step}, score ${formatReward(reward)}`}
                title={`Training step ${step}, score ${formatReward(reward)}: ${spelled(title, 80)}`}
                style={{
                  left: `${placeOf(step, steps, 100)}%`,
                  top: `${100 - placeOf(reward, rewards, 100)}%`,
                }}
                onClick={() => onOpen(ref)}
              />
            );
          })}
        </div>
        <span className={styles.first}>{formatCount(steps[0])}</span>
        <span className={styles.last}>{formatCount(steps[1])}</span>
      </div>
      <figcaption className={styles.caption}>
        <span className={styles.meanKey}>mean of all, ± one deviation</span>
        <span className={styles.scoreKey}>this prompt ({counted(scores.length, 'score')})</span>
      </figcaption>
      <StepTable axis={axis} open={open} onOpen={onOpen} />
    </figure>
  );
}

/** The rows of the table: a training step each. */
function StepTable({ axis: { means, scores }, onOpen }: ChartProps) {
  return (
    <details className={styles.table}>
      <summary>As a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Training step</th>
            <th scope="col">Episodes</th>
            <th scope="col">Mean</th>
            <th scope="col">Spread</th>
            <th scope="col">This prompt</th>
          </tr>
        </thead>
        <tbody>
          {means.slice(0, mostRows).map(({ step, n, mean, low, high }) => (
            <tr key={step}>
              <th scope="row">{formatCount(step)}</th>
              <td>{formatCount(n)}</td>
              <td>{formatReward(mean)}</td>
              <td>
                {formatReward(low)} to {formatReward(high)}
              </td>
              <td>
                {scores
                  .filter((score) => score.step === step)
                  .map(({ ref, reward }) => (
                    <button
                      key={`${ref.source} ${ref.episode}`}
                      type="button"
                      className={styles.link}
                      onClick={() => onOpen(ref)}
                    >
                      {formatReward(reward)}
                    </button>
                  ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const mostRows = 500;
