import {
  arrayAt,
  at,
  contextIds,
  firstBreak,
  numberAt,
  spansOfMask,
  type Sample,
  type Span,
  type StepTokens,
} from '../../model';
import { tokenIds, tokenMask, tokenNumbers } from '../token-lists';

/**
 * The `trajectory` of a results row, which environments save on demand: one entry per model call, e.g.
 *
 *     {
 *       prompt: Message[], completion: Message[],
 *       tokens: { prompt_ids, prompt_mask, completion_ids, completion_mask, completion_logprobs } | null,
 *       reward: null, advantage: 0.7, is_truncated: false, ...
 *     }
 */

/** `broken`: there is something, and it is not token ids. */
export function stepTokens(entry: unknown): StepTokens | 'none' | 'broken' {
  const tokens = at(entry, 'tokens');
  if (tokens === null || tokens === undefined) return 'none';
  const promptIds = tokenIds(at(tokens, 'prompt_ids'));
  const generationIds = tokenIds(at(tokens, 'completion_ids'));
  if (promptIds === undefined || generationIds === undefined) return 'broken';
  const logprobs = tokenNumbers(at(tokens, 'completion_logprobs'));
  return { promptIds, generationIds, ...(logprobs === undefined ? {} : { logprobs }) };
}

/** A step as far as samples are made of it. */
export interface TrainedStep {
  tokens: StepTokens;
  /** Of the emission. */
  mask: Uint8Array;
  reward?: number;
  advantage?: number;
}

export function trainedStep(entry: unknown, tokens: StepTokens): TrainedStep | undefined {
  const mask = tokenMask(arrayAt(at(entry, 'tokens'), 'completion_mask'));
  if (mask === undefined) return undefined;
  const [reward, advantage] = [numberAt(entry, 'reward'), numberAt(entry, 'advantage')];
  return {
    tokens,
    mask,
    ...(reward === undefined ? {} : { reward }),
    ...(advantage === undefined ? {} : { advantage }),
  };
}

/**
 * Training samples as the trainer joins them: steps whose prompt goes on where the step before them ended are one
 * sample. The steps' own ids are replaced by parts of their sample's, so that they are in memory once.
 */
export function samplesFrom(steps: readonly TrainedStep[]): Sample[] {
  const runs: TrainedStep[][] = [];
  for (const step of steps) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run === undefined || before === undefined || firstBreak(before.tokens, step.tokens) !== undefined) {
      runs.push([step]);
    } else run.push(step);
  }
  let firstStep = 0;
  return runs.map((run, index) => {
    const sample = sampleFrom(run, index, firstStep, index === runs.length - 1);
    firstStep += run.length;
    return sample;
  });
}

function sampleFrom(run: readonly TrainedStep[], index: number, firstStep: number, isLast: boolean): Sample {
  const promptLength = run[0]?.tokens.promptIds.length ?? 0;
  const last = run.at(-1);
  const context = last === undefined ? new Int32Array() : contextIds(last.tokens);
  const length = context.length - promptLength;
  const turns: Span[] = [];
  const mask = new Uint8Array(length);
  const logprobs = new Float32Array(length).fill(NaN);
  const advantages = new Float32Array(length).fill(NaN);
  for (const { tokens, mask: own, advantage } of run) {
    const prompt = tokens.promptIds.length;
    const [start, end] = [prompt - promptLength, prompt - promptLength + tokens.generationIds.length];
    turns.push([start, end]);
    mask.set(own.subarray(0, end - start), start);
    logprobs.set((tokens.logprobs ?? new Float32Array()).subarray(0, end - start), start);
    if (advantage !== undefined) advantages.fill(advantage, start, end);
    tokens.promptIds = context.subarray(0, prompt);
    tokens.generationIds = context.subarray(prompt, prompt + end - start);
  }
  const rewards = run.flatMap(({ reward }) => reward ?? []);
  return {
    kind: isLast ? 'final' : 'snapshot',
    index,
    firstStep,
    lastStep: firstStep + run.length - 1,
    tokens: {
      promptIds: context.subarray(0, promptLength),
      responseIds: context.subarray(promptLength),
      maskLength: length,
      trained: spansOfMask(mask),
      turns,
      ...(run.some(({ tokens }) => tokens.logprobs !== undefined) ? { logprobs } : {}),
      ...(run.some(({ advantage }) => advantage !== undefined) ? { values: { advantage: advantages } } : {}),
    },
    ...(rewards.length === run.length ? { turnScores: rewards } : {}),
  };
}
