/** `POST /aggregate_metrics`: statistics over verify responses, as NeMo Gym names them (`mean/reward`, `std/reward`). */
import * as v from 'valibot';
import { isObject, at } from './json';

export const AggregateRequest = v.looseObject({
  verify_responses: v.array(v.looseObject({})),
});

export interface AggregateMetrics {
  readonly agent_metrics: Metrics;
  readonly key_metrics: Metrics;
  readonly group_level_metrics: readonly Metrics[];
}

type Metrics = { readonly [name: string]: number };

/** Identify a rollout; they are not measurements. */
const INDICES = new Set(['_ng_task_index', '_ng_rollout_index']);

export function aggregate(responses: readonly unknown[]): AggregateMetrics {
  const groups = new Map<number, unknown[]>();
  for (const response of responses) {
    const task = at(response, '_ng_task_index');
    if (typeof task !== 'number') continue;
    const group = groups.get(task);
    if (group === undefined) groups.set(task, [response]);
    else group.push(response);
  }
  const all = describe(responses);
  return {
    agent_metrics: all,
    key_metrics: Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith('mean/'))),
    group_level_metrics: [...groups].map(([task, members]) => ({
      _ng_task_index: task,
      ...describe(members),
    })),
  };
}

function describe(responses: readonly unknown[]): Metrics {
  const columns = new Map<string, number[]>();
  for (const response of responses) {
    for (const [name, value] of measurements(response)) {
      const column = columns.get(name);
      if (column === undefined) columns.set(name, [value]);
      else column.push(value);
    }
  }
  const metrics: [string, number][] = [];
  for (const [name, values] of columns) {
    const sorted = [...values].sort((a, b) => a - b);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    metrics.push(
      [`mean/${name}`, mean],
      [`max/${name}`, sorted.at(-1) ?? mean],
      [`min/${name}`, sorted[0] ?? mean],
    );
    metrics.push([`median/${name}`, median(sorted)], [`std/${name}`, deviation(values, mean)]);
  }
  return Object.fromEntries(metrics);
}

/** Numbers and booleans of the response itself, and of its model usage. */
function measurements(response: unknown): [string, number][] {
  const usage = at(at(response, 'response'), 'usage');
  return [
    ...Object.entries(isObject(response) ? response : {}),
    ...Object.entries(isObject(usage) ? usage : {}),
  ].flatMap(([name, value]): [string, number][] => {
    if (INDICES.has(name)) return [];
    if (typeof value === 'boolean') return [[name, value ? 1 : 0]];
    return typeof value === 'number' ? [[name, value]] : [];
  });
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? 0;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper;
}

/** Of the sample; 0 for a single value. */
function deviation(values: readonly number[], mean: number): number {
  if (values.length < 2) return 0;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
