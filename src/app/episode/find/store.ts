import { create } from 'zustand';

interface Find {
  open: boolean;
  text: string;
  matchCase: boolean;
  /** Grows with each wish to type. */
  focuses: number;
  /** Grows with each wish to see the first place of the text, which someone else looked for. */
  wishes: number;
}

/** What is looked for in the open episode; it stays from one episode to the next. */
export const useFind = create<Find>()(() => ({
  open: false,
  text: '',
  matchCase: false,
  focuses: 0,
  wishes: 0,
}));

let back: HTMLElement | undefined;
let wantsFocus = false;

/** Opens the bar and puts the cursor into it. */
export function openFind(): void {
  const { activeElement } = document;
  if (!useFind.getState().open && activeElement instanceof HTMLElement) back = activeElement;
  wantsFocus = true;
  useFind.setState(({ focuses }) => ({ open: true, focuses: focuses + 1 }));
}

/** Whether the cursor is to go into the bar; asked once, and not again by the bar of the next episode. */
export function takeFocus(): boolean {
  const wanted = wantsFocus;
  wantsFocus = false;
  return wanted;
}

/** Shows where a text stands that was looked for elsewhere; the focus stays there. */
export function showFound(text: string, matchCase: boolean): void {
  back = undefined;
  useFind.setState(({ wishes }) => ({ open: true, text, matchCase, wishes: wishes + 1 }));
}

/** Closes the bar; the focus goes back to where it was, or to what is given. */
export function closeFind(otherwise?: HTMLElement | null): void {
  useFind.setState({ open: false });
  const to = back?.isConnected === true && back !== document.body ? back : otherwise;
  to?.focus();
  back = undefined;
}

export const setFind = (change: Partial<Pick<Find, 'text' | 'matchCase'>>) => useFind.setState(change);
