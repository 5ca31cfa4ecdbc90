import { coveredBy, type MaskState } from '../../../model';
import { formatCount } from '../../words/format';
import styles from './snapshots.module.css';

/** More runs than pixels cannot be told apart. */
const most = 400;

/** The response mask from its first entry to its last: ones solid, zeros quiet. */
export function MaskBar({ mask: { length, trained } }: { mask: MaskState }) {
  const ones = coveredBy(trained, Infinity);
  const label = `${formatCount(length)} entries, ${formatCount(ones)} of them 1`;
  const percent = (at: number) => `${(at / Math.max(length, 1)) * 100}%`;
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div role="img" aria-label={label} className={styles.mask}>
        {trained.slice(-most).map(([start, end]) => (
          <span key={start} style={{ left: percent(start), width: percent(end - start) }} />
        ))}
      </div>
      <p className={styles.edit}>{label}; what an earlier edit cleared is 0.</p>
    </>
  );
}
