import { useEffect, useState } from 'react';
import type { Episode } from '../../../model';
import type { Row } from '../messages/rows';
import { matchesIn, type Match } from './matches';
import { textsOf, type ReadAs } from './texts';

interface Matches {
  list: readonly Match[];
  /** What they are the places of. */
  of: RegExp | undefined;
  /** All texts have been looked at. */
  done: boolean;
}

const nothing: Matches = { list: [], of: undefined, done: true };

/** Milliseconds of looking before the page may draw. */
const SLICE = 8;

/** The places of a text in the whole episode. Looks a little at a time: an episode can be many megabytes. */
export function useMatches(
  episode: Episode,
  rows: readonly Row[],
  finder: RegExp | undefined,
  /** None while it is fetched. */
  readAs: ReadAs | undefined,
): Matches {
  const [matches, setMatches] = useState(nothing);
  useEffect(() => {
    if (finder === undefined || readAs === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const texts = matchesIn(textsOf(episode, rows, readAs), finder);
    const list: Match[] = [];
    const look = () => {
      const start = performance.now();
      while (performance.now() - start < SLICE) {
        const { value, done } = texts.next();
        if (done === true) {
          setMatches({ list, of: finder, done: true });
          return;
        }
        list.push(...value);
      }
      // The first places of a new text are worth showing at once.
      setMatches((before) => (before.of === finder ? before : { list: [...list], of: finder, done: false }));
      timer = setTimeout(look, 0);
    };
    timer = setTimeout(look, 0);
    return () => clearTimeout(timer);
  }, [episode, rows, finder, readAs]);
  return finder === undefined ? nothing : matches;
}
