/** The episode at a place: read from its source, as a run of this page has it by now, or with what a replay rebuilt. */
import { useMemo } from 'react';
import type { EpisodeRef } from '../../ingest/protocol';
import { lintEpisode, sessionSharedRule, type Episode, type Finding } from '../../model';
import { useEpisode, useFindings } from '../data/hooks';
import type { Loaded } from '../data/useLoaded';
import { useRunEntry, useSnapshot, type RunEntry } from './list';
import { useEnriched } from './replayed';

export interface Shown {
  loaded: Loaded<Episode | undefined>;
  findings: readonly Finding[];
  /** Where it is a run of this browser. */
  entry: RunEntry | undefined;
}

export function useShown(ref: EpisodeRef | undefined): Shown {
  const entry = useRunEntry(ref);
  const snapshot = useSnapshot(entry?.run);
  const elsewhere = entry === undefined ? ref : undefined;
  const read = useEpisode(elsewhere);
  const own = snapshot?.episode ?? entry?.episode;
  const readFindings = useFindings(ref, entry?.episode ?? read.value);
  // Looking through all of a run after each of its steps would slow it down.
  const still = snapshot?.status === 'running' ? entry?.episode : own;
  const ownFindings = useMemo(() => {
    if (still === undefined) return undefined;
    // The rest of what was read of it may be of an earlier step.
    return [...lintEpisode(still), ...readFindings.filter(({ rule }) => rule === sessionSharedRule)];
  }, [still, readFindings]);
  const episode = useEnriched(ref, own ?? read.value);
  const loaded = useMemo((): Loaded<Episode | undefined> => {
    if (own !== undefined) return { state: 'ready', value: episode };
    return read.value === undefined ? read : { ...read, value: episode };
  }, [own, read, episode]);
  return { loaded, findings: ownFindings ?? readFindings, entry };
}
