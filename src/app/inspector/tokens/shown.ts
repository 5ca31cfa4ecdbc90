import { sizesOf, type Episode } from '../../../model';
import { formatCount } from '../../words/format';
import { sampleAt, sampleName, samplesCut, type Cut } from '../samples/cuts';
import { callTrack, trackOf, type Track } from './track';

/** One thing whose tokens can be looked at: a sample, or, where none has tokens, the call of a step. */
export interface Shown {
  /** What the list calls it. */
  options: readonly { value: number; label: string }[];
  chosen: number;
  track: Track | undefined;
  kind: 'sample' | 'call';
}

/** The tokens to show: of the sample held on to, else of the one that the step belongs to. */
export function shownAt(episode: Episode, cut: Cut, step: number, held: number | undefined): Shown {
  const samples = samplesCut(episode, cut).filter(({ tokens }) => tokens !== undefined);
  if (samples.length === 0) {
    const tokens = episode.steps[step]?.tokens;
    return {
      options: [],
      chosen: step,
      track: tokens === undefined ? undefined : callTrack(episode, step, tokens),
      kind: 'call',
    };
  }
  const sample = samples.find(({ index }) => index === held) ?? sampleAt(samples, step);
  return {
    options: samples.map((each) => {
      const { firstStep, lastStep } = each;
      const steps =
        lastStep < firstStep
          ? 'no steps'
          : lastStep === firstStep
            ? `step ${firstStep}`
            : `steps ${firstStep}–${lastStep}`;
      return {
        value: each.index,
        label: `${sampleName(each)} · ${steps} · ${formatCount(sizesOf(each)?.trained ?? 0)} trained`,
      };
    }),
    chosen: sample?.index ?? 0,
    track: sample === undefined ? undefined : trackOf(episode, sample),
    kind: 'sample',
  };
}
