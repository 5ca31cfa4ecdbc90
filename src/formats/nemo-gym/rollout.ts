import { at, emptyRecord, isObject, numberAt, stringAt, type Metrics } from '../../model';
import type { Format, SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { episodeOf, summaryOf, toolsOf, type Draft } from './draft';
import { rolloutGaps } from './gaps';
import { taskOf, titleOf } from './identity';
import { observe } from './observed';
import { outcomeOf, rewardGaps, unfinishedOf } from './outcome';
import { rolloutFields } from './summary-fields';
import { timelineOf, type Timeline } from './timeline';

/**
 * One line per rollout of `gym eval run` (https://github.com/NVIDIA-NeMo/Gym, `nemo_gym/rollout_collection.py`), in the
 * order the rollouts finished:
 *
 *     {
 *       responses_create_params: { input: 'text' | Item[], instructions?, tools?, ... },
 *       response: { id, model, output: Item[] | Item[][], status, incomplete_details, error, usage, tools, ... },
 *       reward: 1.0,
 *       _ng_task_index: 17, _ng_rollout_index: 3, agent_ref: { name },
 *       ...whatever the environment's verifier adds
 *     }
 *
 * Items are those of the Responses API, see `items.ts`. The environment's turns are user messages within `output`, and
 * agents differ in how much of the conversation they leave in `input`: only together are they what happened.
 */
export const nemoGymRollout: Format = rolloutFormat('nemo_gym_rollout', 'NeMo Gym rollout', (value) => {
  const response = at(value, 'response');
  if (!isObject(response)) return 0;
  if (isObject(at(value, 'responses_create_params'))) return 0.95;
  const isResponse = Array.isArray(at(response, 'output'));
  return isResponse && numberAt(value, 'reward') !== undefined ? 0.6 : 0;
});

/**
 * `X_failures.jsonl` holds one line per failed attempt: a rollout row as far as it got, with `_ng_failure_class`
 * (`timeout_exceeded`, `judge_failed`, ...), `_ng_failure_terminal` and `_ng_attempt_index`. Response and reward may be
 * missing.
 */
export const nemoGymFailure: Format = rolloutFormat('nemo_gym_failure', 'NeMo Gym failed attempt', (value) =>
  typeof at(value, '_ng_failure_class') === 'string' ? 0.97 : 0,
);

function rolloutFormat(id: string, name: string, confidence: Format['confidence']): Format {
  return {
    id,
    name,
    unit: 'record',
    confidence,
    fields: rolloutFields,
    summarise: (record) => [summaryOf(draftOf(record))],
    episode: (record) => episodeOf(draftOf(record), id, record),
  };
}

function draftOf({ value, index }: SourceRecord): Draft {
  const params = at(value, 'responses_create_params');
  const response = at(value, 'response');
  const observed = observe(value, timelineOf(params, response));
  const { timeline } = observed;
  const task = taskOf(value);
  const model = [stringAt(response, 'model'), stringAt(params, 'model')].find((each) => (each ?? '') !== '');
  const unfinished = unfinishedOf(response);
  const outcome = outcomeOf(value);
  return {
    title: titleOf(value, index),
    ...(task === undefined ? {} : { task }),
    ...(model === undefined ? {} : { model }),
    timeline,
    outcome,
    metrics: { ...rolloutMetrics(value, timeline, outcome.components), ...observed.metrics },
    gaps: [...rolloutGaps(value, timeline), ...observed.gaps, ...rewardGaps(value)],
    tools: toolsOf(params, response),
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}

/** Shown elsewhere: as the reward and the task. */
const notMetrics = new Set(['reward', '_ng_task_index', '_ng_rollout_index', '_ng_attempt_index']);

function rolloutMetrics(value: unknown, timeline: Timeline, components: Record<string, number>): Metrics {
  const metrics = metricsOf(value, notMetrics);
  const add = (name: string, metric: number | string | boolean | undefined): void => {
    if (metric !== undefined && !(name in metrics)) metrics[name] = metric;
  };

  const agent = stringAt(at(value, 'agent_ref'), 'name');
  add('agent', agent);
  const maskSample = at(at(value, 'instance_config'), 'mask_sample');
  add('mask_sample', typeof maskSample === 'boolean' ? maskSample : undefined);
  for (const [name, tokens] of Object.entries(usageOf(at(value, 'response')))) add(name, tokens);
  for (const [name, part] of Object.entries(components)) {
    // Environments that list their components usually repeat them at the top, as `format` or `reward_format`.
    if (!(name in metrics) && !(`reward_${name}` in metrics)) add(`reward.${name}`, part);
  }
  if (timeline.transitions !== undefined) {
    const made = timeline.entries.filter(({ origin }) => origin !== 'prompt');
    add('transitions', timeline.transitions);
    add('distinct_items', made.length);
    add('distinct_tool_calls', made.filter(({ kind }) => kind === 'call').length);
  }
  return metrics;
}

/** Some agents report zeros for what they did not count, and some use the names of chat completions. */
export function usageOf(response: unknown): Record<string, number> {
  const usage = at(response, 'usage');
  const counts = emptyRecord<number>();
  for (const [name, old] of [
    ['input_tokens', 'prompt_tokens'],
    ['output_tokens', 'completion_tokens'],
    ['total_tokens', 'total_tokens'],
  ] as const) {
    const count = numberAt(usage, name) ?? numberAt(usage, old);
    if (count !== undefined) counts[name] = count;
  }
  return Object.values(counts).some((count) => count > 0) ? counts : {};
}
