/** The list of runs alone: small enough to be there from the start. */
import { useCallback, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import type { ManualPolicy } from '../../agent';
import type { EpisodeRef, SourceId } from '../../ingest/protocol';
import type { LogKeeper, Run, RunSnapshot } from '../../live';
import type { Episode } from '../../model';
import type { Description } from './description';

export const RUNS: SourceId = 'runs';

export interface RunEntry {
  id: string;
  description: Description;
  /** As it was when it last stood still. */
  episode: Episode;
  /** Absent for a run from before: it is not set up in this page. */
  run?: Run;
  keeper?: LogKeeper;
  /** Where a person is the policy. */
  manual?: ManualPolicy;
}

/** The oldest first: the number of a run in the table is its place here. */
export const useRuns = create<{ list: readonly RunEntry[]; loaded: boolean }>()(() => ({
  list: [],
  loaded: false,
}));

export function useRunEntry(ref: EpisodeRef | undefined): RunEntry | undefined {
  return useRuns(({ list }) => (ref?.source === RUNS ? list[ref.episode] : undefined));
}

/** A run that is set up in this page, as it is at this moment. */
export function useSnapshot(run: Run | undefined): RunSnapshot | undefined {
  const subscribe = useCallback(
    (listener: () => void) => run?.subscribe(listener) ?? (() => undefined),
    [run],
  );
  return useSyncExternalStore(subscribe, () => run?.getSnapshot());
}
