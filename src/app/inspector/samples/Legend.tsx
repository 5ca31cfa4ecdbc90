import { formatCount } from '../../words/format';
import type { Totals } from './lanes';
import styles from './samples.module.css';

type Counted = Pick<Totals, 'trained' | 'masked' | 'dropped'>;

const names: readonly (keyof Counted)[] = ['trained', 'masked', 'dropped'];

/** What the marks mean, and how many tokens there are of each. */
export function Legend({ totals }: { totals: Counted | undefined }) {
  return (
    <ul className={styles.legend} aria-label="Tokens">
      {names.map((name) => (
        <li key={name}>
          <span aria-hidden className={styles.swatch} data-state={name} />
          {name}
          {totals === undefined ? null : <b>{formatCount(totals[name])}</b>}
        </li>
      ))}
    </ul>
  );
}
