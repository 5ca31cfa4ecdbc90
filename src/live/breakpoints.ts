/** Where a run pauses by itself. */
import type { LoopEvent } from '../agent';
import {
  lintEpisode,
  messageText,
  sameValue,
  stateChanges,
  toolCallsOf,
  valueAtPointer,
  type Episode,
  type Finding,
  type SessionState,
} from '../model';
import { objectFrom } from './json';
import { parsePredicate, type Predicate } from './predicate';

export type Breakpoint = { readonly id: string; readonly enabled?: boolean } & (
  | { readonly kind: 'tool'; readonly name: string }
  /** The value at a JSON pointer changes; the empty one is the whole state. */
  | { readonly kind: 'state'; readonly pointer: string }
  /** Becomes true: `/count > 3`, see `predicate.ts`. */
  | { readonly kind: 'condition'; readonly text: string }
  | { readonly kind: 'delete' }
  /** Lint has something new to say. */
  | { readonly kind: 'finding' }
  /** The context reaches so many tokens. */
  | { readonly kind: 'budget'; readonly tokens: number }
  /** A result is an error, a request is refused, or nothing comes at all. */
  | { readonly kind: 'error' }
);

export interface BreakpointHit {
  readonly breakpoint: Breakpoint;
  readonly step: number;
  /** A sentence: `/count changed from 3 to 5.` */
  readonly reason: string;
}

/** What a transition did, as far as breakpoints look at it. */
export interface Moment {
  readonly events: readonly LoopEvent[];
  readonly step: number;
  /** Made when it is asked for. */
  readonly episode: () => Episode;
  /** The context's tokens before and after. */
  readonly tokens: readonly [before: number, after: number];
  /** The state before. */
  readonly stateBefore: SessionState | undefined;
}

export class Breakpoints {
  #list: readonly Breakpoint[] = [];
  readonly #predicates = new Map<string, Predicate>();
  #findings: ReadonlySet<string> = new Set();

  get list(): readonly Breakpoint[] {
    return this.#list;
  }

  /** Throws a `PredicateError` where a condition cannot be read; then the old ones stay. */
  set(list: readonly Breakpoint[]): void {
    for (const breakpoint of list) {
      if (breakpoint.kind === 'condition')
        this.#predicates.set(breakpoint.text, parsePredicate(breakpoint.text));
    }
    this.#list = list;
  }

  /** The first that this moment is one for. */
  check(moment: Moment): BreakpointHit | undefined {
    let hit: BreakpointHit | undefined;
    for (const breakpoint of this.#list) {
      if (breakpoint.enabled === false) continue;
      const reason = this.#reason(breakpoint, moment);
      if (reason !== undefined) hit ??= { breakpoint, step: moment.step, reason };
    }
    return hit;
  }

  #reason(breakpoint: Breakpoint, moment: Moment): string | undefined {
    switch (breakpoint.kind) {
      case 'tool':
        return called(moment, breakpoint.name);
      case 'delete':
        return deleted(moment);
      case 'state':
        return changed(moment, breakpoint.pointer);
      case 'condition':
        return this.#became(moment, breakpoint.text);
      case 'finding':
        return this.#found(moment);
      case 'budget':
        return moment.tokens[0] < breakpoint.tokens && moment.tokens[1] >= breakpoint.tokens
          ? `The context has ${moment.tokens[1]} tokens.`
          : undefined;
      case 'error':
        return failed(moment);
    }
  }

  #became({ events, stateBefore }: Moment, text: string): string | undefined {
    const holds = this.#predicates.get(text);
    if (holds === undefined) return undefined;
    let before = holds(stateBefore?.value);
    for (const state of statesIn(events)) {
      const now = holds(state.value);
      if (now && !before) return `${text} is true now.`;
      before = now;
    }
    return undefined;
  }

  /** A step that is not finished looks wrong in ways that it is not: its calls have no results yet. */
  #found({ events, episode }: Moment): string | undefined {
    if (!events.some(({ type }) => type === 'answered' || type === 'verified' || type === 'ended'))
      return undefined;
    const findings = lintEpisode(episode());
    const fresh = findings.find((finding) => !this.#findings.has(keyOf(finding)));
    this.#findings = new Set(findings.map(keyOf));
    return fresh === undefined ? undefined : `Lint: ${fresh.message}`;
  }
}

function keyOf({ rule, step, msgId, message }: Finding): string {
  return JSON.stringify([rule, step, msgId, message]);
}

function statesIn(events: readonly LoopEvent[]): SessionState[] {
  return events.flatMap((event) => ('states' in event ? (event.states ?? []) : []));
}

function called({ events }: Moment, name: string): string | undefined {
  for (const event of events) {
    if (event.type !== 'emitted') continue;
    if (toolCallsOf(event.message).some((call) => call.name === name))
      return `${name} is about to be called.`;
  }
  return undefined;
}

function deleted({ events }: Moment): string | undefined {
  for (const event of events) {
    if (event.type !== 'answered' || event.edit === undefined) continue;
    const { length } = event.edit.msgIds;
    return `${length} ${length === 1 ? 'message was' : 'messages were'} deleted from the context.`;
  }
  return undefined;
}

function changed({ events, stateBefore }: Moment, place: string): string | undefined {
  let before = valueAtPointer(stateBefore?.value, place);
  for (const { value } of statesIn(events)) {
    const after = valueAtPointer(value, place);
    if (!sameValue(before, after)) {
      const [first] = stateChanges(before, after);
      const where = `${place}${first?.pointer ?? ''}` || 'The state';
      return first?.kind === 'changed' && !isLarge(first.before) && !isLarge(first.after)
        ? `${where} changed from ${JSON.stringify(first.before)} to ${JSON.stringify(first.after)}.`
        : `${where} ${first?.kind === 'changed' ? 'changed' : `was ${first?.kind ?? 'changed'}`}.`;
    }
    before = after;
  }
  return undefined;
}

function isLarge(value: unknown): boolean {
  return typeof value === 'object' ? value !== null : typeof value === 'string' && value.length > 60;
}

function failed({ events }: Moment): string | undefined {
  for (const event of events) {
    const refused =
      'exchanges' in event
        ? event.exchanges?.find(({ response }) => (response?.status ?? 0) >= 400)
        : undefined;
    if (refused !== undefined) {
      return `The server answered ${refused.response?.status ?? 0} to ${refused.request.url.split('/').at(-1) ?? ''}.`;
    }
    if (event.type === 'answered') {
      const wrong = event.messages.find(
        (message) => objectFrom(messageText(message))?.['error'] !== undefined,
      );
      if (wrong !== undefined) return `${wrong.toolName ?? 'A tool'} answered with an error.`;
    }
    if (event.type === 'verified' && event.error !== undefined) return event.error;
    const end = 'end' in event ? event.end : undefined;
    if (end?.error !== undefined) return end.error;
  }
  return undefined;
}
