import type { Episode } from './episode';
import type { Exchange, SessionState } from './exchange';
import { isContainer, sameValue, valueAtPointer, ValueNumbers } from './json-value';
import { pointer } from './record';

/** The session's state after a step, -1 after seeding; undefined where nothing is known of it by then. */
export function stateAt(episode: Episode, step: number): SessionState | undefined {
  const states = episode.states ?? [];
  let low = 0;
  let high = states.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((states[middle]?.step ?? Infinity) <= step) low = middle + 1;
    else high = middle;
  }
  return states[low - 1];
}

export type StateChange =
  | { readonly kind: 'added'; readonly pointer: string; readonly after: unknown }
  | { readonly kind: 'removed'; readonly pointer: string; readonly before: unknown }
  | { readonly kind: 'changed'; readonly pointer: string; readonly before: unknown; readonly after: unknown };

/** Below this a difference is said of the container it lies in: the pointers themselves would fill the memory. */
const deepest = 500;

interface Pair {
  path: string;
  depth: number;
  before: unknown;
  after: unknown;
}

/**
 * What differs between two states, place by place, in the order of the keys. `undefined` is no state at all.
 *
 *     stateChanges({ count: 3, log: ['a', 'c'] }, { count: 5, log: ['a', 'b', 'c'] })
 *
 * is `/count` changed from 3 to 5, and `/log/1` added. Pointers are into `after`, those of what was removed into `before`.
 */
export function stateChanges(before: unknown, after: unknown): StateChange[] {
  const numbers = new ValueNumbers();
  const changes: StateChange[] = [];
  const open: Pair[] = [{ path: '', depth: 0, before, after }];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const { path, depth } = pair;
    if (pair.before === pair.after || numbers.numberOf(pair.before) === numbers.numberOf(pair.after))
      continue;
    if (pair.before === undefined) changes.push({ kind: 'added', pointer: path, after: pair.after });
    else if (pair.after === undefined) changes.push({ kind: 'removed', pointer: path, before: pair.before });
    else {
      const within = depth < deepest ? partsOf(pair, numbers) : undefined;
      if (within === undefined) {
        changes.push({ kind: 'changed', pointer: path, before: pair.before, after: pair.after });
        continue;
      }
      // Last in, first out: from the end, so that changes come in order.
      for (let index = within.length - 1; index >= 0; index--) {
        const part = within[index];
        if (part !== undefined) open.push(part);
      }
    }
  }
  return changes;
}

/** The parts of two containers of one kind that may differ. */
function partsOf({ path, depth, before, after }: Pair, numbers: ValueNumbers): Pair[] | undefined {
  const at = (key: string | number, was: unknown, now: unknown): Pair => ({
    path: path + pointer(key),
    depth: depth + 1,
    before: was,
    after: now,
  });
  if (Array.isArray(before) && Array.isArray(after)) return itemsOf(before, after, numbers, at);
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) || Array.isArray(after))
    return undefined;
  const ours = new Map<string, unknown>(Object.entries(before));
  const theirs = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...ours.keys(), ...theirs.keys()])].map((key) =>
    at(key, ours.get(key), theirs.get(key)),
  );
}

/** What both lists begin and end with is left out, so that one item put in or taken out is one change. */
function itemsOf(
  before: readonly unknown[],
  after: readonly unknown[],
  numbers: ValueNumbers,
  at: (key: number, was: unknown, now: unknown) => Pair,
): Pair[] {
  const same = (i: number, j: number): boolean => numbers.numberOf(before[i]) === numbers.numberOf(after[j]);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && same(start, start)) start++;
  let end = 0;
  while (end < shorter - start && same(before.length - 1 - end, after.length - 1 - end)) end++;
  const parts: Pair[] = [];
  const last = Math.max(before.length, after.length) - end;
  for (let index = start; index < last; index++) {
    const was = index < before.length - end ? before[index] : undefined;
    const now = index < after.length - end ? after[index] : undefined;
    parts.push(at(index, was, now));
  }
  return parts;
}

/**
 * The step that gave a place of the state its value: the last one up to `step` that changed it, or the next one after
 * `step` that will. -1 is the seed. Undefined where there is none.
 */
export function stepThatChanged(
  episode: Episode,
  place: string,
  step: number,
  direction: 'backward' | 'forward',
): number | undefined {
  const states = episode.states ?? [];
  const changed = (index: number): boolean =>
    !sameValue(valueAtPointer(states[index - 1]?.value, place), valueAtPointer(states[index]?.value, place));
  if (direction === 'forward') {
    const found = states.findIndex((state, index) => state.step > step && changed(index));
    return states[found]?.step;
  }
  const found = states.findLastIndex((state, index) => state.step <= step && changed(index));
  return states[found]?.step;
}

export interface SessionBreak {
  /** Index of the first exchange that belongs to another session than those before it. */
  exchange: number;
  /** The sessions, where they can be told. */
  before?: string;
  after?: string;
  /** A sentence. */
  reason: string;
}

/** Where an episode left its session: the cookie was lost, replaced, or not accepted. */
export function sessionBreak(exchanges: readonly Exchange[]): SessionBreak | undefined {
  let session: string | undefined;
  let given: number | undefined;
  let cookie: string | undefined;
  for (const [index, exchange] of exchanges.entries()) {
    const sent = exchange.request.cookie;
    const now = exchange.response === undefined ? undefined : exchange.session;
    // Where the server's session cannot be told, a cookie that was given and is not sent back is sign enough.
    const changed =
      now !== undefined && session !== undefined ? now !== session : now === undefined && sent === undefined;
    if (given !== undefined && changed && exchange.response !== undefined) {
      return {
        exchange: index,
        ...(session === undefined ? {} : { before: session }),
        ...(now === undefined ? {} : { after: now }),
        reason: reasonOf(exchanges, { index, given, sent, cookie }),
      };
    }
    if (exchange.response === undefined) continue;
    session ??= now;
    if (exchange.response.setCookies.length > 0 || sent !== undefined) given ??= index;
    cookie = sent ?? cookie;
  }
  return undefined;
}

function reasonOf(
  exchanges: readonly Exchange[],
  {
    index,
    given,
    sent,
    cookie,
  }: { index: number; given: number; sent: string | undefined; cookie: string | undefined },
): string {
  const first = `exchange ${given + 1} (${nameOf(exchanges[given])})`;
  const here = `Exchange ${index + 1} (${nameOf(exchanges[index])})`;
  if (sent === undefined) {
    return `${here} carried no cookie, though ${first} had been given one: the client lost it, and the server began a new session.`;
  }
  if (cookie !== undefined && cookie !== sent) {
    return `${here} carried another cookie than the exchanges before it, and so belongs to another session.`;
  }
  return `${here} carried the cookie of its session, but the server did not accept it and began a new one: it was restarted without its secret, or forgot the session.`;
}

/** `/increment_counter` */
function nameOf(exchange: Exchange | undefined): string {
  const path = exchange?.request.url.split(/[?#]/, 1)[0] ?? '';
  return path.slice(path.lastIndexOf('/'));
}
