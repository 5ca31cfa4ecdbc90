import { arrayAt, at, emptyRecord, isObject, numberAt, stringAt, type Metrics } from '../../model';
import type { PlacedGap } from '../gaps';
import { many } from '../gaps';
import { callsOf, isSubagent, markCalls, observations } from './calls';
import { compact } from './compaction';
import { answeredId, outputEntry, type Entry } from './items';
import { itemWords } from './join';
import type { Timeline } from './timeline';
import { timingOf } from './timing';

/**
 * What those who watched a run attached to its rollout: the model server (`ng_model_call_capture`), the agent's harness
 * (`ng_agent_observations`), and both put together (`ng_trajectory`). It says which items one model call wrote, when calls
 * and tools ran, and when the context was compacted (https://github.com/NVIDIA-NeMo/Gym, `nemo_gym/rollout_observability.py`).
 */
export interface Observed {
  timeline: Timeline;
  gaps: PlacedGap[];
  metrics: Metrics;
}

export function observe(value: unknown, timeline: Timeline): Observed {
  if (!isObserved(value)) return { timeline, gaps: [timesGap(false)], metrics: emptyRecord() };
  const gaps: PlacedGap[] = [];
  const metrics = metricsOf(value);
  const calls = callsOf(value);
  const marked = markCalls(told(value, timeline.entries, gaps), calls, gaps);
  const { entries: whole, edits } = compact(value, timeTools(value, marked.entries), marked.begins, gaps);
  gaps.push(...reportedGaps(value), ...subagentGaps(value));
  if (!whole.some(({ timing }) => timing !== undefined)) gaps.push(timesGap(true));
  return { timeline: { ...timeline, entries: whole, edits: [...timeline.edits, ...edits] }, gaps, metrics };
}

export function isObserved(value: unknown): boolean {
  return ['ng_trajectory', 'ng_agent_observations', 'ng_model_call_capture'].some((key) =>
    isObject(at(value, key)),
  );
}

/** Where the response is empty, what the harness saw the agent say. */
function told(value: unknown, entries: readonly Entry[], gaps: PlacedGap[]): Entry[] {
  if (entries.some(({ origin }) => origin !== 'prompt')) return [...entries];
  const invocations = arrayAt(at(value, 'ng_trajectory'), 'invocations') ?? [];
  const main = invocations.findIndex((each) => !isSubagent(each));
  const conversation = arrayAt(invocations[main], 'conversation') ?? [];
  if (conversation.length === 0) return [...entries];
  const base = `/ng_trajectory/invocations/${main}/conversation`;
  const given = entries.map(({ item }) => itemWords(item));
  let asked = 0;
  while (asked < given.length && itemWords(conversation[asked]) === given[asked]) asked += 1;
  gaps.push({
    about: 'messages',
    reason: "The response is empty: shown is what the agent's harness saw of the conversation.",
  });
  const seen = conversation.slice(asked).map((item, nth) => outputEntry(item, `${base}/${asked + nth}`));
  // What stands before the first word of the model was asked of it.
  const first = seen.findIndex(({ origin }) => origin === 'policy');
  return [
    ...entries,
    ...seen.map((entry, nth) =>
      nth < first && entries.length === 0 ? { ...entry, origin: 'prompt' as const } : entry,
    ),
  ];
}

function timeTools(value: unknown, entries: readonly Entry[]): Entry[] {
  const times = new Map(
    [
      ...observations(value, 'tool_call').map((each) => each.value),
      ...(arrayAt(at(value, 'ng_trajectory'), 'tool_calls') ?? []),
    ].flatMap((tool) => {
      const id = stringAt(tool, 'tool_call_id');
      const timing = timingOf(tool);
      return id === undefined || timing === undefined ? [] : [[id, timing] as const];
    }),
  );
  return entries.map((entry) => {
    if (entry.origin !== 'environment') return entry;
    const timing = times.get(answeredId(entry) ?? '');
    return timing === undefined ? entry : { ...entry, timing };
  });
}

const mostGaps = 20;

function reportedGaps(value: unknown): PlacedGap[] {
  const reasons = ['ng_trajectory', 'ng_agent_observations', 'ng_model_call_capture'].flatMap((key) =>
    (arrayAt(at(value, key), 'gaps') ?? []).flatMap((gap) => {
      const code = stringAt(gap, 'code');
      const detail = stringAt(gap, 'detail');
      return code === undefined
        ? []
        : [`Those who watched the run report: ${code}${detail === undefined ? '' : ` (${detail})`}.`];
    }),
  );
  return [...new Set(reasons)].slice(0, mostGaps).map((reason) => ({ about: 'timing', reason }));
}

function subagentGaps(value: unknown): PlacedGap[] {
  const invocations =
    arrayAt(at(value, 'ng_trajectory'), 'invocations') ??
    observations(value, 'agent_invocation').map((each) => each.value);
  const others = invocations.filter(isSubagent).length;
  if (others === 0) return [];
  const reason = `${many(others, 'conversation')} of subagents ${others === 1 ? 'is' : 'are'} shown in the raw record only.`;
  return [{ about: 'messages', reason }];
}

function timesGap(isWatched: boolean): PlacedGap {
  return {
    about: 'timing',
    reason: isWatched
      ? 'This run was watched, but no times of its calls were kept.'
      : 'This record has no times of single calls.',
  };
}

/** Numbers over all model calls, and what the sandbox used. */
function metricsOf(value: unknown): Metrics {
  const metrics = emptyRecord<number | string | boolean>();
  const captured = at(at(value, 'ng_model_call_capture'), 'metrics');
  if (isObject(captured)) {
    for (const name of Object.keys(captured)) {
      const number = numberAt(captured, name);
      if (number !== undefined) metrics[`model_calls.${name}`] = number;
    }
  }
  const sandbox = observations(value, 'sandbox').find(
    (each) => stringAt(each.value, 'role') === 'agent',
  )?.value;
  for (const name of ['wall_time_s', 'cpu_time_s', 'peak_memory_mib']) {
    const number = numberAt(sandbox, name);
    if (number !== undefined) metrics[`sandbox.${name}`] = number;
  }
  const outcome = stringAt(sandbox, 'outcome');
  if (outcome !== undefined && outcome.length <= 80) metrics['sandbox.outcome'] = outcome;
  return metrics;
}
