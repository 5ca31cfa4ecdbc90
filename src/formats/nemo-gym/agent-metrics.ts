import { arrayAt, at, isObject, stringAt, type Metrics } from '../../model';
import { bareEpisode, bareSummary, type Bare } from '../bare';
import type { Format, SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { hasStatistics } from './reward-profiling';

/**
 * `X_agent_metrics.json`: an array with one object per agent, statistics over all its rollouts.
 *
 *     [{ 'mean/reward': 0.4, 'max/reward': 1, ..., agent_ref: { name: 'circle_click_simple_agent' } }]
 */
export const nemoGymAgentMetrics: Format = agentFormat(
  'nemo_gym_agent_metrics',
  'NeMo Gym agent metrics',
  (value) => (isObject(at(value, 'agent_ref')) && hasStatistics(value) ? 0.9 : 0),
  (value) => metricsOf(value),
);

/**
 * `X_aggregate_metrics.json`, which replaced it: the same one level down, and statistics per task beside it.
 *
 *     [{ agent_ref: { name }, agent_metrics: { 'mean/reward': 0.2, 'pass@1/reward': 0.2, ... }, key_metrics: {...},
 *        group_level_metrics: [{ _ng_task_index: 0, 'mean/reward': 0.2, ..., sample, rollout_infos }] }]
 */
export const nemoGymAggregateMetrics: Format = agentFormat(
  'nemo_gym_aggregate_metrics',
  'NeMo Gym aggregate metrics',
  (value) =>
    isObject(at(value, 'agent_metrics')) && Array.isArray(at(value, 'group_level_metrics')) ? 0.95 : 0,
  (value) => {
    const metrics = metricsOf(at(value, 'agent_metrics'));
    metrics['tasks'] ??= arrayAt(value, 'group_level_metrics')?.length ?? 0;
    return metrics;
  },
);

function agentFormat(
  id: string,
  name: string,
  confidence: Format['confidence'],
  metrics: (value: unknown) => Metrics,
): Format {
  const read = ({ value, index }: SourceRecord): Bare => ({
    title: stringAt(at(value, 'agent_ref'), 'name') ?? `record ${index}`,
    outcome: { components: {}, noReward: 'never-kept' },
    metrics: metrics(value),
    gaps: [
      {
        about: 'messages',
        reason: "These are statistics over all rollouts of an agent. The rollouts are in the run's own file.",
      },
      {
        about: 'reward',
        reason: 'The rewards of the single rollouts are summed up in mean/reward and its like.',
      },
    ],
  });
  return {
    id,
    name,
    unit: 'record',
    confidence,
    summarise: (record) => [bareSummary(read(record))],
    episode: (record) => bareEpisode(read(record), id, record),
  };
}
