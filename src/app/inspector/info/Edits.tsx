import { memo } from 'react';
import type { ContextEdit } from '../../../model';
import { useFirst } from '../../controls/first';
import { More } from '../../controls/More';
import { formatCount } from '../../words/format';
import { PlaceButton } from '../PlaceButton';
import type { TabProps } from '../tab';
import { editText, freedText } from './facts';
import { Section } from './Section';
import styles from './info.module.css';

interface EditsProps {
  edits: readonly ContextEdit[];
  onPlace: TabProps['onPlace'];
}

export const Edits = memo(function Edits({ edits, onPlace }: EditsProps) {
  const { shown, rest, showMore } = useFirst(edits, edits);
  if (edits.length === 0) return null;
  return (
    <Section title="Context edits" aside={<span className={styles.count}>{formatCount(edits.length)}</span>}>
      <ol className={styles.edits}>
        {shown.map((edit, index) => {
          const freed = freedText(edit);
          return (
            // Edits are in the order they happened, and never change.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <PlaceButton step={edit.step} onPlace={onPlace} />
              <span>{editText(edit)}</span>
              {freed === undefined ? null : <span className={styles.freed}>{freed}</span>}
            </li>
          );
        })}
      </ol>
      <More rest={rest} onMore={showMore} />
    </Section>
  );
});
