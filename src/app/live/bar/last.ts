import { recordedEmission, type Emission } from '../../../agent';
import type { RunSnapshot } from '../../../live';
import { broughtBy, messageText } from '../../../model';

/** The last emission of a run, as it can be edited. */
export function emissionIn({ episode }: Pick<RunSnapshot, 'episode'>): Emission {
  return recordedEmission(episode, episode.steps.length - 1, false) ?? { text: '', toolCalls: [] };
}

/** The results of the last calls, in their order. */
export function resultsIn({ episode }: Pick<RunSnapshot, 'episode'>): { name: string; text: string }[] {
  return broughtBy(episode, episode.steps.length - 1).answered.map((message) => ({
    name: message.toolName ?? 'result',
    text: messageText(message),
  }));
}
