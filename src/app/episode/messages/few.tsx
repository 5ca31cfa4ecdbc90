import { Fragment, type ReactNode } from 'react';
import { formatCount } from '../../words/format';
import styles from './messages.module.css';

/** As many as say something; a hostile record has thousands of the same. */
export const FEW = 20;

/** The first of what is usually one or two, and how many there are besides. Items never move and need not differ. */
export function few<Item>(items: readonly Item[], draw: (item: Item) => ReactNode): ReactNode {
  return (
    <>
      {items.slice(0, FEW).map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>{draw(item)}</Fragment>
      ))}
      {items.length > FEW ? (
        <span className={styles.quietWord}>and {formatCount(items.length - FEW)} more</span>
      ) : null}
    </>
  );
}
