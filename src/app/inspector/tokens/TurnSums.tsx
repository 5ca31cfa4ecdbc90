import { useEffect, useMemo, useState } from 'react';
import { inTurn } from '../../data/turns';
import { formatCount, formatNumber } from '../../words/format';
import { sumsOf } from './sums';
import type { Track } from './track';
import styles from './tokens.module.css';

interface TurnSumsProps {
  track: Track;
  /** The values that are summed up: those shown, else the log-probabilities. */
  values: { name: string; numbers: Float32Array } | undefined;
  onToken: (position: number) => void;
  onStep: (step: number) => void;
}

/** Drawn at first, and soon after: the tokens above come before what has to be scrolled to. */
const few = { first: 20, later: 100 };

export function TurnSums({ track, values, onToken, onStep }: TurnSumsProps) {
  const [most, setMost] = useState(few.first);
  useEffect(() => inTurn(() => setMost((rows) => Math.max(rows, few.later))), []);
  const sums = useMemo(() => sumsOf(track, values?.numbers), [track, values?.numbers]);
  if (sums.length === 0) return null;
  const lost = sums.some(({ dropped }) => dropped > 0);
  return (
    // Takes the focus, so that keys can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.sums} aria-label="Sums per turn" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">turn</th>
            <th scope="col">tokens</th>
            <th scope="col">trained</th>
            {lost ? <th scope="col">dropped</th> : null}
            {values === undefined ? null : (
              <>
                <th scope="col">Σ {values.name}</th>
                <th scope="col">mean</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {sums.slice(0, most).map(({ step, start, tokens, trained, dropped, sum, mean }) => (
            <tr key={step}>
              <td>
                <button
                  type="button"
                  className={styles.link}
                  onClick={() => {
                    onToken(start);
                    onStep(step);
                  }}
                >
                  step {step}
                </button>
              </td>
              <td>{formatCount(tokens)}</td>
              <td>{formatCount(trained)}</td>
              {lost ? <td data-none={dropped > 0 ? '' : undefined}>{formatCount(dropped)}</td> : null}
              {values === undefined ? null : (
                <>
                  <td>{sum === undefined ? '–' : formatNumber(sum)}</td>
                  <td>{mean === undefined ? '–' : formatNumber(mean)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {most < Infinity && sums.length > few.later ? (
        <button type="button" className={styles.link} onClick={() => setMost(Infinity)}>
          and {formatCount(sums.length - few.later)} more
        </button>
      ) : null}
    </section>
  );
}
