import { isRefused } from '../deletion-quality';
import type { Episode } from '../episode';
import { renderedAt } from '../statelm/render';
import type { Place, Rule } from './finding';

/** The context against its limit, `max_model_length`. Silent where the limit or the tokens are not recorded. */

const overLimit: Rule = {
  id: 'emission-over-limit',
  severity: 'error',
  explanation:
    'Prompt and emission of a call are together longer than max_model_length, and the episode went on. The loop looks at the ' +
    'length only when it renders the context anew; between two renders it grows unchecked. What the model emitted past its ' +
    'limit was made without the positions it was trained on, or was cut off by the server.',
  check(episode) {
    const limit = episode.limits?.maxModelLength;
    if (limit === undefined) return [];
    const last = episode.steps.length - 1;
    return episode.steps.flatMap(({ index, tokens, unfinished }): Place[] => {
      if (tokens === undefined) return [];
      const length = tokens.promptIds.length + tokens.generationIds.length;
      const ended = index === last && (unfinished !== undefined || isRefused(episode));
      if (length <= limit || ended) return [];
      return [
        {
          message:
            `Prompt and emission are ${figure(length)} tokens, ${figure(length - limit)} more than max_model_length ` +
            `(${figure(limit)}), and the episode was not ended`,
          step: index,
          tokens: [Math.min(limit, length - 1), length],
        },
      ];
    });
  },
};

const penaltyWithoutOverflow: Rule = {
  id: 'penalty-without-overflow',
  severity: 'error',
  explanation:
    'The loop ended the episode and took points off for a context that did not fit, and the context it had fits, with room ' +
    'for a whole response. The policy is punished for nothing: look whether loop and record mean the same max_model_length ' +
    'and response_length.',
  check(episode) {
    const { maxModelLength, responseLength } = episode.limits ?? {};
    const final = episode.statelm?.finalIds;
    if (maxModelLength === undefined || responseLength === undefined || final === undefined) return [];
    if (!isRefused(episode) && penaltyOf(episode) === 0) return [];
    if (final.length + responseLength > maxModelLength) return [];
    return [
      {
        message:
          `A penalty for ${figure(final.length)} tokens and a response of ${figure(responseLength)}, which are within ` +
          `max_model_length (${figure(maxModelLength)})`,
        ...lastStep(episode),
      },
    ];
  },
};

const overflowWithoutPenalty: Rule = {
  id: 'overflow-without-penalty',
  severity: 'warning',
  explanation:
    'The context left no room for a response of response_length within max_model_length, and no penalty was recorded: either ' +
    'the loop called the model all the same after a render that should have ended the episode, or it ended the episode and ' +
    'forgot the penalty. A policy that is not told never learns to delete in time.',
  check(episode) {
    const places: Place[] = [];
    const { maxModelLength, responseLength } = episode.limits ?? {};
    if (maxModelLength !== undefined && responseLength !== undefined && episode.statelm?.dialect === 'rl') {
      for (const { index, tokens } of episode.steps) {
        if (tokens === undefined || renderedAt(episode, index) !== index) continue;
        const wanted = tokens.promptIds.length + responseLength;
        if (wanted <= maxModelLength) continue;
        places.push({
          message:
            `A rendered prompt of ${figure(tokens.promptIds.length)} tokens leaves no room for a response of ` +
            `${figure(responseLength)} within ${figure(maxModelLength)}, and the model was called`,
          step: index,
        });
      }
    }
    if (isRefused(episode) && penaltyOf(episode) === 0) {
      places.push({ message: 'The context did not fit, and no penalty is recorded', ...lastStep(episode) });
    }
    return places;
  },
};

export const contextRules: readonly Rule[] = [overLimit, penaltyWithoutOverflow, overflowWithoutPenalty];

function penaltyOf({ metrics }: Episode): number {
  const penalty = metrics['early_stop_penalty'];
  return typeof penalty === 'number' ? penalty : 0;
}

function lastStep({ steps }: Episode): Pick<Place, 'step'> {
  return steps.length === 0 ? {} : { step: steps.length - 1 };
}

function figure(count: number): string {
  return count.toLocaleString('en');
}
