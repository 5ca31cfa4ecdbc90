import { create } from 'zustand';
import type { EpisodeRef } from '../../../ingest/protocol';
import type { Cut } from './cuts';

interface Choice {
  /** How samples are cut; undefined is the episode's own way. */
  cut: Cut | undefined;
  /** A sample held on to in one episode. Otherwise it is the one of the step. */
  held: { episode: string; sample: number } | undefined;
  /** A token that someone wants to see, in the sample held on to, until it is shown. */
  wanted: { position: number } | undefined;
}

/** What Samples and Tokens show, so that going from one to the other keeps it. */
export const useChoice = create<Choice>()(() => ({ cut: undefined, held: undefined, wanted: undefined }));

export function chooseCut(cut: Cut): void {
  useChoice.setState({ cut });
}

export function holdSample(ref: EpisodeRef, sample: number | undefined): void {
  useChoice.setState({
    held: sample === undefined ? undefined : { episode: keyOf(ref), sample },
  });
}

/** Brings a token of a recorded sample into view. Positions count from the start of its prompt. */
export function showTokens(ref: EpisodeRef, sample: number, position: number): void {
  useChoice.setState({ cut: 'recorded', held: { episode: keyOf(ref), sample }, wanted: { position } });
}

export function wishGranted(): void {
  useChoice.setState({ wanted: undefined });
}

/** Shows the tokens of the step. */
export function showPromptTokens(ref: EpisodeRef): void {
  holdSample(ref, undefined);
}

export function heldIn({ held }: Choice, ref: EpisodeRef): number | undefined {
  return held?.episode === keyOf(ref) ? held.sample : undefined;
}

const keyOf = ({ source, episode }: EpisodeRef) => `${source}#${episode}`;
