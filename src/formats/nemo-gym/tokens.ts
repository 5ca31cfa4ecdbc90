import { arrayAt, type StepTokens } from '../../model';

/**
 * Token ids stand on the last item of each model turn: `prompt_token_ids` (the whole prompt of that turn),
 * `generation_token_ids` and `generation_log_probs`. Some agents write the keys with empty lists.
 */
export function tokensOf(item: unknown): StepTokens | undefined {
  if (tokenState(item) !== 'readable') return undefined;
  const promptIds = Int32Array.from(arrayAt(item, 'prompt_token_ids') ?? [], Number);
  const generationIds = Int32Array.from(arrayAt(item, 'generation_token_ids') ?? [], Number);
  const logprobs = arrayAt(item, 'generation_log_probs');
  if (logprobs === undefined) return { promptIds, generationIds };
  // A NaN was written as null.
  const numbers = Float32Array.from(logprobs, (each) => (typeof each === 'number' ? each : NaN));
  return { promptIds, generationIds, logprobs: numbers };
}

/** `broken`: there is something, and it is not token ids. */
export function tokenState(item: unknown): 'none' | 'readable' | 'broken' {
  const prompt = arrayAt(item, 'prompt_token_ids') ?? [];
  const generation = arrayAt(item, 'generation_token_ids') ?? [];
  if (prompt.length === 0 && generation.length === 0) return 'none';
  return prompt.every(isTokenId) && generation.every(isTokenId) ? 'readable' : 'broken';
}

function isTokenId(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value === (value | 0);
}
