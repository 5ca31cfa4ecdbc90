import { useEffect, useRef, useState } from 'react';
import type { ColumnInfo, FilterFault, SourceId } from '../../../ingest/protocol';
import { ingest } from '../../data/ingest';
import { usePlacePart } from '../../place/usePlace';
import { setFilter } from '../query';
import { useAnswer } from '../useAnswer';
import { isUnfinished } from './paint';

/** After this long without a key a filter that is right is applied. */
const applyMs = 300;
/** And after this long one that is wrong is told so: while it is being written every filter is. */
const blameMs = 900;

export interface FilterDraft {
  text: string;
  write: (text: string) => void;
  /** What is wrong with the text, once it is time to say so. */
  fault: FilterFault | undefined;
  /** What the applied text does, where it may be meant to do something else. */
  hint: string | undefined;
  /** Applies the text now, if it is right. */
  apply: () => void;
  /** Applies another text, which is known to be right. */
  set: (text: string) => void;
  /** Back to what is applied. */
  revert: () => void;
  /** The person has left the box: what they write next is another step back and forward know of. */
  leave: () => void;
}

/** The text in the filter box. What is applied is in the URL; the rest is on its way there. */
export function useFilterDraft(sources: readonly SourceId[], columns: readonly ColumnInfo[]): FilterDraft {
  const filter = usePlacePart((place) => place.filter) ?? '';
  const [draft, setDraft] = useState<{ text: string; of: string }>();
  const [blamed, setBlamed] = useState<string>();
  // A filter from elsewhere (a link, a brush, the back button) takes the place of what was being written.
  const text = draft?.of === filter ? draft.text : filter;
  const known = columns.map(({ key, type }) => `${key} ${type}`).join();
  const check = () => ingest().checkFilter(sources, text);
  const checked = useAnswer(JSON.stringify([sources, text]), known, check).value;
  const applied = text.trim() === filter;

  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  });
  const written = useRef(false);
  function set(next: string): void {
    setDraft({ text: next, of: next.trim() });
    setFilter(next, written.current ? 'replace' : 'push');
    written.current = true;
  }

  async function apply(): Promise<void> {
    if (applied) return;
    const { fault } = await check();
    // Meanwhile it may have been cleared, or written on.
    if (latest.current !== text) return;
    if (fault === undefined) set(text);
    else setBlamed(text);
  }

  const isRight = checked !== undefined && checked.fault === undefined;
  const ready = !applied && isRight && !isUnfinished(text, columns);
  useEffect(() => {
    if (applied) return;
    const timer = ready ? setTimeout(() => set(text), applyMs) : setTimeout(() => setBlamed(text), blameMs);
    return () => clearTimeout(timer);
    // `set` does the same whenever it was made.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [text, applied, ready]);

  return {
    text,
    write: (next) => setDraft({ text: next, of: filter }),
    fault: applied || blamed === text ? checked?.fault : undefined,
    hint: applied ? checked?.hint : undefined,
    apply: () => void apply(),
    set,
    revert: () => setDraft(undefined),
    leave: () => {
      written.current = false;
    },
  };
}
