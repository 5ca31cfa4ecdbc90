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
  return useLoaded(useKey(ref), async () => (ref === undefined ? undefined : ingest().episode(ref)));
}

/** Asked for once the episode is there, and again when other sources are: an episode of them may share its session. */
export function useFindings(ref: EpisodeRef | undefined, episode: Episode | undefined): readonly Finding[] {
  const key = useKey(ref);
  const others = useSources(({ list }) =>
    list.map(({ opening, phase }) => (phase === 'reading' ? '' : opening)).join(' '),
  );
  const known = `${key} ${others}`;
  const { value } = useLoaded(
    episode === undefined || key === undefined ? undefined : known,
    async () => ({ key, findings: ref === undefined ? noFindings : await ingest().findings(ref) }),
    { keepLast: true },
  );
  return value?.key === key ? (value?.findings ?? noFindings) : noFindings;
}

const noFindings: readonly Finding[] = [];

/** Stays the same while the source grows, and changes when it is opened anew. None while the episode is not read yet. */
function useKey(ref: EpisodeRef | undefined): string | undefined {
  return useSources(({ list }) => {
    const source = list.find(({ id }) => id === ref?.source);
    if (ref === undefined || source === undefined) return undefined;
    const isThere = ref.episode < source.episodes || source.phase !== 'reading';
    return isThere ? `${source.opening}#${ref.episode}` : undefined;
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
