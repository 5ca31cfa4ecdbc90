import { arrayAt, at, isObject, numberAt, stringAt } from '../../model';
import { jsonText } from '../bounded';
import { fingerprint } from '../fingerprint';
import { kindOf } from './items';

/**
 * One run of NeMo Gym leaves a family of files: rollouts, failed attempts, the inputs they were planned with, statistics,
 * captured model calls. Their records belong together by `_ng_task_index` and `_ng_rollout_index`; task inputs as they are
 * kept in a repository have neither, and belong to the rollouts whose request says the same.
 */
export interface JoinKeys {
  /** `_ng_task_index`, and which rollout and attempt of the task. */
  index?: { task: string; rollout?: number; attempt?: number };
  /** `agent_ref.name` */
  agent?: string;
  /** What captured model calls are filed under: `3-0`, `3-0-a1`. */
  rolloutId?: string;
  /**
   * Prints of the request's first item, first two items, and so on: the last is of all of it. Agents add to a task's
   * request (a first observation), and then one of the earlier prints is the task's.
   */
  prints: readonly string[];
}

export function joinKeys(value: unknown): JoinKeys {
  const index = indexOf(value) ?? indexOf(at(value, 'sample'));
  const agent =
    stringAt(at(value, 'agent_ref'), 'name') ?? stringAt(at(at(value, 'sample'), 'agent_ref'), 'name');
  const rolloutId = rolloutIdOf(value, index);
  return {
    ...(index === undefined ? {} : { index }),
    ...(agent === undefined ? {} : { agent }),
    ...(rolloutId === undefined ? {} : { rolloutId }),
    prints: requestPrints(
      at(value, 'responses_create_params') ?? at(at(value, 'sample'), 'responses_create_params'),
    ),
  };
}

function indexOf(value: unknown): JoinKeys['index'] {
  const task = at(value, '_ng_task_index');
  if (typeof task !== 'number' && typeof task !== 'string') return undefined;
  const rollout = numberAt(value, '_ng_rollout_index');
  const attempt = numberAt(value, '_ng_attempt_index');
  return {
    task: String(task),
    ...(rollout === undefined ? {} : { rollout }),
    ...(attempt === undefined ? {} : { attempt }),
  };
}

function rolloutIdOf(value: unknown, index: JoinKeys['index']): string | undefined {
  const own =
    stringAt(value, '_ng_rollout_id') ??
    stringAt(at(value, 'ng_model_call_capture'), 'rollout_id') ??
    stringAt(at(value, 'ng_trajectory'), 'rollout_id');
  if (own !== undefined || index?.rollout === undefined) return own;
  const { task, rollout, attempt } = index;
  return `${task}-${rollout}${attempt === undefined ? '' : `-a${attempt}`}`;
}

/** Who said what, whatever else an item carries: `type` is left out by some writers, `id` and `status` are added. */
function requestPrints(params: unknown): string[] {
  const input = at(params, 'input');
  const items: readonly unknown[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : Array.isArray(input) ? input : [];
  const prints: string[] = [];
  let before = '';
  for (const item of items) {
    before = fingerprint(`${before}\n${itemWords(item)}`);
    prints.push(before);
  }
  return prints;
}

/** Two items with the same words say the same. */
export function itemWords(item: unknown): string {
  return jsonText(wordsOf(item));
}

function wordsOf(item: unknown): unknown {
  switch (kindOf(item)) {
    case 'message':
      return [stringAt(item, 'role') ?? 'assistant', contentWords(at(item, 'content'))];
    case 'call':
      return ['call', at(item, 'call_id'), at(item, 'name'), at(item, 'arguments') ?? at(item, 'input')];
    case 'result':
      return ['result', at(item, 'call_id'), contentWords(at(item, 'output'))];
    case 'reasoning':
      return ['reasoning', contentWords(at(item, 'summary')), contentWords(at(item, 'content'))];
    case 'other':
      return item;
  }
}

/** A text says the same as a list of one part that holds it. */
function contentWords(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? '';
  const words = content.map((part: unknown) => stringAt(part, 'text') ?? at(part, 'image_url') ?? part);
  return words.length === 1 ? words[0] : words;
}

/** How two records were found to belong together. `beginning`: one's request starts with all of the other's. */
export type JoinedBy = 'index' | 'input' | 'beginning';

export interface Joined {
  /** As they were added. */
  found: readonly number[];
  by: JoinedBy;
}

/** Records that others are looked up among. */
export class JoinIndex {
  readonly #byIndex = new Map<string, number[]>();
  readonly #byPrint = new Map<string, number[]>();
  /** Of records without an index only, which can be told by nothing else. */
  readonly #byPrintOnly = new Map<string, number[]>();

  add(keys: JoinKeys, position: number): void {
    const print = keys.prints.at(-1);
    if (keys.index !== undefined) append(this.#byIndex, indexKey(keys.index), position);
    if (print === undefined) return;
    append(this.#byPrint, print, position);
    if (keys.index === undefined) append(this.#byPrintOnly, print, position);
  }

  /** The records that belong to one: by index where both have one, else by what was asked. */
  find(keys: JoinKeys): Joined | undefined {
    const { index, prints } = keys;
    if (index !== undefined) {
      const found = this.#byIndex.get(indexKey(index)) ?? this.#byIndex.get(indexKey({ task: index.task }));
      if (found !== undefined) return { found, by: 'index' };
    }
    const known = index === undefined ? this.#byPrint : this.#byPrintOnly;
    for (let length = prints.length; length > 0; length--) {
      const found = known.get(prints[length - 1] ?? '');
      if (found !== undefined) return { found, by: length === prints.length ? 'input' : 'beginning' };
    }
    return undefined;
  }
}

function indexKey({ task, rollout }: NonNullable<JoinKeys['index']>): string {
  return rollout === undefined ? task : `${rollout} of ${task}`;
}

function append(map: Map<string, number[]>, key: string, position: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [position]);
  else known.push(position);
}

export interface InputMatch {
  /** Position among the inputs. */
  input: number;
  by: JoinedBy;
  /** Other inputs that fit just as well: nothing tells which of them it was. */
  alike: readonly number[];
  /** The indices are the same and the requests are not: the two may come from different runs. */
  differs: boolean;
}

/**
 * The task input of each rollout, undefined where there is none among these. Both are records as they stand in their
 * files: `joinInputs([{ responses_create_params, response, reward }], [{ responses_create_params, expected_count: 6 }])`.
 */
export function joinInputs(
  rollouts: readonly unknown[],
  inputs: readonly unknown[],
): (InputMatch | undefined)[] {
  const index = new JoinIndex();
  const inputKeys = inputs.map(joinKeys);
  inputKeys.forEach((keys, position) => index.add(keys, position));
  return rollouts.map((rollout) => {
    const keys = joinKeys(rollout);
    const joined = index.find(keys);
    if (joined === undefined) return undefined;
    const [input, ...alike] = closest(rollout, joined.found, (position) => inputs[position]);
    const found = input === undefined ? undefined : inputKeys[input];
    if (input === undefined || found === undefined) return undefined;
    return { input, by: joined.by, alike, differs: !asksTheSame(keys, found) };
  });
}

/** Whether one's request is all of the other's, or its beginning. Nothing speaks against a request that is not there. */
export function asksTheSame(a: JoinKeys, b: JoinKeys): boolean {
  const [wholeA, wholeB] = [a.prints.at(-1), b.prints.at(-1)];
  if (wholeA === undefined || wholeB === undefined) return true;
  return a.prints.includes(wholeB) || b.prints.includes(wholeA);
}

/** Of several inputs with the same request, those that share most other fields with the rollout. */
export function closest(
  rollout: unknown,
  positions: readonly number[],
  valueAt: (position: number) => unknown,
): number[] {
  if (positions.length < 2) return [...positions];
  const shared = positions.map((position) => sharedFields(rollout, valueAt(position)));
  const most = shared.reduce((a, b) => Math.max(a, b));
  return positions.filter((_, nth) => shared[nth] === most);
}

function sharedFields(rollout: unknown, input: unknown): number {
  const fields = taskFields(input);
  return Object.keys(fields).filter((key) => {
    const own = at(rollout, key);
    return own !== undefined && jsonText(own) === jsonText(fields[key]);
  }).length;
}

/** What a task holds beside its request: the values to seed a session with, and those the verifier expects. */
export function taskFields(input: unknown): Record<string, unknown> {
  if (!isObject(input)) return {};
  return Object.fromEntries(Object.entries(input).filter(([key]) => !isBookkeeping(key)));
}

function isBookkeeping(key: string): boolean {
  return key === 'responses_create_params' || key === 'agent_ref' || key.startsWith('_ng_');
}

/** The statistics of one task within `X_aggregate_metrics.json`. */
export function groupOf(aggregate: unknown, keys: JoinKeys): unknown {
  if (keys.index === undefined) return undefined;
  const { task } = keys.index;
  return arrayAt(aggregate, 'group_level_metrics')?.find((group) => indexOf(group)?.task === task);
}
