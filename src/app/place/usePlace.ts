import { useSyncExternalStore } from 'react';
import { placeFromSearch, searchFromPlace, tabIds, type PageId, type Place } from './place';

const moved = new EventTarget();

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', forgetAhead);
  window.addEventListener('popstate', listener);
  window.addEventListener('pagehide', settle);
  moved.addEventListener('moved', listener);
  return () => {
    window.removeEventListener('popstate', forgetAhead);
    window.removeEventListener('popstate', listener);
    window.removeEventListener('pagehide', settle);
    moved.removeEventListener('moved', listener);
  };
}

/**
 * Where the person went by movements that come many at a time, until the URL says so: browsers take some 200 changes of
 * the URL in ten seconds and drop the rest, and each costs milliseconds.
 */
let ahead: { search: string; since: number; timer: number } | undefined;

/** In milliseconds: the URL follows such movements when they rest, and now and then while they do not. */
const urlPause = { rest: 150, most: 1000 };

const currentSearch = () => ahead?.search ?? window.location.search;

const urlOf = (search: string) => `${window.location.pathname}${search}${window.location.hash}`;

function moveAhead(search: string): void {
  window.clearTimeout(ahead?.timer);
  const now = performance.now();
  const since = ahead?.since ?? now;
  const left = Math.max(0, since + urlPause.most - now);
  ahead = { search, since, timer: window.setTimeout(settle, Math.min(urlPause.rest, left)) };
}

/** Lets the URL say where the person is. */
function settle(): void {
  if (ahead === undefined) return;
  window.clearTimeout(ahead.timer);
  const { search } = ahead;
  ahead = undefined;
  window.history.replaceState(null, '', urlOf(search));
}

/** Back and forward lead away from where the person was about to be. */
function forgetAhead(): void {
  window.clearTimeout(ahead?.timer);
  ahead = undefined;
}

let last: { search: string; place: Place } | undefined;

/** Where the person is now, which the URL says a moment later. The same object while it is the same place. */
export function currentPlace(): Place {
  const search = currentSearch();
  if (last?.search !== search) last = { search, place: placeFromSearch(search) };
  return last.place;
}

export function usePlace(): Place {
  return useSyncExternalStore(subscribe, currentPlace);
}

/** A part of where the person is: what shows only that is drawn again only when it changes. */
export function usePlacePart<Part extends string | undefined>(part: (place: Place) => Part): Part {
  return useSyncExternalStore(subscribe, () => part(currentPlace()));
}

/**
 * Goes somewhere. By default that is a step back and forward know of; `replace` is for movements that come many
 * at a time (scrubbing, a held key), which would bury where the person came from.
 */
export function goTo(change: Partial<Place>, how: 'push' | 'replace' = 'push'): void {
  const search = searchFromPlace({ ...currentPlace(), ...change });
  if (search === currentSearch()) return;
  if (how === 'push') push(search);
  else moveAhead(search);
  moved.dispatchEvent(new Event('moved'));
}

function push(search: string): void {
  settle();
  window.history.pushState(null, '', urlOf(search));
}

/** Back to the first screen. */
export function goHome(): void {
  push('');
  moved.dispatchEvent(new Event('moved'));
}

/** To a screen that shows no source. */
export function goToPage(page: PageId): void {
  const search = searchFromPlace({ step: 0, tab: tabIds[0], page });
  if (search === currentSearch()) return;
  push(search);
  moved.dispatchEvent(new Event('moved'));
}

/** A link that opens the same place: without the fragment, which can hold the local server's token. */
export function linkToHere(): string {
  return `${window.location.origin}${window.location.pathname}${currentSearch()}`;
}
