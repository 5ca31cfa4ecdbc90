/** The beginning of an episode, played again: its emissions, the results its policy read, and what a person had changed. */
import type { Emission, Loop, Policy, StartedEvent } from '../agent';
import { broughtBy, messageText, toolCallsOf, type Episode, type SessionState } from '../model';
import { asItStands } from './breakpoints';
import { callsAt } from './replay';

export interface Prefix {
  readonly episode: Episode;
  /** The last step to be played again; -1 for none. */
  readonly step: number;
  /** How the new episode names where it comes from. */
  readonly fork?: StartedEvent['fork'];
}

/** What an episode's policy emitted at a step. */
export function emissionAt(episode: Episode, step: number): Emission {
  const { emitted } = broughtBy(episode, step);
  const parts = emitted.flatMap((message) => message.parts);
  const joined = (kind: 'text' | 'reasoning'): string =>
    parts.flatMap((part) => (part.kind === kind && 'text' in part ? [part.text] : [])).join('\n');
  const reasoning = joined('reasoning');
  return {
    text: joined('text'),
    toolCalls: emitted.flatMap(toolCallsOf),
    ...(reasoning === '' ? {} : { reasoning }),
  };
}

/** Emits what the episode's policy did up to the step, and then asks another. */
export function prefixPolicy({ episode, step: last }: Prefix, then: Policy): Policy {
  return {
    name: then.name,
    emit: async (request) => (request.step <= last ? emissionAt(episode, request.step) : then.emit(request)),
  };
}

/**
 * Results of the last calls that came out otherwise than in the episode, by position: its policy went on from what it
 * read, whether or not the server says it again.
 */
export function prefixResults({ episode, step: last }: Prefix, loop: Loop): Map<number, string> {
  const changed = new Map<number, string>();
  const event = loop.log.at(-1);
  if (event?.type !== 'answered' || loop.step - 1 > last) return changed;
  const recorded = new Map(callsAt(episode, loop.step - 1).map((made) => [made.call.callId, made.recorded]));
  event.messages.forEach((message, position) => {
    const was = recorded.get(message.toolResultFor?.[0] ?? '');
    if (was !== undefined && was !== messageText(message)) changed.set(position, was);
  });
  return changed;
}

/** States that a person set by hand after the step that has just ended. */
export function prefixEdits({ episode, step: last }: Prefix, loop: Loop): SessionState[] {
  const event = loop.log.at(-1);
  const ended = event === undefined ? undefined : asItStands(event);
  if (ended?.type !== 'seeded' && ended?.type !== 'answered') return [];
  const step = ended.type === 'seeded' ? -1 : loop.step - 1;
  return step > last
    ? []
    : (episode.states ?? []).filter((state) => state.edited === true && state.step === step);
}
