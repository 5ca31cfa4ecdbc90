import { broughtBy, toolCallsOf, type Episode, type Message } from '../../model';
import { PolicyError, type Emission, type Policy } from '../policy';

/**
 * Emits what an episode's policy emitted, step by step. `tokens`: with the token ids that were recorded, for runs with the
 * same tokenizer.
 */
export function recordedPolicy(
  episode: Episode,
  { tokens = false, name = 'recorded' }: { tokens?: boolean; name?: string } = {},
): Policy {
  return {
    name,
    emit: ({ step, onDelta }) => {
      const emission = recordedEmission(episode, step, tokens);
      if (emission === undefined) {
        return Promise.reject(
          new PolicyError(
            `The recorded episode has ${episode.steps.length} steps, and this would be number ${step + 1}.`,
          ),
        );
      }
      if (emission.text !== '') onDelta?.(emission.text);
      return Promise.resolve(emission);
    },
  };
}

export function recordedEmission(episode: Episode, step: number, tokens: boolean): Emission | undefined {
  const recorded = episode.steps[step];
  if (recorded === undefined) return undefined;
  const { emitted } = broughtBy(episode, step);
  const reasoning = textIn(emitted, 'reasoning', '\n');
  const { generationIds, logprobs } = recorded.tokens ?? {};
  return {
    text: textIn(emitted, 'text', '\n'),
    toolCalls: emitted.flatMap((message) => toolCallsOf(message)),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(tokens && generationIds !== undefined ? { tokenIds: [...generationIds] } : {}),
    ...(tokens && logprobs !== undefined ? { logprobs: [...logprobs] } : {}),
  };
}

function textIn(messages: readonly Message[], kind: 'text' | 'reasoning', between: string): string {
  return messages
    .flatMap(({ parts }) => parts.flatMap((part) => (part.kind === kind ? [part.text] : [])))
    .join(between);
}
