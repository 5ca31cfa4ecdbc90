import type { Episode, Sample, TokenTrack } from '../episode';
import { coveredBy, samplesOf, sizesOf } from '../statelm/samples';
import { textOfIds } from '../statelm/characters';
import { excerpt } from '../text';
import type { Place, Rule } from './finding';
import { outsideOf } from './outside';

/** Training samples as the source recorded them: whether their masks fit their tokens, and train every turn once. */

const maskLength: Rule = {
  id: 'mask-length',
  severity: 'error',
  explanation:
    'Response ids, response mask and log-probabilities of a sample must have one entry per token. A trainer that pads or ' +
    'cuts the longer one shifts the mask against the tokens, and trains other tokens than those that were emitted.',
  check: (episode) =>
    tracksOf(episode).flatMap(({ sample, tokens }) => {
      const { responseIds, maskLength: length, logprobs } = tokens;
      const counts = [`${figure(responseIds.length)} response ids`, `a mask of ${figure(length)}`];
      if (logprobs !== undefined) counts.push(`${figure(logprobs.length)} log-probabilities`);
      const same = responseIds.length === length && (logprobs === undefined || logprobs.length === length);
      return same
        ? []
        : [{ message: `${nameOf(sample)} has ${listed(counts)}`, ...placeOf(episode, sample) }];
    }),
};

const maskOutsideTurn: Rule = {
  id: 'mask-outside-turn',
  severity: 'error',
  explanation:
    'The mask is 1 on tokens that the policy did not emit: tool results, or text of the template. Training on them ' +
    'teaches the policy to write its own observations.',
  check: (episode) =>
    tracksOf(episode).flatMap(({ sample, tokens }) => {
      if (tokens.turns.length === 0) return [];
      return outsideOf(tokens.trained, tokens.turns).map((outside) => ({
        message: `${nameOf(sample)}: the mask is 1 at ${figure(outside[0])}, outside every assistant turn`,
        // Places in the mask count from the response, token ranges from the start of the sample.
        tokens: [outside[0] + tokens.promptIds.length, outside[1] + tokens.promptIds.length],
        ...placeOf(episode, sample),
      }));
    }),
};

const trainsNothing: Rule = {
  id: 'sample-trains-nothing',
  severity: 'warning',
  explanation:
    'No token of this sample is under a 1 of its mask: it costs its share of the batch and teaches nothing. After an edit ' +
    'the reference keeps the whole response mask and slices the response off the end of a context that has become shorter; ' +
    'once the mask is the longer one, its ones lie past the last token. Slice the response at the last render instead.',
  check: (episode) =>
    (episode.samples ?? []).flatMap((sample) => {
      if (sizesOf(sample)?.trained !== 0) return [];
      const emptied = sample.lastStep < sample.firstStep;
      return [
        {
          message: `${nameOf(sample)} trains nothing: ${reasonFor(episode, sample)}`,
          ...placeOf(episode, sample),
          // Nothing was emitted, so there is nothing to lose.
          ...(emptied ? { severity: 'info' as const } : {}),
        },
      ];
    }),
};

function reasonFor(episode: Episode, sample: Sample): string {
  const { tokens } = sample;
  if (sample.lastStep < sample.firstStep) return 'nothing was emitted after the last edit';
  const ones = tokens === undefined ? 0 : coveredBy(tokens.trained, Infinity);
  if (tokens === undefined || ones === 0) return 'its mask has no 1';
  const aligned = samplesOf(episode)[sample.index];
  const would = aligned === undefined ? undefined : sizesOf(aligned)?.trained;
  return (
    `its mask of ${figure(tokens.maskLength)} is longer than the ${figure(tokens.responseIds.length)} tokens left of the ` +
    `re-rendered context, and all its ${figure(ones)} ones lie past their end` +
    (would === undefined ? '' : `; sliced at the last render it would train ${figure(would)}`)
  );
}

const turnUntrained: Rule = {
  id: 'turn-untrained',
  severity: 'error',
  explanation:
    'The policy emitted a turn and no sample trains it: whatever was good or bad about it is lost. Each turn belongs into ' +
    'exactly one sample, the one whose view it was emitted in.',
  check: (episode) =>
    turnsTrained(episode).flatMap(({ step, length, samples }) =>
      samples.length > 0
        ? []
        : [
            {
              message: `The ${figure(length)} tokens emitted at step ${step} are trained in no sample`,
              step,
            },
          ],
    ),
};

const turnTrainedTwice: Rule = {
  id: 'turn-trained-twice',
  severity: 'error',
  explanation:
    'One emission is trained in several samples, so it weighs more than the others, and in all but one of them under a ' +
    'context it was not emitted in. Clear the mask of what came before an edit when the edit is made.',
  check: (episode) =>
    turnsTrained(episode).flatMap(({ step, samples }) =>
      samples.length < 2
        ? []
        : [
            {
              message: `The turn of step ${step} is trained in samples ${listed(samples.map(String))}`,
              step,
            },
          ],
    ),
};

const turnBoundaries: Rule = {
  id: 'turn-boundaries',
  severity: 'error',
  explanation:
    'Turn boundaries say which entries of the response mask each emission takes up. They must lie within the mask, in the ' +
    'order of the turns, and not overlap; where they do not, per-turn rewards and masks land on other tokens.',
  check(episode) {
    const turns = episode.statelm?.recordedTurns ?? [];
    const longest = tracksOf(episode).reduce((max, { tokens }) => Math.max(max, tokens.maskLength), 0);
    let before = 0;
    return turns.flatMap(([start, end], step) => {
      const faults = [
        ...(start < 0 || end < start ? ['is no range'] : []),
        ...(longest > 0 && end > longest ? [`ends past the mask of ${figure(longest)}`] : []),
        ...(start >= 0 && start < before ? ['begins before the turn before it ends'] : []),
      ];
      before = Math.max(before, end);
      const place = step < episode.steps.length ? { step } : {};
      return faults.map((fault) => ({ message: `Turn ${step}, [${start}, ${end}), ${fault}`, ...place }));
    });
  },
};

const tailMisaligned: Rule = {
  id: 'tail-misaligned',
  severity: 'info',
  explanation:
    'This sample was sliced as prompt_ids[-len(mask):] after the context had been rendered anew. While the mask is shorter ' +
    'than the context the response only reaches back into the prompt, under zeros, which is harmless but wasteful. Once it ' +
    'is longer, prompt and response overlap and the ones of the mask no longer lie on the tokens they were meant for.',
  check(episode) {
    const aligned = samplesOf(episode);
    const tails = samplesOf(episode, 'tail');
    return tracksOf(episode).flatMap(({ sample, tokens }): Place[] => {
      const proper = aligned[sample.index]?.tokens;
      const tail = tails[sample.index]?.tokens;
      if (proper === undefined || tail === undefined || !isSlicedAs(tokens, tail)) return [];
      const context = proper.promptIds.length + proper.responseIds.length;
      const place = placeOf(episode, sample);
      if (tail.maskLength > context) {
        const shared = tokens.promptIds.length + tokens.responseIds.length - context;
        return [
          {
            severity: 'error',
            message:
              `${nameOf(sample)}: a mask of ${figure(tail.maskLength)} over a re-rendered context of ${figure(context)} ` +
              `tokens; prompt and response overlap in ${figure(Math.max(shared, 0))} tokens, and the mask is shifted by ` +
              figure(tail.maskLength - context),
            tokens: [0, Math.max(shared, 0)],
            ...place,
          },
        ];
      }
      const moved = proper.promptIds.length - tail.promptIds.length;
      if (moved <= 0) return [];
      const from = tail.promptIds.length;
      return [
        {
          message:
            `${nameOf(sample)}: the response starts ${figure(moved)} tokens inside the prompt, at token ${figure(from)} ` +
            `(${shown(episode, tail.responseIds)}) instead of ${figure(proper.promptIds.length)} ` +
            `(${proper.responseIds.length === 0 ? 'its end' : shown(episode, proper.responseIds)})`,
          tokens: [from, proper.promptIds.length],
          ...place,
        },
      ];
    });
  },
};

export const maskRules: readonly Rule[] = [
  maskLength,
  maskOutsideTurn,
  trainsNothing,
  turnUntrained,
  turnTrainedTwice,
  turnBoundaries,
  tailMisaligned,
];

function tracksOf(episode: Episode): { sample: Sample; tokens: TokenTrack }[] {
  return (episode.samples ?? []).flatMap((sample) =>
    sample.tokens === undefined ? [] : [{ sample, tokens: sample.tokens }],
  );
}

/** For every emitted turn, the recorded samples in which one of its tokens is under a 1. */
function turnsTrained(episode: Episode): { step: number; length: number; samples: number[] }[] {
  const lengths = new Map<number, number>();
  const trainedIn = new Map<number, number[]>();
  for (const { sample, tokens } of tracksOf(episode)) {
    // Turns are counted from the start of the episode where there is one for every step, else from the sample's own.
    const first = tokens.turns.length === sample.lastStep + 1 ? 0 : sample.firstStep;
    let next = 0;
    for (const [index, [start, end]] of tokens.turns.entries()) {
      const step = first + index;
      if (end <= start || step >= episode.steps.length) continue;
      lengths.set(step, end - start);
      while ((tokens.trained[next]?.[1] ?? Infinity) <= start) next += 1;
      const ones = tokens.trained[next];
      const isTrained =
        ones !== undefined && Math.max(ones[0], start) < Math.min(ones[1], end, tokens.responseIds.length);
      if (isTrained) trainedIn.set(step, [...(trainedIn.get(step) ?? []), sample.index]);
    }
  }
  return [...lengths]
    .toSorted(([a], [b]) => a - b)
    .map(([step, length]) => ({ step, length, samples: trainedIn.get(step) ?? [] }));
}

function isSlicedAs(recorded: TokenTrack, tail: TokenTrack): boolean {
  return (
    recorded.promptIds.length === tail.promptIds.length &&
    recorded.responseIds.length === tail.responseIds.length &&
    recorded.maskLength === tail.maskLength
  );
}

/** A few tokens as a person can read them: their text where ids are characters, else the ids. */
function shown(episode: Episode, ids: Int32Array): string {
  const text = episode.tokenIds === 'characters' ? textOfIds(ids.subarray(0, 16)) : undefined;
  return text === undefined ? `ids ${ids.subarray(0, 4).join(' ')} …` : `“${excerpt(text, 16)}”`;
}

function placeOf(episode: Episode, { index, firstStep, lastStep }: Sample): Pick<Place, 'step' | 'sample'> {
  const step = Math.min(Math.max(lastStep, firstStep), episode.steps.length - 1);
  return { ...(step < 0 ? {} : { step }), sample: index };
}

/** `Sample 1 (final)` */
function nameOf({ index, kind }: Sample): string {
  return `Sample ${index} (${kind})`;
}

function figure(count: number): string {
  return count.toLocaleString('en');
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
