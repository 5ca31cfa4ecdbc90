import * as v from 'valibot';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { spelled } from '../../markdown';
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

/** Settings out of what a person wrote, or what is wrong with it. */
export type Read = { settings: Partial<GroupSettings> } | { wrong: string };

const mostK = 6;

/** `1, 4 8` is 1, 4 and 8. */
export function kFrom(text: string): Read {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const bad = words.find((word) => !/^[1-9]\d*$/.test(word));
  if (bad !== undefined) return { wrong: `${quoted(bad)} is not a whole number from 1 on.` };
  const large = words.find((word) => word.length > 6);
  if (large !== undefined) return { wrong: `${quoted(large)} is more rollouts than a task can have here.` };
  if (words.length > mostK) return { wrong: `At most ${mostK} numbers, such as 1, 4, 16.` };
  return { settings: { k: [...new Set(words.map(Number))].sort((a, b) => a - b) } };
}

export function passesFrom(text: string): Read {
  const passes = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(passes)) return { settings: { passes } };
  return {
    wrong: text.trim() === '' ? 'A reward is needed here, such as 1.' : `${quoted(text)} is not a number.`,
  };
}

function quoted(text: string): string {
  return `“${spelled(text.trim(), 20)}”`;
}
