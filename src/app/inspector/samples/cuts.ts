import { samplesOf, type Episode, type Sample } from '../../../model';

/** How the samples shown came about: as the source has them, or cut out of the context by us in one of two ways. */
export type Cut = 'recorded' | 'aligned' | 'tail';

export const cutNames: Record<Cut, string> = {
  recorded: 'As recorded',
  aligned: 'Aligned',
  tail: 'Tail',
};

export const cutHints: Record<Cut, string> = {
  recorded: 'The samples as the source has them',
  aligned: 'Each response is all that came since the last render',
  tail: 'Each response is the last len(mask) tokens of the context',
};

export function samplesCut(episode: Episode, cut: Cut): readonly Sample[] {
  return cut === 'recorded' ? (episode.samples ?? []) : samplesOf(episode, cut);
}

/** The cuts that an episode has something to show for, the one to start with first. */
export function cutsOf(episode: Episode): Cut[] {
  if (episode.steps.length === 0 && (episode.samples ?? []).length === 0) return [];
  const recorded = (episode.samples ?? []).length > 0;
  // Without a token there is no telling where a tail begins.
  const tail = samplesOf(episode, 'tail').some(({ tokens }) => tokens !== undefined);
  return [...(recorded ? ['recorded' as const] : []), 'aligned', ...(tail ? ['tail' as const] : [])];
}

export function cutFor(episode: Episode, wanted: Cut | undefined): Cut {
  const cuts = cutsOf(episode);
  return wanted !== undefined && cuts.includes(wanted) ? wanted : (cuts[0] ?? 'aligned');
}

/** `snapshot 1`, `final`: snapshots are counted from 1, as the episode counts those it takes. */
export function sampleName({ kind, index }: Pick<Sample, 'kind' | 'index'>): string {
  return kind === 'final' ? 'final' : `snapshot ${index + 1}`;
}

/** The sample that is there to train what a step emitted. */
export function sampleAt(samples: readonly Sample[], step: number): Sample | undefined {
  return samples.find(({ firstStep, lastStep }) => firstStep <= step && step <= lastStep) ?? samples.at(-1);
}
