import type { TabProps } from '../tab';
import { goTo } from '../../place/usePlace';
import { Card } from './MaskFindings';
import { maskFindings } from './mask-findings';
import styles from './samples.module.css';

/** What must not be overlooked: a sample that trains nothing, and why. */
export function MaskAlert({ findings, onPlace }: Pick<TabProps, 'findings' | 'onPlace'>) {
  const [worst] = maskFindings(findings);
  if (worst === undefined || worst.rule !== 'sample-trains-nothing' || worst.severity === 'info') return null;
  return (
    <div className={styles.alert}>
      <Card finding={worst} onPlace={onPlace}>
        <button type="button" className={styles.link} onClick={() => goTo({ tab: 'samples' })}>
          See all samples
        </button>
      </Card>
    </div>
  );
}
