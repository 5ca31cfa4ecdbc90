import * as v from 'valibot';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { remembered } from '../../stores/remembered';

interface Pins {
  /** JSON pointers into the session's state, in the order they were pinned: `/count`, `/notes/0`. */
  pointers: string[];
}

/** The places of the state that the person keeps in sight, over steps and episodes. */
export const usePins = create<Pins>()(
  persist((): Pins => ({ pointers: [] }), remembered<Pins>('pins', { pointers: v.array(v.string()) })),
);

export function togglePin(pointer: string): void {
  usePins.setState(({ pointers }) => ({
    pointers: pointers.includes(pointer)
      ? pointers.filter((other) => other !== pointer)
      : [...pointers, pointer],
  }));
}
