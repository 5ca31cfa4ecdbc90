import { memo, useId, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { ColumnInfo, FilterCompletion, SourceId } from '../../../ingest/protocol';
import { ingest } from '../../data/ingest';
import { useAnswer } from '../useAnswer';
import { Completions } from './Completions';
import { FilterHelp } from './FilterHelp';
import { partIds } from '../reach';
import { painted } from './paint';
import { useFilterDraft } from './useFilterDraft';
import styles from './filter.module.css';

interface FilterBoxProps {
  sources: readonly SourceId[];
  columns: readonly ColumnInfo[];
}

const none: readonly FilterCompletion[] = [];

/** Which episodes are wanted, in a line of text: with what can come next, and what is wrong where it stands. */
export const FilterBox = memo(function FilterBox({ sources, columns }: FilterBoxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const draft = useFilterDraft(sources, columns);
  const { text, fault, hint } = draft;

  const [cursor, setCursor] = useState(0);
  const [asking, setAsking] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const answer = useAnswer(
    asking ? JSON.stringify([sources, text, cursor]) : undefined,
    '',
    () => ingest().completeFilter(sources, text, cursor),
    { keepLast: true },
  );
  const offered = asking ? (answer.value ?? none) : none;
  const open = offered.length > 0;
  const at = Math.min(chosen, offered.length - 1);

  function ask(): void {
    setCursor(input.current?.selectionStart ?? 0);
    setChosen(-1);
    setAsking(true);
  }

  function take(completion: FilterCompletion | undefined): void {
    // What is offered for an earlier text would land in the wrong place.
    if (completion === undefined || !answer.current) return;
    const head = text.slice(0, completion.start) + completion.text + (completion.text === ':' ? '' : ' ');
    // The next key may come before the next drawing.
    flushSync(() => draft.write(head + text.slice(completion.end).trimStart()));
    input.current?.setSelectionRange(head.length, head.length);
    ask();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const typing = offered[0] !== undefined && offered[0].end > offered[0].start;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!asking) ask();
      else if (open) setChosen(next(at, event.key === 'ArrowDown' ? 1 : -1, offered.length));
    } else if (event.key === 'Tab' && !event.shiftKey && open && (at >= 0 || typing)) {
      take(offered[Math.max(at, 0)]);
    } else if (event.key === 'Enter' && at >= 0) {
      take(offered[at]);
    } else if (event.key === 'Enter') {
      setAsking(false);
      draft.apply();
      draft.leave();
    } else if (event.key === 'Escape' && open) {
      setAsking(false);
    } else if (event.key === 'Escape') {
      draft.revert();
      event.currentTarget.closest('section')?.querySelector<HTMLElement>('[role$="grid"]')?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <search className={styles.box}>
      <div className={styles.field} data-wrong={fault !== undefined || undefined}>
        <div className={styles.line}>
          <div aria-hidden className={styles.mirror} style={{ translate: `${-scrolled}px` }}>
            {painted(text, columns, fault).map(({ text: stroke, kind, wrong }, place) => (
              // Strokes have no identity but their place.
              // oxlint-disable-next-line react/no-array-index-key
              <span key={place} className={styles[kind]} data-wrong={wrong || undefined}>
                {stroke}
              </span>
            ))}
          </div>
          <input
            ref={input}
            id={partIds.filter}
            type="text"
            role="combobox"
            className={styles.input}
            placeholder="Filter: reward < 0.5"
            aria-label="Filter"
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={open ? `${id}-list` : undefined}
            aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
            aria-invalid={fault !== undefined}
            aria-describedby={fault === undefined && hint === undefined ? undefined : `${id}-said`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={text}
            onChange={(event) => {
              draft.write(event.target.value);
              ask();
            }}
            onSelect={(event) => {
              setScrolled(event.currentTarget.scrollLeft);
              if (asking) setCursor(event.currentTarget.selectionStart ?? 0);
            }}
            onScroll={(event) => setScrolled(event.currentTarget.scrollLeft)}
            onKeyDown={onKeyDown}
            onBlur={() => {
              setAsking(false);
              draft.apply();
              draft.leave();
            }}
          />
        </div>
        {text === '' ? null : (
          <button
            type="button"
            className={styles.button}
            aria-label="Clear the filter"
            title="Clear the filter"
            onClick={() => {
              draft.set('');
              draft.leave();
              input.current?.focus();
            }}
          >
            <span aria-hidden>×</span>
          </button>
        )}
        <FilterHelp columns={columns} />
      </div>
      {open ? <Completions id={id} offered={offered} chosen={at} onTake={take} /> : null}
      {fault === undefined ? null : (
        <p id={`${id}-said`} role="alert" className={styles.fault}>
          {fault.message}
        </p>
      )}
      {hint === undefined || fault !== undefined ? null : (
        <output className={styles.hint}>
          <span id={`${id}-said`}>{hint}</span>
        </output>
      )}
    </search>
  );
});

/** Round through the list, and through nothing chosen. */
function next(at: number, by: 1 | -1, count: number): number {
  return ((at + 1 + by + (count + 1)) % (count + 1)) - 1;
}
