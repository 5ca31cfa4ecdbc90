import { memo, type MouseEvent } from 'react';
import { counted, formatCount } from '../../words/format';
import { sampleName } from './cuts';
import { boundsOf, stepUnder, type Lane, type Piece } from './lanes';
import styles from './samples.module.css';

interface LaneViewProps {
  lane: Lane;
  /** The same sample cut another way, where that trains something else. */
  other: { name: string; lane: Lane } | undefined;
  steps: number;
  onPoint: (step: number | undefined) => void;
  onStep: (step: number) => void;
  onOpen: (sample: number) => void;
}

/**
 * One sample over the step axis. The list of turns says the same to those who cannot point. Where the columns of the
 * current step and of the one pointed at stand is up to the list of lanes: a thousand of them are not drawn anew for it.
 */
export const LaneView = memo(function LaneView({
  lane,
  other,
  steps,
  onPoint,
  onStep,
  onOpen,
}: LaneViewProps) {
  const { sample, totals } = lane;
  const stepOf = (event: MouseEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return stepUnder((event.clientX - left) / Math.max(width, 1), steps);
  };
  return (
    <li className={styles.lane}>
      <button
        type="button"
        className={styles.name}
        title="Show its tokens"
        onClick={() => onOpen(sample.index)}
      >
        {sampleName(sample)}
      </button>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <div
        className={styles.bars}
        onMouseMove={(event) => onPoint(stepOf(event))}
        onMouseLeave={() => onPoint(undefined)}
        onClick={(event) => onStep(stepOf(event))}
      >
        <Bar pieces={lane.pieces} steps={steps} label={sentenceFor(lane)} />
        {other === undefined ? null : (
          <Bar
            thin
            pieces={other.lane.pieces}
            steps={steps}
            label={`${other.name}: ${sentenceFor(other.lane)}`}
          />
        )}
        <span aria-hidden className={styles.column} data-kind="current" />
        <span aria-hidden className={styles.column} data-kind="pointed" />
      </div>
      <span className={styles.count} data-none={totals?.trained === 0 && totals.dropped > 0 ? '' : undefined}>
        {totals === undefined ? '? trained' : `${formatCount(totals.trained)} trained`}
        {other?.lane.totals === undefined ? null : (
          <small>
            {other.name.toLowerCase()} {formatCount(other.lane.totals.trained)}
          </small>
        )}
      </span>
    </li>
  );
});

interface BarProps {
  pieces: readonly Piece[];
  steps: number;
  label: string;
  thin?: boolean;
}

function Bar({ pieces, steps, label, thin = false }: BarProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="img" aria-label={label} className={styles.bar} data-thin={thin ? '' : undefined}>
      {pieces.map((piece) => {
        const { left, width } = boundsOf(piece, steps);
        return (
          <span
            key={piece.from}
            className={styles.piece}
            data-state={piece.state}
            style={{ left: `${left}%`, width: `${width}%` }}
          />
        );
      })}
    </div>
  );
}

/** `final, steps 4 to 6: 0 tokens trained, 81 dropped` */
function sentenceFor({ sample, totals }: Lane): string {
  const { firstStep, lastStep } = sample;
  const where = lastStep < firstStep ? 'no steps' : `steps ${firstStep} to ${lastStep}`;
  const what =
    totals === undefined
      ? 'which tokens it trains is not known'
      : `${counted(totals.trained, 'token')} trained, ${formatCount(totals.dropped)} dropped`;
  return `${sampleName(sample)}, ${where}: ${what}`;
}
