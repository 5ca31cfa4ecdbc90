import type { SearchState } from './protocol';

type Found = SearchState['found'];

/** A state of a search without what has been told before: a long list would be sent again ten times a second. */
export interface SearchNews extends Omit<SearchState, 'found'> {
  /** Behind those told before. */
  more: Found;
  /** Of those told before, the places of which there are more now, and how many: `[place, matches]`. */
  changed: readonly (readonly [number, number])[];
}

/** Tells the states of one search, one after another. Entries keep their place, and only their `matches` change. */
export function newsTeller(): (state: SearchState) => SearchNews {
  let told: number[] = [];
  return ({ found, ...state }) => {
    const changed: [number, number][] = [];
    told.forEach((before, place) => {
      const now = found[place]?.matches ?? before;
      if (now !== before) changed.push([place, now]);
    });
    const more = found.slice(told.length);
    told = found.map(({ matches }) => matches);
    return { ...state, more, changed };
  };
}

/** The states again. */
export function newsReader(): (news: SearchNews) => SearchState {
  let found: Found = [];
  return ({ more, changed, ...state }) => {
    const next = [...found, ...more];
    for (const [place, matches] of changed) {
      const before = next[place];
      if (before !== undefined) next[place] = { ...before, matches };
    }
    found = next;
    return { ...state, found };
  };
}
