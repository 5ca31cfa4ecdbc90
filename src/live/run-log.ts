/** What a run's log says about where it stands. */
import type { Ending, LoopEvent, TransitionEvent } from '../agent';
import type { Episode } from '../model';

/** What an event says: an amendment stands for what it replaced. */
export function asItStands(event: LoopEvent): TransitionEvent | undefined {
  if (event.type === 'observed') return undefined;
  return event.type === 'amended' ? event.by : event;
}

/** How it ended, where it has. A verifier that did not answer counts as an end that failed. */
export function endOf(log: readonly LoopEvent[]): Ending | undefined {
  const verified = log.findLast((event) => event.type === 'verified');
  if (verified?.error !== undefined && verified.reward === undefined) {
    return { termination: 'environment_error', error: verified.error };
  }
  return lastEnd(log);
}

function lastEnd(log: readonly LoopEvent[]): Ending | undefined {
  for (let index = log.length - 1; index >= 0; index--) {
    const event = log[index];
    const stands = event === undefined ? undefined : asItStands(event);
    if (stands !== undefined) return stands.end;
  }
  return undefined;
}

/** The log up to the transition that failed, or was stopped; all of it where none was. */
export function beforeEnd(log: readonly LoopEvent[]): LoopEvent[] {
  const broken = log.findIndex((event) => {
    const stands = asItStands(event);
    if (stands?.type === 'verified') return stands.error !== undefined && stands.reward === undefined;
    return (
      stands?.end !== undefined && (stands.end.error !== undefined || stands.end.termination === 'stopped')
    );
  });
  return broken < 0 ? [...log] : log.slice(0, broken);
}

/** All requests and states of a log, as the episode has them. */
export function trafficIn(log: readonly LoopEvent[]): Pick<Required<Episode>, 'exchanges' | 'states'> {
  return {
    exchanges: log.flatMap((event) => ('exchanges' in event ? (event.exchanges ?? []) : [])),
    states: log.flatMap((event) => ('states' in event ? (event.states ?? []) : [])),
  };
}

/** How long the context is: what was rendered last, and what was appended since. */
export function contextTokens(log: readonly LoopEvent[]): number {
  const amended = new Map<number, TransitionEvent>();
  let tokens = 0;
  for (let index = log.length - 1; index >= 0; index--) {
    const event = log[index];
    if (event === undefined || event.type === 'observed') continue;
    if (event.type === 'amended') {
      // The last one holds.
      if (!amended.has(event.replaces)) amended.set(event.replaces, event.by);
      continue;
    }
    const stands = amended.get(index) ?? event;
    if (!('ids' in stands)) continue;
    tokens += stands.ids?.length ?? 0;
    if (stands.type === 'rendered') return tokens + stands.keeps;
  }
  return tokens;
}
