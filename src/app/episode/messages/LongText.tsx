import { useSyncExternalStore } from 'react';
import { PlainText } from '../../markdown';
import { blocksOf, PAGE } from '../fold';
import { formatCount } from '../../words/format';
import styles from './messages.module.css';
import { pageKey } from './openings';
import { useSurroundings } from './surroundings';

interface LongTextProps {
  text: string;
  /** Unique within the episode. */
  openKey: string;
}

/** Plain text of any length: in blocks, so that only those on screen are laid out, and a page of them at a time. */
export function LongText({ text, openKey }: LongTextProps) {
  const { openings } = useSurroundings();
  const pagesNow = () => openings.pages(openKey);
  const pages = useSyncExternalStore(openings.subscribe, pagesNow, pagesNow);
  const shown = pages * PAGE;
  const rest = text.length - shown;
  return (
    <div className={styles.exact}>
      {blocksOf(rest > 0 ? text.slice(0, shown) : text).map((block, index, all) => (
        // Blocks of a text have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={all.length > 1 ? styles.block : undefined}>
          <PlainText text={block} />
          {block === '' ? <br /> : null}
        </div>
      ))}
      {rest > 0 ? (
        <button
          type="button"
          className={styles.showAll}
          onClick={() => openings.set(pageKey(openKey, pages), true)}
        >
          {`Show the next ${formatCount(Math.min(PAGE, rest))} of ${formatCount(rest)} characters`}
        </button>
      ) : null}
    </div>
  );
}
