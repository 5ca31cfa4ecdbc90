import { create } from 'zustand';
import type { EpisodeRef } from '../../../ingest/protocol';
import type { Cut } from './cuts';

interface Choice {
  /** How samples are cut; undefined is the episode's own way. */
  cut: Cut | undefined;
  /** A sample held on to in one episode. Otherwise it is the one of the step. */
  held: { episode: string; sample: number } | undefined;
}

/** What Samples and Tokens show, so that going from one to the other keeps it. */
export const useChoice = create<Choice>()(() => ({ cut: undefined, held: undefined }));

export function chooseCut(cut: Cut): void {
  useChoice.setState({ cut });
}

export function holdSample(ref: EpisodeRef, sample: number | undefined): void {
  useChoice.setState({
    held: sample === undefined ? undefined : { episode: keyOf(ref), sample },
  });
}

export function heldIn({ held }: Choice, ref: EpisodeRef): number | undefined {
  return held?.episode === keyOf(ref) ? held.sample : undefined;
}

const keyOf = ({ source, episode }: EpisodeRef) => `${source}#${episode}`;
