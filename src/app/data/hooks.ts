import type { Episode, Finding } from '../../model';
import type { EpisodeRef, Problem, RawRecord } from '../../ingest/protocol';
import { useSources, type OpenedSource } from '../stores/sources';
import { ingest } from './ingest';
import { useLoaded, type Loaded } from './useLoaded';

/**
 * Data from the worker, by explicit arguments. `revision` is how far the sources have been read: what is asked
 * of a growing source is asked again when it has grown.
 */

export function revisionOf(sources: readonly OpenedSource[]): string {
  return sources.map((source) => `${source.opening}@${source.episodes}:${source.phase}`).join('|');
}

/** Loading until the source has been read that far; undefined where it turns out to have no such episode. */
export function useEpisode(ref: EpisodeRef | undefined): Loaded<Episode | undefined> {
  const joins = useSources(({ list }) =>
    list.some(({ id, joins: does }) => id === ref?.source && does === true),
  );
  const others = useOthers();
  return useOf(ref, joins ? others : '', async () => (ref === undefined ? undefined : ingest().episode(ref)));
}

/** Asked for once the episode is there, and again when other sources are: an episode of them may share its session. */
export function useFindings(ref: EpisodeRef | undefined, episode: Episode | undefined): readonly Finding[] {
  const asked = episode === undefined ? undefined : ref;
  const others = useOthers();
  return (
    useOf(asked, others, async () => (asked === undefined ? [] : ingest().findings(asked))).value ??
    noFindings
  );
}

/** Changes when a source has been read, or is closed. */
function useOthers(): string {
  return useSources(({ list }) =>
    list.map(({ opening, phase }) => (phase === 'reading' ? '' : opening)).join(' '),
  );
}

/** What is known of an episode: asked for again when `revision` changes, and until it comes it is as it was. */
function useOf<T>(ref: EpisodeRef | undefined, revision: string, load: () => Promise<T>): Loaded<T> {
  const key = useKey(ref);
  const loaded = useLoaded(
    key === undefined ? undefined : `${key} ${revision}`,
    async () => ({ key, value: await load() }),
    { keepLast: true },
  );
  if (loaded.state === 'failed') return { state: 'failed', error: loaded.error };
  const { value } = loaded;
  return value === undefined || value.key !== key
    ? { state: 'loading' }
    : { state: 'ready', value: value.value };
}

const noFindings: readonly Finding[] = [];

/**
 * Stays the same while the source grows, and changes when it is opened anew, or when an episode that it did not have has
 * come. None while the episode is not read yet.
 */
function useKey(ref: EpisodeRef | undefined): string | undefined {
  return useSources(({ list }) => {
    const source = list.find(({ id }) => id === ref?.source);
    if (ref === undefined || source === undefined) return undefined;
    const key = `${source.opening}#${ref.episode}`;
    if (ref.episode < source.episodes) return key;
    return source.phase === 'reading' ? undefined : `${key} missing`;
  });
}

export function useRaw(ref: EpisodeRef | undefined): Loaded<RawRecord | undefined> {
  return useLoaded(useKey(ref), async () => (ref === undefined ? undefined : ingest().raw(ref)));
}

export function useProblems(source: OpenedSource): Loaded<Problem[]> {
  return useLoaded(`${source.opening} ${source.problems}`, () => ingest().problems(source.id), {
    keepLast: true,
  });
}
