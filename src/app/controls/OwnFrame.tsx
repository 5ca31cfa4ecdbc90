import { useEffect, useState, type ReactNode } from 'react';
import { inTurn } from '../data/turns';

/**
 * What costs much to draw for the first time comes in a frame of its own, so that opening a large thing is several short
 * tasks rather than a long one. Once there, it stays and is drawn like everything else.
 */
export function OwnFrame({ children }: { children: ReactNode }) {
  return useTurn() ? children : null;
}

/** False until it is the turn of what is drawn here. */
export function useTurn(): boolean {
  const [begun, setBegun] = useState(false);
  useEffect(() => (begun ? undefined : inTurn(() => setBegun(true))), [begun]);
  return begun;
}
