import { arrayAt, at, numberAt, stringAt, type StepTokens, type Timing } from '../../model';
import type { PlacedGap } from '../gaps';
import { answeredMessages } from '../payloads';
import { callIdOf, type Entry } from './items';
import { timingOf } from './timing';
import { tokensOf } from './tokens';

/** A model call of the main agent, as those who watched the run kept it. */
export interface ModelCall {
  /** `model_call_id`, and the id of the response. */
  names: ReadonlySet<string>;
  /** Ids of what it wrote: items and tool calls. */
  wrote: ReadonlySet<string>;
  /** The request, where it was kept. */
  request: unknown;
  startedAt?: number;
  completedAt?: number;
  timing?: Timing;
  tokens?: StepTokens;
}

/** In the order they began, as far as that is known. */
export function callsOf(value: unknown): ModelCall[] {
  const kept = new Map<string, unknown[]>();
  for (const list of [
    arrayAt(at(value, 'ng_trajectory'), 'model_calls'),
    arrayAt(at(value, 'ng_model_call_capture'), 'calls'),
  ]) {
    (list ?? []).forEach((call, nth) => {
      const id = stringAt(call, 'model_call_id') ?? `#${nth}`;
      const known = kept.get(id);
      if (known === undefined) kept.set(id, [call]);
      else known.push(call);
    });
  }
  const aside = callsAside(value);
  const calls = [...kept.values()]
    .map(modelCall)
    .filter(({ names }) => ![...names].some((name) => aside.has(name)));
  const isTimed = calls.every(({ startedAt }) => startedAt !== undefined);
  return isTimed ? calls.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0)) : calls;
}

function modelCall(kept: readonly unknown[]): ModelCall {
  const first = <T>(read: (call: unknown) => T | undefined): T | undefined => {
    for (const call of kept) {
      const found = read(call);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const response = first((call) => at(call, 'response') ?? undefined);
  const startedAt = first((call) => numberAt(call, 'started_at'));
  const completedAt = first((call) => numberAt(call, 'completed_at'));
  // The first to know a time is believed.
  const timing: Timing = Object.assign({}, ...kept.map(timingOf).reverse());
  const tokens = responseTokens(response);
  return {
    names: new Set(kept.flatMap(namesOf)),
    wrote: new Set([
      ...kept.flatMap((call) => arrayAt(call, 'tool_calls') ?? []).flatMap(idsIn),
      ...written(response),
    ]),
    request: first((call) => at(call, 'request') ?? undefined),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(completedAt === undefined ? {} : { completedAt }),
    ...(Object.keys(timing).length === 0 ? {} : { timing }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

/** What a reference to a model call names it by. */
export function namesOf(reference: unknown): string[] {
  return [
    stringAt(reference, 'model_call_id'),
    stringAt(reference, 'response_id'),
    stringAt(at(reference, 'response_metadata'), 'response_id'),
  ].flatMap((name) => (name === undefined || name === '' ? [] : [name]));
}

function written(response: unknown): string[] {
  const items = arrayAt(response, 'output') ?? [];
  const calls = answeredMessages(response, '').flatMap(({ value }) => arrayAt(value, 'tool_calls') ?? []);
  return [...items, ...calls].flatMap(idsIn);
}

function idsIn(item: unknown): string[] {
  return ['call_id', 'id'].flatMap((key) => stringAt(item, key) ?? []).filter((id) => id !== '');
}

/** On the last item of a response that has some, or on the message of a chat completion. */
export function responseTokens(response: unknown): StepTokens | undefined {
  const message = at(arrayAt(response, 'choices')?.[0], 'message');
  for (const item of [...(arrayAt(response, 'output') ?? [message])].reverse()) {
    const tokens = tokensOf(item);
    if (tokens !== undefined) return tokens;
  }
  return undefined;
}

export function isSubagent(invocation: unknown): boolean {
  return stringAt(invocation, 'parent_invocation_id') !== undefined;
}

/** Something the agent's harness observed, where it stands in the record. */
export interface Observation {
  value: unknown;
  raw: string;
}

const olderLists: Record<string, string> = { tool_call: 'tool_calls', context_compaction: 'compactions' };

/** What the harness observed, of one kind. Older ones keep each kind in a list of its own. */
export function observations(value: unknown, kind: string): Observation[] {
  const base = '/ng_agent_observations';
  const bundle = at(value, 'ng_agent_observations');
  const older = olderLists[kind] ?? '';
  return [
    ...(arrayAt(bundle, 'records') ?? [])
      .map((each, nth) => ({ value: each, raw: `${base}/records/${nth}` }))
      .filter((each) => stringAt(each.value, 'kind') === kind),
    ...(arrayAt(bundle, older) ?? []).map((each, nth) => ({ value: each, raw: `${base}/${older}/${nth}` })),
  ];
}

/** Calls of subagents, and those that summed up a context: their words are not in the response. */
function callsAside(value: unknown): Set<string> {
  const records = arrayAt(at(value, 'ng_agent_observations'), 'records') ?? [];
  const invocations = [...(arrayAt(at(value, 'ng_trajectory'), 'invocations') ?? []), ...records];
  const aside = [
    ...invocations.filter(isSubagent),
    ...records.filter((each) => stringAt(each, 'kind') === 'context_compaction'),
  ];
  return new Set(aside.flatMap((each) => (arrayAt(each, 'model_calls') ?? []).flatMap(namesOf)));
}

export interface Marked {
  entries: Entry[];
  /** The first entry that each call wrote, by its pointer. */
  begins: ReadonlyMap<ModelCall, string>;
}

/**
 * Marks where model calls begin. An item belongs to the call that wrote its id; items beside it, of the same go, belong
 * to the same call; and a go in which nothing is known by its id belongs to the next call that nothing else is known of.
 * The marks win over the rule that every go is a call.
 */
export function markCalls(entries: readonly Entry[], calls: readonly ModelCall[], gaps: PlacedGap[]): Marked {
  const begins = new Map<ModelCall, string>();
  if (calls.length === 0) return { entries: [...entries], begins };
  const owners = ownersOf(entries, calls);
  const seen = new Set<number>();
  let last = -1;
  for (const owner of owners) {
    if (owner === undefined) continue;
    if (owner < last) {
      gaps.push({
        about: 'timing',
        reason:
          'The model calls that were captured stand in another order than what they wrote: they are shown in the raw record only.',
      });
      return { entries: [...entries], begins };
    }
    last = owner;
    seen.add(owner);
  }
  const silent = calls.length - seen.size;
  if (silent > 0) {
    const what = silent === 1 ? '1 captured model call wrote' : `${silent} captured model calls wrote`;
    gaps.push({ about: 'messages', reason: `${what} nothing that stands in the response.` });
  }
  let before: number | undefined;
  const marked = entries.map((entry, position): Entry => {
    const owner = owners[position];
    if (entry.origin !== 'policy') return entry;
    const isFirst = owner !== undefined && owner !== before;
    const call = owner === undefined ? undefined : calls[owner];
    const continues = owner !== undefined && owner === before;
    before = owner;
    if (!isFirst) return continues ? { ...entry, startsStep: false } : entry;
    if (call !== undefined) begins.set(call, entry.raw);
    return {
      ...entry,
      startsStep: true,
      ...(call?.timing === undefined ? {} : { timing: call.timing }),
      ...(call?.tokens === undefined ? {} : { tokens: call.tokens }),
    };
  });
  return { entries: marked, begins };
}

/** By position: which call wrote an entry. */
function ownersOf(entries: readonly Entry[], calls: readonly ModelCall[]): (number | undefined)[] {
  const writers = new Map<string, number>();
  calls.forEach(({ wrote }, index) => wrote.forEach((id) => writers.set(id, index)));
  const owners = entries.map((entry) => {
    if (entry.origin !== 'policy') return undefined;
    const ids = [callIdOf(entry), stringAt(entry.item, 'id')];
    return ids.flatMap((id) => (id === undefined ? [] : (writers.get(id) ?? [])))[0];
  });
  const known = new Set(owners);
  let next = 0;
  for (let start = 0; start < entries.length; start++) {
    if (entries[start]?.origin !== 'policy') continue;
    let end = start;
    while (entries[end]?.origin === 'policy') end += 1;
    fill(start, end);
    start = end;
  }
  return owners;

  function fill(start: number, end: number): void {
    const go = owners.slice(start, end);
    let current = go.find((owner) => owner !== undefined);
    if (current === undefined) {
      while (known.has(next)) next += 1;
      if (next >= calls.length) return;
      current = next;
      known.add(current);
    }
    // Thoughts and words stand before the call they lead to.
    let later: number | undefined;
    for (let position = end - 1; position >= start; position--) {
      later = owners[position] ?? later;
      owners[position] = later;
    }
    for (let position = start; position < end; position++) {
      current = owners[position] ?? current;
      owners[position] = current;
    }
    next = Math.max(next, (owners[end - 1] ?? 0) + 1);
  }
}
