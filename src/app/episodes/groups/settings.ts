import * as v from 'valibot';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { remembered } from '../../stores/remembered';

interface GroupSettings {
  /** For which k pass@k is shown. */
  k: number[];
  /** A rollout passes with a reward of at least this. */
  passes: number;
}

/** How groups are judged, remembered in this browser. */
export const useGroupSettings = create<GroupSettings>()(
  persist(
    (): GroupSettings => ({ k: [1, 4], passes: 1 }),
    remembered<GroupSettings>('groups', { k: v.array(v.number()), passes: v.number() }),
  ),
);

export const setGroupSettings = (change: Partial<GroupSettings>) => useGroupSettings.setState(change);

const mostK = 6;

/** `1, 4 8` is 1, 4 and 8; undefined for what is no list of whole numbers from 1 on. */
export function kFrom(text: string): number[] | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length > mostK || words.some((word) => !/^[1-9]\d{0,5}$/.test(word))) return undefined;
  return [...new Set(words.map(Number))].sort((a, b) => a - b);
}
