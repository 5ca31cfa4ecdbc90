import type { EpisodeRef, SearchState } from '../../ingest/protocol';
import { counted, formatCount } from '../words/format';

/** What a search found, in words and in order. */

type Found = SearchState['found'];

/** Where an episode stands among the results, from 0, or -1. */
export function placeOf(found: Found, at: EpisodeRef | undefined): number {
  if (at === undefined) return -1;
  return found.findIndex(({ ref }) => ref.source === at.source && ref.episode === at.episode);
}

/** How often an episode's record has what was searched for. */
export function foundIn(found: Found | undefined, { source, episode }: EpisodeRef): number {
  if (found === undefined) return 0;
  // Sources stand one after another, and rows in their order.
  for (let start = 0; start < found.length;) {
    const of = found[start]?.ref.source;
    const end = firstAt(found, start, found.length, ({ ref }) => ref.source !== of);
    if (of === source) {
      const hit = found[firstAt(found, start, end, ({ ref }) => ref.episode >= episode)];
      return hit?.ref.source === source && hit.ref.episode === episode ? hit.matches : 0;
    }
    start = end;
  }
  return 0;
}

/** The first place from `start` on where something holds, which then holds up to `end`; else `end`. */
function firstAt(found: Found, start: number, end: number, holds: (each: Found[number]) => boolean): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = found[middle];
    if (each === undefined || holds(each)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The result after or before one, around the ends; the first or the last where there is none yet. */
export function neighbourOf(found: Found, at: EpisodeRef | undefined, by: 1 | -1): EpisodeRef | undefined {
  const place = placeOf(found, at);
  const next = place < 0 ? (by === 1 ? 0 : found.length - 1) : (place + by + found.length) % found.length;
  return found[next]?.ref;
}

/** `1,204 places in 35 episodes`, and how far it is. */
export function resultWords({ phase, waiting, matches, found, bytesRead, bytesTotal }: SearchState): string {
  const percent = bytesTotal > 0 ? Math.floor((100 * bytesRead) / bytesTotal) : 0;
  const how = {
    searching: waiting === true ? ' · waits for reading' : ` · ${percent}%`,
    done: '',
    cancelled: ` · stopped at ${percent}%`,
  }[phase];
  if (matches === 0) return phase === 'done' ? 'Nothing found' : `Nothing yet${how}`;
  return `${counted(matches, 'place')} in ${counted(found.length, 'episode')}${how}`;
}

/** `3 of 35`, once a result is open. */
export function placeWords({ found }: SearchState, at: EpisodeRef | undefined): string {
  const place = placeOf(found, at);
  return place < 0 ? '' : `${formatCount(place + 1)} of ${formatCount(found.length)}`;
}
