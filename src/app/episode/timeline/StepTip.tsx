import type { Budget } from '../../../model';
import { Name } from '../../markdown';
import { formatCount } from '../../words/format';
import { shortName } from '../fold';
import { markWords, type StepMarks } from './marks';
import type { Layer } from './plot';
import styles from './timeline.module.css';

interface StepTipProps {
  step: number;
  budget: Budget | undefined;
  layers: readonly Layer[];
  marks: StepMarks | undefined;
  unit: string;
  /** Stands before what is an estimate. */
  about: string;
  /** The middle of the step's column, within `width`. */
  x: number;
  width: number;
}

const WIDTH = 200;

/** The numbers of the step under the pointer. */
export function StepTip({ step, budget, layers, marks, unit, about, x, width }: StepTipProps) {
  if (budget === undefined) return null;
  const left = Math.min(Math.max(x - WIDTH / 2, 8), Math.max(8, width - WIDTH - 8));
  return (
    <div className={styles.tip} style={{ left, width: WIDTH }} aria-hidden>
      <p className={styles.tipTitle}>
        Step {step}
        <span>
          {about}
          {formatCount(budget.total)} {unit}
        </span>
      </p>
      <dl className={styles.tipRows}>
        {layers
          .filter(({ size }) => size(budget) > 0.5)
          .map(({ key, name, size }) => (
            <div key={key}>
              <dt>
                <i className={styles.swatch} data-layer={key} />
                <Name text={shortName(name, 24)} />
              </dt>
              <dd>{formatCount(size(budget))}</dd>
            </div>
          ))}
        {budget.withoutEdits > budget.total ? (
          <div>
            <dt>
              <i className={styles.dashes} />
              without deletion
            </dt>
            <dd>{formatCount(budget.withoutEdits)}</dd>
          </div>
        ) : null}
      </dl>
      {marks === undefined ? null : (
        <p className={styles.tipMarks}>
          <Name text={markWords(marks).join(' · ')} />
        </p>
      )}
    </div>
  );
}
