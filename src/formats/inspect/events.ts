import { arrayAt, at, isObject, numberAt, stringAt } from '../../model';

/** Messages from `start` to `end` of a list of the sample. */
export interface Stretch {
  list: readonly unknown[];
  path: readonly (string | number)[];
  start: number;
  end: number;
}

/** `{ event: 'compaction', type: 'summary' | 'edit' | 'trim', tokens_before, tokens_after }` */
export interface Compaction {
  type: string | undefined;
  tokensBefore: number | undefined;
  tokensAfter: number | undefined;
}

/** A model call of a sample's transcript. */
export interface ModelCall {
  /** What was done to the context before it. */
  compaction?: Compaction;
  event: unknown;
  context: Stretch[];
  message: unknown;
  path: readonly (string | number)[];
}

export interface ModelCalls {
  calls: ModelCall[];
  /** Calls that a scorer made. */
  scoring: number;
  /** Calls that failed, or were not finished when the log was written. */
  failed: number;
}

/** What a sample's `events` are, and its `transcript` in logs of 2024. */
function eventsOf(sample: unknown): { list: readonly unknown[]; path: (string | number)[] } {
  const events = arrayAt(sample, 'events');
  if (events !== undefined) return { list: events, path: ['events'] };
  return { list: arrayAt(at(sample, 'transcript'), 'events') ?? [], path: ['transcript', 'events'] };
}

/**
 * The model calls of a sample in order, those of tools and subtasks included, which older logs keep inside the event of
 * the tool:
 *
 *     { event: 'model', model, input: Message[], tools, output: { choices: [{ message, stop_reason }] }, span_id }
 *
 * Instead of `input` there can be `input_refs`, ranges of the sample's `message_pool` or `events_data.messages`.
 */
export function modelCalls(sample: unknown): ModelCalls {
  const { list: pool, path: poolPath } = poolOf(sample);
  const scorers = new ScorerSpans();
  const found: ModelCalls = { calls: [], scoring: 0, failed: 0 };
  // An open list per level: events of a tool come where the tool's event stands.
  const { list, path } = eventsOf(sample);
  const open = [{ list, path, next: 0 }];
  let compaction: Compaction | undefined;
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const nth = level.next++;
    if (nth >= level.list.length) {
      open.pop();
      continue;
    }
    const event = level.list[nth];
    const inner = arrayAt(event, 'events') ?? [];
    // Deeper than any log, and not so deep that paths grow without end.
    if (inner.length > 0 && open.length < 32) {
      open.push({ list: inner, path: [...level.path, nth, 'events'], next: 0 });
    }
    scorers.see(event);
    if (stringAt(event, 'event') === 'compaction') {
      compaction = {
        type: stringAt(event, 'type'),
        tokensBefore: numberAt(event, 'tokens_before'),
        tokensAfter: numberAt(event, 'tokens_after'),
      };
    }
    if (stringAt(event, 'event') !== 'model') continue;
    const message = at(arrayAt(at(event, 'output'), 'choices')?.[0], 'message');
    if (scorers.includes(event)) found.scoring += 1;
    else if (!isObject(message)) found.failed += 1;
    else {
      const at = [...level.path, nth];
      found.calls.push({
        event,
        context: contextOf(event, pool, poolPath, [...at, 'input']),
        message,
        path: [...at, 'output', 'choices', 0, 'message'],
        ...(compaction === undefined ? {} : { compaction }),
      });
      compaction = undefined;
    }
  }
  return found;
}

function poolOf(sample: unknown): { list: readonly unknown[]; path: (string | number)[] } {
  const pool = arrayAt(sample, 'message_pool');
  if (pool !== undefined) return { list: pool, path: ['message_pool'] };
  return {
    list: arrayAt(at(sample, 'events_data'), 'messages') ?? [],
    path: ['events_data', 'messages'],
  };
}

function contextOf(
  event: unknown,
  pool: readonly unknown[],
  poolPath: readonly (string | number)[],
  path: readonly (string | number)[],
): Stretch[] {
  const refs = arrayAt(event, 'input_refs') ?? [];
  const input = arrayAt(event, 'input') ?? [];
  const pooled = refs.flatMap((ref): Stretch[] => {
    const [start, end]: readonly unknown[] = Array.isArray(ref) ? ref : [];
    if (typeof start !== 'number' || typeof end !== 'number') return [];
    const [from, to] = [Math.max(Math.trunc(start), 0), Math.min(Math.trunc(end), pool.length)];
    return from < to ? [{ list: pool, path: poolPath, start: from, end: to }] : [];
  });
  return [...pooled, { list: input, path, start: 0, end: input.length }];
}

/** Which spans are a scorer's. Logs of 2024 have no spans but steps that begin and end. */
class ScorerSpans {
  readonly #spans = new Map<string, boolean>();
  #steps = 0;

  see(event: unknown): void {
    const type = stringAt(event, 'event');
    const isScorer = /^scorers?$/.test(stringAt(event, 'type') ?? '');
    if (type === 'span_begin') {
      const [id, parent] = [stringAt(event, 'id'), stringAt(event, 'parent_id') ?? ''];
      if (id !== undefined) this.#spans.set(id, isScorer || this.#spans.get(parent) === true);
    } else if (type === 'step' && isScorer) {
      this.#steps = Math.max(this.#steps + (stringAt(event, 'action') === 'begin' ? 1 : -1), 0);
    }
  }

  includes(event: unknown): boolean {
    return this.#steps > 0 || this.#spans.get(stringAt(event, 'span_id') ?? '') === true;
  }
}
