import { useEffect, useLayoutEffect, type RefObject } from 'react';

/**
 * Who opens something with keys goes on with keys: the focus, which would be lost with the first screen, goes along to the
 * workspace and from there to the table, once there is one. Who has moved elsewhere meanwhile is left alone.
 */

let leaves = false;

/** Of the first screen: notes when it goes away with the focus in it. */
export function useFocusLeaves(screen: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = screen;
    return () => {
      const { activeElement } = document;
      // Whoever clicked has no use for it.
      leaves = current?.contains(activeElement) === true && activeElement?.matches(':focus-visible') === true;
    };
  }, [screen]);
}

/** Of the workspace; before the table in it asks where the focus is. */
export function useFocusArrives(main: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (leaves && document.activeElement === document.body) focusOnce(main.current);
    leaves = false;
  }, [main]);
}

/** Else a click anywhere in it would bring the focus there. */
function focusOnce(element: HTMLElement | null): void {
  if (element === null) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
}

/** Of the table, when it is first drawn. */
export function useFocusGoesOn(table: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = table;
    if (current !== null && document.activeElement === current.closest('main')) {
      current.focus({ preventScroll: true });
    }
  }, [table]);
}
