import type { StepTokens } from '../../model';
import { mostTokens } from './schema';

/** A prompt as what it repeats of the context before it, and what is new: a run is written in the size it grew to. */
export interface Growth {
  keeps: number;
  adds: Int32Array;
}

interface Grown {
  promptIds: Growth;
  generationIds: Int32Array;
  logprobs?: Float32Array;
}

/** Of the prompt of each step that has tokens, how much the context of the one before it already held. */
export function growths(steps: readonly StepTokens[]): Growth[] {
  let before: StepTokens | undefined;
  return steps.map((tokens) => {
    const keeps = before === undefined ? 0 : sharedLength(before, tokens.promptIds);
    before = tokens;
    return { keeps, adds: tokens.promptIds.subarray(keeps) };
  });
}

function sharedLength({ promptIds, generationIds }: StepTokens, prompt: Int32Array): number {
  let at = 0;
  while (at < promptIds.length && at < prompt.length && promptIds[at] === prompt[at]) at += 1;
  if (at < promptIds.length) return at;
  let emitted = 0;
  while (emitted < generationIds.length && generationIds[emitted] === prompt[at + emitted]) emitted += 1;
  return at + emitted;
}

/**
 * The tokens of each step again. As long as each context goes on where the one before it ended, all of them share the
 * memory of the last. Undefined where a prompt keeps more than there was, or all together are too many: a line of a few
 * bytes can keep a long prompt again and again.
 */
export function grown(steps: readonly Grown[]): StepTokens[] | undefined {
  const result: StepTokens[] = [];
  let last = new Int32Array();
  let run: Grown[] = [];
  let length = 0;
  let total = 0;
  for (const step of steps) {
    const { keeps, adds } = step.promptIds;
    if (keeps > length) return undefined;
    if (run.length > 0 && keeps < length) last = finish();
    if (run.length === 0) {
      length = keeps;
      total += keeps;
    }
    run.push(step);
    length += adds.length + step.generationIds.length;
    total += adds.length + step.generationIds.length;
    if (total > mostTokens) return undefined;
  }
  finish();
  return result;

  /** Lays out the contexts of a run, and gives the last. */
  function finish(): Int32Array<ArrayBuffer> {
    const context = new Int32Array(length);
    context.set(last.subarray(0, run[0]?.promptIds.keeps ?? 0));
    for (const { promptIds, generationIds, logprobs } of run) {
      const prompt = promptIds.keeps + promptIds.adds.length;
      const end = prompt + generationIds.length;
      context.set(promptIds.adds, promptIds.keeps);
      context.set(generationIds, prompt);
      result.push({
        promptIds: context.subarray(0, prompt),
        generationIds: context.subarray(prompt, end),
        ...(logprobs === undefined ? {} : { logprobs }),
      });
    }
    run = [];
    return context;
  }
}
