import { arrayAt, at, type StepTokens } from '../../model';
import { tokenIds, tokenNumbers } from '../token-lists';

/**
 * Token ids stand on the last item of each model turn: `prompt_token_ids` (the whole prompt of that turn),
 * `generation_token_ids` and `generation_log_probs`. Some agents write the keys with empty lists.
 */
export function tokensOf(item: unknown): StepTokens | undefined {
  const ids = idsOf(item);
  if (ids === 'none' || ids === 'broken') return undefined;
  const logprobs = tokenNumbers(at(item, 'generation_log_probs'));
  return { ...ids, ...(logprobs === undefined ? {} : { logprobs }) };
}

/** `broken`: there is something, and it is not token ids. */
export function tokenState(item: unknown): 'none' | 'readable' | 'broken' {
  const ids = idsOf(item);
  return typeof ids === 'string' ? ids : 'readable';
}

function idsOf(item: unknown): Pick<StepTokens, 'promptIds' | 'generationIds'> | 'none' | 'broken' {
  const prompt = arrayAt(item, 'prompt_token_ids') ?? [];
  const generation = arrayAt(item, 'generation_token_ids') ?? [];
  if (prompt.length === 0 && generation.length === 0) return 'none';
  const [promptIds, generationIds] = [tokenIds(prompt), tokenIds(generation)];
  if (promptIds === undefined || generationIds === undefined) return 'broken';
  return promptIds.some(isNegative) || generationIds.some(isNegative)
    ? 'broken'
    : { promptIds, generationIds };
}

function isNegative(id: number): boolean {
  return id < 0;
}
