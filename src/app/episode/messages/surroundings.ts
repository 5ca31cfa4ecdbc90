import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Episode } from '../../../model';
import type { TextMode } from '../../stores/preferences';
import type { ContextMeasure } from '../measure';
import type { Openings } from './openings';

/** What every part of a message needs to know about where it stands. */
export interface Surroundings {
  episode: Episode;
  measure: ContextMeasure;
  textMode: TextMode;
  /** Messages that were cut out of a text are shown as that text. */
  inferredText: boolean;
  /** Brings a message into view, at another step if need be. */
  jumpTo: (msgId: number) => void;
  /** True for a moment after a jump to the message: later the row can come and go without taking the focus. */
  takeFocus: (msgId: number) => boolean;
  openings: Openings;
}

export const SurroundingsContext = createContext<Surroundings | undefined>(undefined);

export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext);
  if (surroundings === undefined) throw new Error('A message is drawn outside of a list of messages.');
  return surroundings;
}

/** Whether something is open; `key` is unique within the episode. */
export function useOpen(key: string, initially: boolean): [open: boolean, setOpen: (open: boolean) => void] {
  const { openings } = useSurroundings();
  const isOpen = () => openings.get(key) ?? initially;
  const open = useSyncExternalStore(openings.subscribe, isOpen, isOpen);
  return [open, (next) => openings.set(key, next)];
}
