import { useEffect, useRef, type KeyboardEvent } from 'react';
import { SearchField, WalkButtons } from '../../controls/SearchField';
import { SmallButton } from '../../controls/SmallButton';
import { goTo } from '../../place/usePlace';
import { setLayout } from '../../stores/layout';
import { formatCount } from '../../words/format';
import { MOST } from './matches';
import { closeFind, setFind, takeFocus, useFind } from './store';
import type { Finding } from './useFinding';
import styles from './find.module.css';

interface FindBarProps extends Finding {
  /** Takes the focus when the bar closes, if nothing else had it. */
  list: () => HTMLElement | null;
}

/** Looks for a text in the whole episode, on the screen or not. */
export function FindBar({ count, at, done, go, list }: FindBarProps) {
  const { text, matchCase, focuses } = useFind();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Opened by a search, the focus stays with the search.
    if (focuses === 0 || !takeFocus()) return;
    input.current?.focus();
    input.current?.select();
  }, [focuses]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target === input.current;
    if (event.key === 'Escape') closeFind(list());
    else if (typing && event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else if (event.key === 'F3') go(event.shiftKey ? -1 : 1);
    else if (!typing && (event.key === 'n' || event.key === 'N')) go(event.key === 'n' ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const words = countWords(text, count, at, done);
  const nowhere = text !== '' && done && count === 0;
  return (
    // Keys of what stands in it, which bubble up to here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-static-element-interactions
    <search aria-label="This episode" className={styles.bar} onKeyDown={onKeyDown}>
      <div className={styles.field}>
        <SearchField
          ref={input}
          label="Find in this episode"
          text={text}
          matchCase={matchCase}
          onChange={setFind}
        />
      </div>
      <WalkButtons what="match" disabled={count === 0} go={go} />
      <output className={styles.count}>{words}</output>
      {nowhere ? (
        <button
          type="button"
          className={styles.link}
          title="The record holds more than its messages"
          onClick={() => {
            setLayout({ inspectorOpen: true });
            goTo({ tab: 'raw' });
          }}
        >
          Show the record
        </button>
      ) : null}
      <SmallButton
        label="Close the find bar"
        title="Close (Escape)"
        sign="×"
        onClick={() => closeFind(list())}
      />
    </search>
  );
}

/** `3 of 17` */
function countWords(text: string, count: number, at: number, done: boolean): string {
  if (text === '') return '';
  if (count === 0) return done ? 'Not in the messages' : 'Looking…';
  const all = count >= MOST ? `${formatCount(MOST)} or more` : `${formatCount(count)}${done ? '' : '…'}`;
  return at < 0 ? all : `${formatCount(at + 1)} of ${all}`;
}
