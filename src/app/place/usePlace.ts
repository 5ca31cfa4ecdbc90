import { useMemo, useSyncExternalStore } from 'react';
import { placeFromSearch, searchFromPlace, tabIds, type PageId, type Place } from './place';

const moved = new EventTarget();

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  moved.addEventListener('moved', listener);
  return () => {
    window.removeEventListener('popstate', listener);
    moved.removeEventListener('moved', listener);
  };
}

const currentSearch = () => window.location.search;

/** Where the person is now; changes with the URL. */
export function usePlace(): Place {
  const search = useSyncExternalStore(subscribe, currentSearch);
  return useMemo(() => placeFromSearch(search), [search]);
}

/**
 * Goes somewhere. By default that is a step back and forward know of; `replace` is for movements that come many
 * at a time (scrubbing, a held key), which would bury where the person came from.
 */
export function goTo(change: Partial<Place>, how: 'push' | 'replace' = 'push'): void {
  const place = placeFromSearch(currentSearch());
  const search = searchFromPlace({ ...place, ...change });
  if (search === currentSearch()) return;
  const url = `${window.location.pathname}${search}${window.location.hash}`;
  if (how === 'push') window.history.pushState(null, '', url);
  else window.history.replaceState(null, '', url);
  moved.dispatchEvent(new Event('moved'));
}

/** Back to the first screen. */
export function goHome(): void {
  window.history.pushState(null, '', `${window.location.pathname}${window.location.hash}`);
  moved.dispatchEvent(new Event('moved'));
}

/** To a screen that shows no source. */
export function goToPage(page: PageId): void {
  const search = searchFromPlace({ step: 0, tab: tabIds[0], page });
  if (search === currentSearch()) return;
  window.history.pushState(null, '', `${window.location.pathname}${search}${window.location.hash}`);
  moved.dispatchEvent(new Event('moved'));
}

/** A link that opens the same place: without the fragment, which can hold the local server's token. */
export function linkToHere(): string {
  return `${window.location.origin}${window.location.pathname}${currentSearch()}`;
}
