import { at, emptyRecord, isObject, numberAt, type Metrics } from '../../model';
import type { Format, SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { episodeOf, summaryOf, toolsOf, type Draft } from './draft';
import { taskOf, titleOf } from './identity';
import { emptyTimeline, timelineOf } from './timeline';

/**
 * `X_reward_profiling.jsonl`: one line per task, with statistics over its rollouts. `sample` is the task input.
 *
 *     { 'mean/reward': 0.5, 'max/reward': 1, 'std/reward': 0.5, ..., sample: { responses_create_params, ... },
 *       _ng_task_index?: 28, num_rollouts?: 2, rollout_infos?: [{ rollout_id: '28:0', reward: 1, ... }] }
 */
export const nemoGymRewardProfiling: Format = {
  id: 'nemo_gym_reward_profiling',
  name: 'NeMo Gym reward profile of a task',
  unit: 'record',
  confidence: (value) => (isObject(at(value, 'sample')) && hasStatistics(value) ? 0.95 : 0),
  summarise: (record) => [summaryOf(draftOf(record))],
  episode: (record) => episodeOf(draftOf(record), 'nemo_gym_reward_profiling', record),
};

/** `mean/reward`, `mean/input_tokens`, ... */
export function hasStatistics(value: unknown): boolean {
  return isObject(value) && Object.keys(value).some((key) => key.startsWith('mean/'));
}

function draftOf({ value, index }: SourceRecord): Draft {
  const sample = at(value, 'sample');
  const params = at(sample, 'responses_create_params');
  const task = taskOf(value) ?? taskOf(sample);
  const own = titleOf(value, index);
  const { entries } = timelineOf(params, undefined, '/sample');
  return {
    title: own === `record ${index}` ? titleOf(sample, index) : own,
    ...(task === undefined ? {} : { task }),
    // The sample's items are not this record's own: they are shown, and not counted.
    timeline: { ...emptyTimeline(), entries },
    outcome: { components: {}, noReward: 'never-kept' },
    metrics: { ...metricsOf(value, new Set(['_ng_task_index'])), ...spread(value) },
    gaps: [
      {
        about: 'messages',
        reason:
          'These are statistics over the rollouts of a task: the request is here, the rollouts are not.',
      },
      {
        about: 'reward',
        reason: 'The rewards of the single rollouts are summed up in mean/reward and its like.',
      },
    ],
    tools: toolsOf(params, undefined),
  };
}

/** How many of its rollouts the statistics list. */
function spread(value: unknown): Metrics {
  const infos = at(value, 'rollout_infos');
  const metrics = emptyRecord<number>();
  if (Array.isArray(infos) && numberAt(value, 'num_rollouts') === undefined)
    metrics['num_rollouts'] = infos.length;
  return metrics;
}
