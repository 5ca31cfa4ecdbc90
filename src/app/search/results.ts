import type { EpisodeRef, Results, SearchState } from '../../ingest/protocol';
import { counted, formatCount } from '../words/format';

/** What a search found: in a row, and in words. */

type Found = SearchState['found'];

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

/** `1,204 places in 35 episodes`, how far it is, and what of it the table does not show. */
export function resultWords(
  { phase, waiting, matches, found, bytesRead, bytesTotal }: SearchState,
  results: Results | undefined,
): string {
  const percent = bytesTotal > 0 ? Math.floor((100 * bytesRead) / bytesTotal) : 0;
  const how = {
    searching: waiting === true ? ' · waits for reading' : ` · ${percent}%`,
    done: '',
    cancelled: ` · stopped at ${percent}%`,
  }[phase];
  if (matches === 0) return phase === 'done' ? 'Nothing found' : `Nothing yet${how}`;
  return `${counted(matches, 'place')} in ${counted(found.length, 'episode')}${hiddenWords(results)}${how}`;
}

/** `, 3 of them hidden by the filter`. Next and previous pass over those. */
function hiddenWords(results: Results | undefined): string {
  if (results === undefined) return '';
  const { found, kept, shown } = results;
  return [
    ...(kept < found ? [`, ${ofThem(found - kept, found)} hidden by the filter`] : []),
    ...(shown < kept ? [`, ${ofThem(kept - shown, found)} in no group`] : []),
  ].join('');
}

function ofThem(some: number, all: number): string {
  if (some < all) return `${formatCount(some)} of them`;
  return all === 1 ? 'which is' : 'all of them';
}

/** `3 of 35`, once a result is open. */
export function placeWords({ place, shown }: Results): string {
  return place < 0 ? '' : `${formatCount(place + 1)} of ${formatCount(shown)}`;
}
