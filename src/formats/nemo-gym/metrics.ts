import { at, numberAt, stringAt, type Metrics } from '../../model';
import { metricsOf } from '../metrics';
import type { Timeline } from './timeline';

/** Shown elsewhere: as the reward and the task. */
const notMetrics = new Set(['reward', '_ng_task_index', '_ng_rollout_index', '_ng_attempt_index']);

/** `timeline` is left out where its numbers are of no interest. */
export function rolloutMetrics(
  value: unknown,
  components: Record<string, number>,
  timeline?: Timeline,
): Metrics {
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
  if (timeline?.transitions !== undefined) {
    const made = timeline.entries.filter(({ origin }) => origin !== 'prompt');
    add('transitions', timeline.transitions);
    add('distinct_items', made.length);
    add('distinct_tool_calls', made.filter(({ kind }) => kind === 'call').length);
  }
  return metrics;
}

const usageNames = [
  ['input_tokens', 'prompt_tokens'],
  ['output_tokens', 'completion_tokens'],
  ['total_tokens', 'total_tokens'],
] as const;

/** Some agents report zeros for what they did not count, and some use the names of chat completions. */
export function usageOf(response: unknown): Record<string, number> {
  const usage = at(response, 'usage');
  const counts: Record<string, number> = {};
  let isCounted = false;
  for (const [name, old] of usageNames) {
    const count = numberAt(usage, name) ?? numberAt(usage, old);
    if (count === undefined) continue;
    counts[name] = count;
    isCounted ||= count > 0;
  }
  return isCounted ? counts : {};
}
