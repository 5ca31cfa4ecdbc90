import type { Episode, Message, Sample, Span, StatelmTraits, TokenTrack } from '../episode';
import { callPart, episodeOf, messageOf } from '../episode.fixtures';
import { question } from './lint.fixtures';

/** A delete call at a step (assistant `id`) and what it was answered (tool message `id + 1`). */
export function deleteTurn(step: number, id: number, args: string, answer: string): Message[] {
  return [
    messageOf(id, 'policy', { bornAtStep: step, parts: [callPart(`d${step}`, 'deleteContext', args)] }),
    messageOf(id + 1, 'environment', {
      bornAtStep: step,
      toolResultFor: [`d${step}`],
      toolName: 'deleteContext',
      invokedBy: id,
      parts: [{ kind: 'text', text: answer }],
    }),
  ];
}

export const deletedOne = 'Successfully deleted 1 message(s) from context.';

/** A question and these messages, made by a StateLM loop. */
export function statelm(
  messages: Message[],
  traits: Partial<StatelmTraits> = {},
  given: Partial<Episode> = {},
): Episode {
  return episodeOf({ messages: [question, ...messages], statelm: { dialect: 'rl', ...traits }, ...given });
}

export function track(
  prompt: number,
  response: number,
  trained: Span[],
  given: Partial<TokenTrack> = {},
): TokenTrack {
  return {
    promptIds: new Int32Array(prompt).fill(1),
    responseIds: new Int32Array(response).fill(2),
    maskLength: response,
    trained,
    turns: trained,
    ...given,
  };
}

export function sampleOf(tokens: TokenTrack, given: Partial<Sample> = {}): Sample {
  return { kind: 'final', index: 0, firstStep: 0, lastStep: 1, tokens, ...given };
}

/** Two steps that emitted something, and the samples recorded of them. */
export function trained(samples: Sample[], given: Partial<Episode> = {}): Episode {
  const messages = [
    question,
    messageOf(1, 'policy', { bornAtStep: 0 }),
    messageOf(2, 'policy', { bornAtStep: 1 }),
  ];
  return episodeOf({ messages, samples, ...given });
}
