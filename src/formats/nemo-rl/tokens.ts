import { spansOfMask, type Sample, type Span, type StepTokens, type TokenTrack } from '../../model';
import { tokenIds, tokenMask, tokenNumbers } from '../token-lists';

/** The token sequence of a row, its padding cut off. */
export interface RowTokens {
  ids: Int32Array;
  mask: Uint8Array;
  /** Where the loss mask is 1: between two emissions there are always tokens of the template. */
  runs: Span[];
  logprobs?: Float32Array;
  values: Record<string, Float32Array>;
}

const valueKeys: [key: string, name: string][] = [
  ['advantages', 'advantage'],
  ['prev_logprobs', 'prevLogprob'],
  ['reference_policy_logprobs', 'refLogprob'],
];

/** `broken`: there is something, and it is not token ids with a mask. `field` gives what stands under a key. */
export function rowTokens(field: (key: string) => unknown): RowTokens | 'none' | 'broken' {
  if (field('token_ids') === undefined) return 'none';
  const ids = tokenIds(field('token_ids'));
  const mask = tokenMask(field('token_loss_mask'));
  if (ids === undefined || mask === undefined) return 'broken';
  const recorded = field('input_lengths');
  const isShorter = Number.isSafeInteger(recorded) && Number(recorded) > 0 && Number(recorded) < ids.length;
  const length = isShorter ? Number(recorded) : ids.length;
  // Lists that do not go with the ids stay as long as they are: lint says it.
  const ownMask = mask.length === ids.length ? mask.subarray(0, length) : mask;
  const numbers = (key: string): Float32Array | undefined => {
    const list = tokenNumbers(field(key));
    return list?.length === ids.length ? list.subarray(0, length) : list;
  };
  const logprobs = numbers('generation_logprobs');
  const values: RowTokens['values'] = {};
  for (const [key, name] of valueKeys) {
    const list = numbers(key);
    if (list?.length === length) values[name] = list;
  }
  return {
    ids: ids.subarray(0, length),
    mask: ownMask,
    runs: spansOfMask(ownMask),
    ...(logprobs === undefined ? {} : { logprobs }),
    values,
  };
}

/** Of the run's model call: the prompt is all that came before. */
export function runTokens({ ids, logprobs }: RowTokens, [start, end]: Span): StepTokens {
  return {
    promptIds: ids.subarray(0, start),
    generationIds: ids.subarray(start, end),
    ...(logprobs === undefined ? {} : { logprobs: logprobs.subarray(start, end) }),
  };
}

/** A row is one sample; its response starts at the first token under a 1. */
export function sampleFrom({ ids, mask, runs, logprobs, values }: RowTokens, steps: number): Sample {
  const prompt = runs[0]?.[0] ?? 0;
  const tokens: TokenTrack = {
    promptIds: ids.subarray(0, prompt),
    responseIds: ids.subarray(prompt),
    maskLength: Math.max(mask.length - prompt, 0),
    trained: runs.map(([start, end]) => [start - prompt, end - prompt]),
    turns: runs.map(([start, end]) => [start - prompt, end - prompt]),
    ...(logprobs === undefined ? {} : { logprobs: logprobs.subarray(prompt) }),
    values: Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.subarray(prompt)])),
  };
  return { kind: 'final', index: 0, firstStep: 0, lastStep: steps - 1, tokens };
}
