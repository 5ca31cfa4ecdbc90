import { at, isObject } from '../../model';
import type { Format, SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { episodeOf, summaryOf, toolsOf, type Draft } from './draft';
import { taskOf, titleOf } from './identity';
import { timelineOf } from './timeline';

/**
 * A task before anyone has tried it: `data/example.jsonl` of an environment, one line each, and
 * `X_materialized_inputs.jsonl`, where every planned rollout has its indices.
 *
 *     { responses_create_params: { input: [{ role: 'user', content: 'Add 3' }], tools: [...] },
 *       expected_count: 6, initial_count: 3, _ng_task_index?: 0, _ng_rollout_index?: 0 }
 *
 * It has everything a rollout has but the `response`, and such files are found under names like
 * `example_rollouts.jsonl`.
 */
export const nemoGymTaskInput: Format = {
  id: 'nemo_gym_task_input',
  name: 'NeMo Gym task input',
  unit: 'record',
  // A rollout is surer of itself.
  confidence: (value) => (isObject(at(value, 'responses_create_params')) ? 0.9 : 0),
  summarise: (record) => [summaryOf(draftOf(record))],
  episode: (record) => episodeOf(draftOf(record), 'nemo_gym_task_input', record),
};

const taskIndices = new Set(['_ng_task_index', '_ng_rollout_index', '_ng_attempt_index']);

function draftOf({ value, index }: SourceRecord): Draft {
  const params = at(value, 'responses_create_params');
  const task = taskOf(value);
  return {
    title: titleOf(value, index),
    ...(task === undefined ? {} : { task }),
    timeline: timelineOf(params, undefined),
    outcome: { components: {}, noReward: 'never-kept' },
    metrics: metricsOf(value, taskIndices),
    gaps: [
      {
        about: 'messages',
        reason: 'This is a task and not a rollout: the request is here, and nothing that a policy did.',
      },
      { about: 'reward', reason: 'A task has no reward; the rollouts of it have.' },
    ],
    tools: toolsOf(params, undefined),
  };
}
