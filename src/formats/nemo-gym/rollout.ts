import { at, isObject, numberAt, stringAt } from '../../model';
import type { Format, SourceRecord } from '../format';
import { episodeOf, summaryOf, toolsOf, type Draft } from './draft';
import { rolloutGaps } from './gaps';
import { taskOf, titleOf } from './identity';
import { rolloutMetrics } from './metrics';
import { observe } from './observed';
import { outcomeOf, rewardGaps, unfinishedOf } from './outcome';
import { sketchOf } from './sketch';
import { rolloutFields, sketchFields } from './summary-fields';
import { timelineOf } from './timeline';

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
    sketch: { fields: sketchFields, summarise: sketchOf },
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
    metrics: { ...rolloutMetrics(value, outcome.components, timeline), ...observed.metrics },
    gaps: [...rolloutGaps(value, timeline), ...observed.gaps, ...rewardGaps(value)],
    tools: toolsOf(params, response),
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}
