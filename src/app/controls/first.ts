import { useState } from 'react';

/** Drawn at first, and then at a time: a list of a hostile record can have a hundred thousand items. */
export const FIRST = 100;
export const NEXT = 500;

/**
 * The first items of a list, and more on request. `of` is what the list is of: with another one it starts anew.
 */
export function useFirst<Item>(items: readonly Item[], of: unknown, first = FIRST) {
  const [asked, setAsked] = useState({ of, count: first });
  const count = asked.of === of ? asked.count : first;
  return {
    shown: items.length > count ? items.slice(0, count) : items,
    rest: Math.max(0, items.length - count),
    showMore: () => setAsked({ of, count: count + NEXT }),
  };
}
