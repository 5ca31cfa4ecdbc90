import { useEffect, useRef } from 'react';
import type { FilterCompletion } from '../../../ingest/protocol';
import { Name } from '../../markdown';
import styles from './filter.module.css';

interface CompletionsProps {
  /** Of the combobox; the list and its options have it in theirs. */
  id: string;
  offered: readonly FilterCompletion[];
  /** -1 for none. */
  chosen: number;
  onTake: (completion: FilterCompletion) => void;
}

/** What can stand at the cursor. The focus stays in the box. */
export function Completions({ id, offered, chosen, onTake }: CompletionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  /* Native lists cannot be chosen from while the focus is elsewhere. */
  /* oxlint-disable jsx-a11y/prefer-tag-over-role */
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label="Completions" className={styles.list}>
      {offered.map((completion, at) => (
        // The box has the keys of the list.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={`${completion.kind} ${completion.text}`}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === chosen}
          className={styles.option}
          // The box would lose the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(completion)}
        >
          <span className={styles.offer}>
            <Name text={completion.text} />
          </span>
          <span className={styles.kind}>{completion.kind}</span>
        </div>
      ))}
    </div>
  );
  /* oxlint-enable jsx-a11y/prefer-tag-over-role */
}
