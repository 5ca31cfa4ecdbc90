import type { Episode, Finding } from '../../model';
import type { ColumnInfo, EpisodeRef, Problem, RawRecord, SourceState } from '../../ingest/protocol';
import { ingest } from './ingest';
import { useLoaded, type Loaded } from './useLoaded';

/**
 * Data from the worker, by explicit arguments. `revision` is how far the sources have been read: what is asked
 * of a growing source is asked again when it has grown.
 */

export function revisionOf(sources: readonly SourceState[]): string {
  return sources.map((source) => `${source.id}@${source.episodes}:${source.phase}`).join('|');
}

export function useEpisode(ref: EpisodeRef | undefined, revision: string): Loaded<Episode | undefined> {
  const key = keyOf(ref);
  // A loaded episode stays the same while its source grows; only one that was not there yet is asked for again.
  const loaded = useLoaded(key, () => askEpisode(ref));
  const again = useLoaded(
    loaded.state === 'ready' && loaded.value === undefined ? `${key} ${revision}` : undefined,
    () => askEpisode(ref),
  );
  return loaded.state === 'ready' && loaded.value === undefined ? again : loaded;
}

async function askEpisode(ref: EpisodeRef | undefined): Promise<Episode | undefined> {
  return ref === undefined ? undefined : ingest().episode(ref);
}

/** Asked for once the episode is there. */
export function useFindings(ref: EpisodeRef | undefined, episode: Episode | undefined): readonly Finding[] {
  const key = episode === undefined ? undefined : keyOf(ref);
  const { value } = useLoaded(key, async () => (ref === undefined ? [] : ingest().findings(ref)));
  return value ?? noFindings;
}

const noFindings: readonly Finding[] = [];

function keyOf(ref: EpisodeRef | undefined): string | undefined {
  return ref === undefined ? undefined : `${ref.source}#${ref.episode}`;
}

export function useColumns(sources: readonly string[], revision: string): Loaded<ColumnInfo[]> {
  return useLoaded(JSON.stringify([sources, revision]), () => ingest().columns(sources), { keepLast: true });
}

export function useRaw(ref: EpisodeRef | undefined): Loaded<RawRecord | undefined> {
  return useLoaded(keyOf(ref), async () => (ref === undefined ? undefined : ingest().raw(ref)));
}

export function useProblems(source: SourceState): Loaded<Problem[]> {
  return useLoaded(`${source.id} ${source.problems}`, () => ingest().problems(source.id), { keepLast: true });
}
