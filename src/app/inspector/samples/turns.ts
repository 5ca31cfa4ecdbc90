import { samplesOf, type Episode, type Sample, type Span, type TokenTrack } from '../../../model';

/** One emission in one sample: how many of its tokens the sample trains. */
export interface Turn {
  step: number;
  /** Tokens emitted. */
  length: number;
  trained: number;
  /** Tokens that this sample is there to train and does not: under no 1, or cut off. */
  dropped: number;
  /** Where its tokens stand in the sample's response; it can reach out of it on either side. */
  span: Span;
}

/**
 * The turns that a sample is there to train. Their tokens are looked for where they stand in the response, not where
 * the mask has them: once these part, the mask trains something else, or nothing.
 */
export function turnsOf(episode: Episode, sample: Sample): Turn[] {
  const { tokens } = sample;
  if (tokens === undefined) return [];
  return placesOf(episode, sample, tokens).map(({ step, span }) => {
    const length = span[1] - span[0];
    const trained = overlap(tokens.trained, span, tokens.responseIds.length);
    return { step, length, trained, dropped: length - trained, span };
  });
}

interface Placed {
  step: number;
  span: Span;
}

function placesOf(episode: Episode, sample: Sample, tokens: TokenTrack): Placed[] {
  const aligned = samplesOf(episode).find(
    ({ firstStep, lastStep }) => firstStep === sample.firstStep && lastStep === sample.lastStep,
  )?.tokens;
  const start = aligned === undefined ? undefined : startOf(tokens, aligned);
  if (aligned !== undefined && start !== undefined) {
    return aligned.turns.map(([from, to], nth) => ({
      step: sample.firstStep + nth,
      span: [from + aligned.promptIds.length - start, to + aligned.promptIds.length - start],
    }));
  }
  return turnsByMask(sample, tokens);
}

/** Where in the context a response starts, if it is a piece of it. */
function startOf(tokens: TokenTrack, aligned: TokenTrack): number | undefined {
  const context = aligned.promptIds.length + aligned.responseIds.length;
  const { length } = tokens.responseIds;
  const candidates = [aligned.promptIds.length, context - length];
  return candidates.find((start) => start >= 0 && start + length <= context && agrees(start));

  function agrees(start: number): boolean {
    return tokens.responseIds.every((id, at) => {
      const nth = start + at - aligned.promptIds.length;
      return id === (nth < 0 ? aligned.promptIds[start + at] : aligned.responseIds[nth]);
    });
  }
}

/**
 * What the sample itself says of its turns: all of the episode's up to then, or only its own. Where it says nothing,
 * each run of ones is a turn if there are as many as steps.
 */
function turnsByMask({ firstStep, lastStep }: Sample, { turns, trained }: TokenTrack): Placed[] {
  const own = lastStep + 1 - firstStep;
  if (turns.length === lastStep + 1) {
    return turns.slice(firstStep).map((span, nth) => ({ step: firstStep + nth, span }));
  }
  const spans = turns.length > 0 ? turns : trained.length === own ? trained : [];
  return spans.slice(0, own).map((span, nth) => ({ step: firstStep + nth, span }));
}

/** How many positions of a range lie in ranges that ascend, before an end. */
export function overlap(spans: readonly Span[], [start, end]: Span, length = Infinity): number {
  let sum = 0;
  for (const [from, to] of spans) sum += Math.max(Math.min(to, end, length) - Math.max(from, start), 0);
  return sum;
}

/** The samples that train each step's emission, by step. */
export function trainersOf(episode: Episode, samples: readonly Sample[]): Map<number, number[]> {
  const trainers = new Map<number, number[]>();
  for (const sample of samples) {
    for (const { step, trained } of turnsOf(episode, sample)) {
      if (trained === 0) continue;
      const known = trainers.get(step);
      if (known === undefined) trainers.set(step, [sample.index]);
      else known.push(sample.index);
    }
  }
  return trainers;
}
