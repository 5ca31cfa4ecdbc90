import type { EpisodeRef, SearchState } from '../../ingest/protocol';
import { counted, formatCount } from '../words/format';

/** What a search found, in words and in order. */

type Found = SearchState['found'];

/** Where an episode stands among the results, from 0, or -1. */
export function placeOf(found: Found, at: EpisodeRef | undefined): number {
  if (at === undefined) return -1;
  return found.findIndex(({ ref }) => ref.source === at.source && ref.episode === at.episode);
}

/** The result after or before one, around the ends; the first or the last where there is none yet. */
export function neighbourOf(found: Found, at: EpisodeRef | undefined, by: 1 | -1): EpisodeRef | undefined {
  const place = placeOf(found, at);
  const next = place < 0 ? (by === 1 ? 0 : found.length - 1) : (place + by + found.length) % found.length;
  return found[next]?.ref;
}

/** `1,204 places in 35 episodes`, and how far it is. */
export function resultWords({ phase, matches, found, bytesRead, bytesTotal }: SearchState): string {
  const percent = bytesTotal > 0 ? Math.floor((100 * bytesRead) / bytesTotal) : 0;
  const how = {
    searching: ` · ${percent}%`,
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
