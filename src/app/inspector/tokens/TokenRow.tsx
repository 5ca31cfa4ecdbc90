import { memo } from 'react';
import { runsOf, type Colouring } from './runs';
import type { Rows } from './rows';
import type { Track } from './track';
import { fateNames } from './words';
import styles from './tokens.module.css';

interface TokenRowProps {
  track: Track;
  rows: Rows;
  row: number;
  /** Only where it stands in this row. */
  cursor: number | undefined;
  colouring: Colouring | undefined;
}

/** One row. Runs of the same kind are one element; a run says what it is to those who hear it. */
export const TokenRow = memo(function TokenRow({ track, rows, row, cursor, colouring }: TokenRowProps) {
  const runs = runsOf(track, rows, row, cursor, colouring);
  const chip = rows.chips.get(rows.starts[row] ?? -1);
  return (
    <span className={styles.row}>
      {chip === undefined ? null : <span className={styles.chip}>{chip}</span>}
      {runs.map(({ start, end, fate, level, text, cursor: here }, nth) => (
        <span key={start}>
          {fate === runs[nth - 1]?.fate ? null : <span className={styles.spoken}>{fateNames[fate]}: </span>}
          <span
            className={styles.run}
            data-start={start}
            data-end={end}
            data-fate={colouring === undefined ? fate : undefined}
            data-level={level < 0 ? undefined : level}
            data-cursor={here ? '' : undefined}
          >
            {text}
          </span>
        </span>
      ))}
    </span>
  );
});
