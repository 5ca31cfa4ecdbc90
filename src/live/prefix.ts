/** The beginning of an episode, played again: its emissions, the results its policy read, and what a person had changed. */
import {
  recordedEmission,
  recordedPolicy,
  type Emission,
  type Loop,
  type Policy,
  type StartedEvent,
} from '../agent';
import { messageText, type Episode, type SessionState } from '../model';
import { callsAt } from './replay';
import { asItStands } from './run-log';
import { isBetweenSteps, lastStep } from './standing';

export interface Prefix {
  readonly episode: Episode;
  /** The last step to be played again; -1 for none. */
  readonly step: number;
  /** How the new episode names where it comes from. */
  readonly fork?: StartedEvent['fork'];
}

/** What an episode's policy emitted at a step. */
export function emissionAt(episode: Episode, step: number): Emission {
  return recordedEmission(episode, step, false) ?? { text: '', toolCalls: [] };
}

/** Who emits at a step: the episode's own policy up to the last step that is played again, then another. */
export function prefixPolicy(
  prefix: Prefix | undefined,
  then: Policy,
  tokenizer: string,
  step: number,
): Policy {
  if (prefix === undefined || step > prefix.step) return then;
  const { episode } = prefix;
  return recordedPolicy(episode, { tokens: episode.metrics['tokenizer'] === tokenizer });
}

/** Plays the beginning, up to where the next step would begin. Rejects where it does not come that far. */
export async function playPrefix(
  prefix: Prefix,
  loop: Loop,
  signal: AbortSignal,
  setState: (value: unknown, step: number) => Promise<void>,
): Promise<void> {
  const isPlayed = (): boolean =>
    lastStep(loop) >= prefix.step && isBetweenSteps(loop) && loop.log.some(({ type }) => type === 'seeded');
  while (loop.state !== 'TERMINATED' && !isPlayed()) {
    await loop.advance({ signal });
    const results = prefixResults(prefix, loop);
    if (results.size > 0) loop.amend({ kind: 'results', texts: results });
    for (const { value, step } of prefixEdits(prefix, loop)) await setState(value, step);
  }
  if (lastStep(loop) >= prefix.step) return;
  const { error, termination } = loop.episode.outcome;
  const why = error ?? termination ?? 'it ended';
  throw new Error(`The beginning could not be played up to step ${prefix.step}: ${why}`);
}

/**
 * Results of the last calls that came out otherwise than in the episode, by position: its policy went on from what it
 * read, whether or not the server says it again.
 */
function prefixResults({ episode, step: last }: Prefix, loop: Loop): Map<number, string> {
  const changed = new Map<number, string>();
  const event = loop.log.at(-1);
  if (event?.type !== 'answered' || lastStep(loop) > last) return changed;
  const recorded = new Map(callsAt(episode, lastStep(loop)).map((made) => [made.call.callId, made.recorded]));
  event.messages.forEach((message, position) => {
    const was = recorded.get(message.toolResultFor?.[0] ?? '');
    if (was !== undefined && was !== messageText(message)) changed.set(position, was);
  });
  return changed;
}

/** States that a person set by hand after the step that has just ended. */
function prefixEdits({ episode, step: last }: Prefix, loop: Loop): SessionState[] {
  const event = loop.log.at(-1);
  const ended = event === undefined ? undefined : asItStands(event);
  if (ended?.type !== 'seeded' && ended?.type !== 'answered') return [];
  const step = ended.type === 'seeded' ? -1 : lastStep(loop);
  return step > last
    ? []
    : (episode.states ?? []).filter((state) => state.edited === true && state.step === step);
}
