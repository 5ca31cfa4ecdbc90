import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** While rows are measured for the first time, the one jumped to can leave the page and come back. */
const SETTLING = 600;

/** The message last jumped to, and how many jumps there were. */
interface Target {
  msgId: number;
  nth: number;
}

interface Scrolling {
  /** False until the list has a height to scroll in. */
  ready: boolean;
  /** A message that someone outside of the list wants to see. */
  wanted: Target | undefined;
  /** The row of a message, or -1 where it is not among the rows of this place. */
  indexOf: (msgId: number) => number;
  scrollTo: (index: number) => void;
  /** Goes to a place where the message is shown. */
  goToMessage: (msgId: number) => void;
}

/**
 * Jumps to a message, which may have to wait for the step it is shown at. Moves are instant: steps can fly by.
 */
export function useScrolling({ ready, wanted, indexOf, scrollTo, goToMessage }: Scrolling) {
  const [target, setTarget] = useState<Target>();
  const unsettled = useRef<{ msgId: number; until: number }>(undefined);
  const awaited = useRef<number>(undefined);

  useLayoutEffect(() => {
    const found = !ready || awaited.current === undefined ? -1 : indexOf(awaited.current);
    if (found < 0) return;
    awaited.current = undefined;
    scrollTo(found);
  });

  const latest = useRef({ indexOf, scrollTo, goToMessage });
  useLayoutEffect(() => {
    latest.current = { indexOf, scrollTo, goToMessage };
  });
  const jumpTo = useCallback((msgId: number) => {
    const now = latest.current;
    unsettled.current = { msgId, until: performance.now() + SETTLING };
    setTarget((last) => ({ msgId, nth: (last?.nth ?? 0) + 1 }));
    const index = now.indexOf(msgId);
    if (index >= 0) now.scrollTo(index);
    else {
      awaited.current = msgId;
      now.goToMessage(msgId);
    }
  }, []);

  // Effects run in order: the change of step that came with the wish has moved the list by now.
  const granted = useRef(wanted?.nth);
  useEffect(() => {
    if (!ready || wanted === undefined || granted.current === wanted.nth) return;
    granted.current = wanted.nth;
    jumpTo(wanted.msgId);
  });

  const takeFocus = useCallback((msgId: number) => {
    const jump = unsettled.current;
    return jump?.msgId === msgId && performance.now() < jump.until;
  }, []);

  return { target, jumpTo, takeFocus };
}
