import type { Episode, StepTokens } from './episode';
import { historyOf } from './history';
import { firstBreak } from './statelm/tokens';
import { viewAt } from './view';

/** A call whose prompt does not go on where the call before it ended. */
export interface PromptBreak {
  step: number;
  /** The first token that differs, counted from the start of the prompt. */
  at: number;
  /** What stood there: the context of the call before, prompt and emission; undefined past its end. */
  was: number | undefined;
  /** What stands there; undefined where the prompt is shorter. */
  is: number | undefined;
  /** An edit between the two calls explains it. */
  edited: boolean;
}

/** Every break, by ascending step. None is found where the source has no prompt tokens. */
export function promptBreaks(episode: Episode): PromptBreak[] {
  return episode.steps.flatMap(({ index, tokens }) => {
    const before = episode.steps[index - 1]?.tokens;
    if (before === undefined || tokens === undefined || !continues(episode, index)) return [];
    const at = firstBreak(before, tokens);
    if (at === undefined) return [];
    return [
      {
        step: index,
        at,
        was: contextAt(before, at),
        is: tokens.promptIds[at],
        edited: episode.edits.some((edit) => edit.step === index - 1),
      },
    ];
  });
}

/** Where a history branches, the call before need not be the one that this one goes on from. */
function continues(episode: Episode, step: number): boolean {
  if (!historyOf(episode).branches) return true;
  return viewAt(episode, step).some(
    ({ message }) => message.origin === 'policy' && message.bornAtStep === step - 1,
  );
}

function contextAt({ promptIds, generationIds }: StepTokens, at: number): number | undefined {
  return promptIds[at] ?? generationIds[at - promptIds.length];
}

/** Tokens on both sides of a break, to be read beside each other. */
export interface BreakAround {
  /** Shared by both, up to the break. */
  lead: Int32Array;
  /** From the break on, in the context of the call before. */
  was: Int32Array;
  /** From the break on, in the prompt. */
  is: Int32Array;
}

export function aroundBreak(episode: Episode, { step, at }: PromptBreak, most = 24): BreakAround {
  const before = episode.steps[step - 1]?.tokens;
  const prompt = episode.steps[step]?.tokens?.promptIds ?? new Int32Array();
  const was = Int32Array.from(
    { length: Math.min(most, Math.max(lengthOf(before) - at, 0)) },
    (_, index) => (before === undefined ? undefined : contextAt(before, at + index)) ?? -1,
  );
  return { lead: prompt.slice(Math.max(at - most, 0), at), was, is: prompt.slice(at, at + most) };
}

function lengthOf(tokens: StepTokens | undefined): number {
  return tokens === undefined ? 0 : tokens.promptIds.length + tokens.generationIds.length;
}
