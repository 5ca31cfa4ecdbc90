import { arrayAt, at, type StepTokens } from '../../model';
import { tokenIds } from '../token-lists';
import { floatsFrom, spansFrom } from './tokens';

/**
 * The tokens of every emission. The source has each prompt in full (`emission_views`) but no emissions: they stand in
 * the context of the snapshot that followed, or of the end, behind their prompt. Between two renders one context holds
 * all prompts, so these share its memory.
 */
export function stepTokens(value: unknown): (StepTokens | undefined)[] {
  const views = arrayAt(value, 'emission_views') ?? [];
  const turns = spansFrom(at(value, 'assistant_turn_boundaries')) ?? [];
  const logprobs = floatsFrom(at(value, 'response_logprobs'));
  const moments = [...(arrayAt(value, 'trajectory_snapshots') ?? []), value].map((moment) => ({
    views: arrayAt(moment, 'emission_views')?.length ?? 0,
    context: tokenIds(at(moment, 'prompt_ids')),
  }));
  return views.map((view, step) => {
    const prompt = tokenIds(view);
    const turn = turns[step];
    const context = moments.find((moment) => moment.views > step)?.context;
    if (prompt === undefined || turn === undefined || context === undefined) return undefined;
    const [start, end] = turn;
    const generationIds = context.subarray(prompt.length, prompt.length + Math.max(end - start, 0));
    if (generationIds.length !== end - start) return undefined;
    const spoken =
      logprobs !== undefined && start >= 0 && end <= logprobs.length
        ? logprobs.subarray(start, end)
        : undefined;
    return {
      promptIds: startsWith(context, prompt) ? context.subarray(0, prompt.length) : prompt,
      generationIds,
      ...(spoken === undefined ? {} : { logprobs: spoken }),
    };
  });
}

function startsWith(ids: Int32Array, beginning: Int32Array): boolean {
  return beginning.every((id, index) => ids[index] === id);
}
