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

/**
 * How long the context is: what was rendered last, and what was appended since. Follows a log as it grows, each event once;
 * only an amendment goes over it again.
 */
export class ContextLength {
  #tokens = 0;
  #seen = 0;

  after(log: readonly LoopEvent[]): number {
    if (log.length < this.#seen || log.slice(this.#seen).some(({ type }) => type === 'amended')) {
      this.#seen = 0;
      this.#tokens = 0;
    }
    const amended = new Map<number, LoopEvent>();
    if (this.#seen === 0) {
      for (const event of log) if (event.type === 'amended') amended.set(event.replaces, event.by);
    }
    for (; this.#seen < log.length; this.#seen++) this.#add(amended.get(this.#seen) ?? log[this.#seen]);
    return this.#tokens;
  }

  #add(event: LoopEvent | undefined): void {
    if (event === undefined || !('ids' in event)) return;
    if (event.type === 'rendered') this.#tokens = event.keeps;
    this.#tokens += event.ids?.length ?? 0;
  }
}
