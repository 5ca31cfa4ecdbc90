import { create } from 'zustand';
import type { EpisodeRef, SearchState, SourceId } from '../../ingest/protocol';
import { ingest } from '../data/ingest';
import { errorText } from '../../model/error-text';
import { setLayout } from '../stores/layout';

interface Wanted {
  text: string;
  matchCase: boolean;
}

interface Search {
  open: boolean;
  text: string;
  matchCase: boolean;
  /** What the state is of; undefined before the first search. */
  asked?: (Wanted & { sources: readonly SourceId[] }) | undefined;
  state?: SearchState | undefined;
  failure?: string | undefined;
  /** The result last opened. */
  at?: EpisodeRef | undefined;
  /** Grows with each wish to type. */
  focuses: number;
}

/** The search over all records. */
export const useSearch = create<Search>()(() => ({ open: false, text: '', matchCase: false, focuses: 0 }));

const searchId = 'all records';
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

export const setSearch = (change: Partial<Pick<Search, 'text' | 'matchCase' | 'at'>>) =>
  useSearch.setState(change);

/** Looks for a text; ends the search before it. */
export function runSearch(sources: readonly SourceId[], { text, matchCase }: Wanted): void {
  const nth = ++searches;
  useSearch.setState({
    asked: { text, matchCase, sources },
    state: undefined,
    failure: undefined,
    at: undefined,
  });
  if (text === '') {
    cancelSearch();
    return;
  }
  const update = (change: Pick<Search, 'state' | 'failure'>) => {
    // What an ended search still says is of no use.
    if (nth === searches) useSearch.setState(change);
  };
  ingest()
    .search({ id: searchId, sources, text, matchCase }, (state) => update({ state }))
    .catch((error: unknown) => update({ state: undefined, failure: errorText(error) }));
}

/** What was found until then stays. */
export function cancelSearch(): void {
  if (useSearch.getState().state?.phase === 'searching') void ingest().cancelSearch(searchId);
}
