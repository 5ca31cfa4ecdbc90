import { create } from 'zustand';
import type { EpisodeRef, Result, SearchState, Shown, SourceId } from '../../ingest/protocol';
import { ingest } from '../data/ingest';
import { showFound } from '../episode/find/store';
import { errorText } from '../../model/error-text';
import { setLayout } from '../stores/layout';
import { useSources, type Sources } from '../stores/sources';

interface Wanted {
  text: string;
  matchCase: boolean;
}

interface Search {
  open: boolean;
  text: string;
  matchCase: boolean;
  /** What the state is of; undefined before the first search. */
  asked?: (Wanted & { openings: string }) | undefined;
  state?: SearchState | undefined;
  /** There were so many when all had been looked at. */
  episodes?: number | undefined;
  failure?: string | undefined;
  /** The result last opened. */
  at?: Result | undefined;
  /** Grows with each wish to type. */
  focuses: number;
}

/** The search over all records. */
export const useSearch = create<Search>()(() => ({ open: false, text: '', matchCase: false, focuses: 0 }));

/** Tells what is open from what was: a source may be opened anew under its name. */
export const openingsOf = ({ list }: Sources) => list.map(({ opening }) => opening).join(' ');

export const episodesOf = ({ list }: Sources) => list.reduce((sum, { episodes }) => sum + episodes, 0);

/** The worker's name for it. */
export const searchId = 'all records';
let searches = 0;

export function openSearch(): void {
  setLayout({ episodesOpen: true });
  useSearch.setState(({ focuses }) => ({ open: true, focuses: focuses + 1 }));
}

export function closeSearch(): void {
  cancelSearch();
  searches += 1;
  useSearch.setState({ open: false, asked: undefined, state: undefined, failure: undefined, at: undefined });
}

export function toggleSearch(): void {
  if (useSearch.getState().open) closeSearch();
  else openSearch();
}

export const setSearch = (change: Partial<Pick<Search, 'text' | 'matchCase'>>) => useSearch.setState(change);

/** Looks for a text; ends the search before it. */
export function runSearch(sources: readonly SourceId[], { text, matchCase }: Wanted): void {
  cancelSearch();
  const nth = ++searches;
  useSearch.setState({
    asked: { text, matchCase, openings: openingsOf(useSources.getState()) },
    state: undefined,
    episodes: undefined,
    failure: undefined,
    at: undefined,
  });
  if (text === '') return;
  const update = (change: Pick<Search, 'state' | 'episodes' | 'failure'>) => {
    // What an ended search still says is of no use.
    if (nth === searches) useSearch.setState(change);
  };
  ingest()
    .search({ id: searchId, sources, text, matchCase }, (state) =>
      update({ state, ...(state.phase === 'done' ? { episodes: episodesOf(useSources.getState()) } : {}) }),
    )
    .catch((error: unknown) => update({ state: undefined, failure: errorText(error) }));
}

/** One that has not said anything yet is under way, too. */
export function isSearching(): boolean {
  const { asked, state, failure } = useSearch.getState();
  if (state !== undefined) return state.phase === 'searching';
  return (asked?.text ?? '') !== '' && failure === undefined;
}

/** What was found until then stays. */
export function cancelSearch(): void {
  if (isSearching()) void ingest().cancelSearch(searchId);
}

let walk: Promise<void> = Promise.resolve();

/** To the next or the previous result in the table as it is shown. One after the other: a fast hand skips none. */
export function walkResults(shown: Shown, by: 1 | -1, onSelect: (ref: EpisodeRef) => void): void {
  const { asked } = useSearch.getState();
  const go = async () => {
    const { next, previous } = await ingest().results(searchId, shown, useSearch.getState().at?.ref);
    const to = by === 1 ? next : previous;
    // Meanwhile something else may be looked for.
    if (to === undefined || asked === undefined || useSearch.getState().asked !== asked) return;
    useSearch.setState({ at: to });
    onSelect(to.ref);
    showFound(asked.text, asked.matchCase);
  };
  walk = walk.then(go).catch((error: unknown) => useSearch.setState({ failure: errorText(error) }));
}
