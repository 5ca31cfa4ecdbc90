/** Replays of this page: what each episode's came to. Small enough to be there from the start. */
import { useMemo } from 'react';
import { create } from 'zustand';
import type { EpisodeRef, SourceId } from '../../ingest/protocol';
import type { Replay } from '../../live';
import type { Episode } from '../../model';

export interface Replayed {
  ref: EpisodeRef;
  replay: Replay;
  /** The episode with the exchanges and states that the replay rebuilt. */
  enrich: (episode: Episode) => Episode;
}

interface Replays {
  /** By `refKey`. */
  found: ReadonlyMap<string, Replayed>;
  /** How far a replay of several is. */
  progress?: { source: SourceId; done: number; total: number } | undefined;
}

export const useReplays = create<Replays>()(() => ({ found: new Map() }));

export const refKey = ({ source, episode }: EpisodeRef) => `${episode}:${source}`;

/** Forgets what replays found out about episodes that are others now. */
export function forgetReplays(isStale: (ref: EpisodeRef) => boolean): void {
  const { found } = useReplays.getState();
  const left = [...found].filter(([, { ref }]) => !isStale(ref));
  if (left.length < found.size) useReplays.setState({ found: new Map(left) });
}

/** An episode as it is shown: with what its replay rebuilt, where it was replayed. */
export function useEnriched(ref: EpisodeRef | undefined, episode: Episode | undefined): Episode | undefined {
  const replayed = useReplays(({ found }) => (ref === undefined ? undefined : found.get(refKey(ref))));
  return useMemo(
    () => (episode === undefined || replayed === undefined ? episode : replayed.enrich(episode)),
    [episode, replayed],
  );
}
