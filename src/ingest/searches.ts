import { breather } from './breathe';
import type { EpisodeRef, SearchInput, SearchState } from './protocol';
import { Needles } from './search';
import type { OpenSource } from './source';

/** More episodes are counted in `matches`, not listed. */
const maxFound = 100_000;

const stateInterval = 100;

const nothing: SearchState['found'] = [];

interface Search {
  cancelled: boolean;
  found: SearchState['found'];
}

/** The searches that are running, and what the last of each id has found. */
export class Searches {
  private readonly running = new Map<string, Search>();
  private readonly last = new Map<string, Search>();

  /** The same list until there is more. */
  foundBy(id: string): SearchState['found'] {
    return this.last.get(id)?.found ?? nothing;
  }

  cancel(id: string): void {
    const search = this.running.get(id);
    if (search !== undefined) search.cancelled = true;
    this.running.delete(id);
  }

  async run(
    { id, text, matchCase = false }: SearchInput,
    sources: readonly OpenSource[],
    onState: (state: SearchState) => void,
  ): Promise<void> {
    this.cancel(id);
    const search: Search = { cancelled: false, found: nothing };
    this.running.set(id, search);
    this.last.set(id, search);
    const breathe = breather();
    const found: { ref: EpisodeRef; matches: number }[] = [];
    let [bytesRead, matches, lastSent] = [0, 0, -Infinity];
    let waited: true | undefined;
    const send = (phase: SearchState['phase'], waiting?: true): void => {
      lastSent = performance.now();
      // Of a source that is being read it grows.
      const bytesTotal = sources.reduce((sum, source) => sum + source.searchableBytes, 0);
      search.found = found.slice();
      const state: SearchState = { phase, bytesRead, bytesTotal, matches, found: search.found };
      onState(waiting === undefined ? state : { ...state, waiting });
    };

    send('searching');
    for (const source of text === '' ? [] : sources) {
      await source.search(
        new Needles(text, matchCase),
        (row, places) => {
          matches += places;
          const last = found.at(-1);
          // Rows come in their order; what stands in two chunks comes twice.
          if (last?.ref.source === source.id && last.ref.episode === row) last.matches += places;
          else if (found.length < maxFound)
            found.push({ ref: { source: source.id, episode: row }, matches: places });
        },
        async (bytes, waiting) => {
          bytesRead += bytes;
          await breathe();
          const isNew = waiting !== waited || performance.now() - lastSent >= stateInterval;
          waited = waiting;
          if (isNew && !search.cancelled) send('searching', waiting);
          return !search.cancelled;
        },
      );
      if (search.cancelled) break;
    }
    send(search.cancelled ? 'cancelled' : 'done');
    if (this.running.get(id) === search) this.running.delete(id);
  }
}
