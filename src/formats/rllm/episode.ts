import {
  arrayAt,
  at,
  excerpt,
  noCounts,
  numberAt,
  stringAt,
  toolCallsOf,
  type Counts,
  type Episode,
  type Gap,
  type Message,
  type Metrics,
  type Outcome,
  type TaskRef,
} from '../../model';
import { jsonText } from '../bounded';
import type { Format } from '../format';
import { metricsOf } from '../metrics';
import { historyOfCalls, logGaps, userText, type LoggedCall, type LoggedHistory } from '../model-calls';
import { summaryOf } from '../episodes';
import { titleFrom } from '../title';
import { callFrom } from './steps';

/**
 * An episode of rLLM (https://github.com/rllm-org/rllm, `rllm/utils/episode_logger.py`): a JSON file each, or a line of
 * its evaluation store.
 *
 *     {
 *       training_step: 7, epoch: 0, episode_id: 'task-4:2', task: {...}, task_hash: '1f6a…',
 *       is_correct: true, termination_reason: 'env_done', metrics: { acc: 1.0 },
 *       trajectories: [{ name: 'solver', uid: '…', reward: 1.0, steps: [...] }]
 *     }
 *
 * Every trajectory is an episode here. Its steps repeat the whole conversation, see `steps.ts`: the history is what each
 * of them adds.
 */
export const rllmEpisode: Format = {
  id: 'rllm_episode',
  name: 'rLLM episode',
  unit: 'record',
  confidence(value) {
    const trajectories = arrayAt(value, 'trajectories');
    if (trajectories === undefined) return 0;
    const steps = trajectories.slice(0, 8).flatMap((each) => arrayAt(each, 'steps')?.slice(0, 8) ?? []);
    if (steps.some((step) => Array.isArray(at(step, 'chat_completions')))) return 0.95;
    return at(value, 'is_correct') !== undefined && at(value, 'termination_reason') !== undefined ? 0.6 : 0;
  },
  summarise: ({ value, index }) =>
    placesOf(value).map((place) => {
      const episode = read(value, index, place);
      return summaryOf(episode, countsOf(episode.messages));
    }),
  episode: ({ value, index }, nth) => read(value, index, placesOf(value)[nth] ?? nowhere),
};

/** A trajectory where it stands in the record, and what the episodes of one record are told apart by. */
interface Place {
  trajectory: unknown;
  base: string;
  suffix: string;
}

const nowhere: Place = { trajectory: undefined, base: '', suffix: '' };

/** An episode that failed before it began has no trajectory, and is still one. */
function placesOf(value: unknown): Place[] {
  const trajectories = arrayAt(value, 'trajectories') ?? [];
  if (trajectories.length === 0) return [nowhere];
  return trajectories.map((trajectory, nth) => ({
    trajectory,
    base: `/trajectories/${nth}`,
    suffix: trajectories.length === 1 ? '' : `.${nth}`,
  }));
}

function read(value: unknown, index: number, { trajectory, base, suffix }: Place): Episode {
  const steps = arrayAt(trajectory, 'steps') ?? [];
  const calls = steps.map((step, nth) => callFrom(step, `${base}/steps/${nth}`));
  const history = historyOfCalls(calls);
  const task = taskOf(value);
  const name = stringAt(trajectory, 'name');
  const title = titleFrom(
    userText(calls[0]?.context ?? []),
    task === undefined ? `Episode ${index}` : `Task ${task.key}`,
  );
  const outcome = outcomeOf(value, trajectory);
  return {
    id: `${index}${suffix}`,
    format: 'rllm_episode',
    title: suffix === '' || name === undefined ? title : `${name}: ${title}`,
    ...(task === undefined ? {} : { task }),
    tools: [],
    messages: history.messages,
    steps: history.steps,
    edits: [],
    outcome,
    metrics: trajectoryMetrics(value, trajectory, steps),
    gaps: [
      ...historyGaps(calls, history),
      ...tokenGaps(history),
      ...rewardGaps(outcome, trajectory),
      timingGap,
    ],
  };
}

/** `task-4:2` is rollout 2 of the task `task-4`, and `task-4:2:1` its second attempt. */
function taskOf(value: unknown): TaskRef | undefined {
  const id = stringAt(value, 'episode_id') ?? stringAt(value, 'id') ?? '';
  const [, key, rollout, attempt] = /^(.+?):(\d{1,9})(?::(\d{1,9}))?$/s.exec(id) ?? [];
  if (key !== undefined) {
    return {
      key,
      rollout: Number(rollout),
      ...(attempt === undefined ? {} : { attempt: Number(attempt) }),
    };
  }
  const other = [stringAt(value, 'task_hash'), id].find((each) => each !== undefined && each !== '');
  return other === undefined ? undefined : { key: other };
}

function outcomeOf(value: unknown, trajectory: unknown): Outcome {
  const reward = numberAt(trajectory, 'reward');
  const found = at(trajectory, 'reward');
  const isCorrect = at(value, 'is_correct');
  const termination = stringAt(value, 'termination_reason');
  return {
    components: {},
    // A trajectory that was given no reward has null.
    ...(reward !== undefined ? { reward } : (found ?? null) === null ? {} : { noReward: 'not-a-number' }),
    ...(typeof isCorrect === 'boolean' ? { verdict: isCorrect ? 'correct' : 'not correct' } : {}),
    ...(termination === undefined ? {} : { termination }),
  };
}

function rewardGaps({ reward, noReward }: Outcome, trajectory: unknown): Gap[] {
  if (reward !== undefined) return [];
  const found = at(trajectory, 'reward');
  const shown = typeof found === 'number' ? String(found) : excerpt(jsonText(found), 40);
  return [
    {
      about: 'reward',
      reason:
        noReward === undefined
          ? 'This trajectory was given no reward.'
          : `The reward of this trajectory is ${shown}, which is not a finite number.`,
    },
  ];
}

function historyGaps(calls: readonly LoggedCall[], history: LoggedHistory): Gap[] {
  if (calls.length === 0) {
    return [
      { about: 'messages', reason: 'This episode has no steps: it does not show what the policy did.' },
    ];
  }
  const gaps: Gap[] = [];
  const [first] = calls;
  if (first?.context.some(({ value }) => stringAt(value, 'role') === 'assistant') === true) {
    gaps.push({
      about: 'messages',
      reason:
        'The conversation before the first step holds turns of an assistant. The file does not tell whether this policy made them, so they are shown as given and are not steps.',
    });
  }
  const unlogged = calls.findIndex(({ continues }) => continues === true);
  if (unlogged >= 0) {
    gaps.push({
      about: 'views',
      step: unlogged,
      reason:
        'The conversation is not recorded for this step, or not only for this one: its view is put together from observations and responses.',
    });
  }
  return [...gaps, ...logGaps(history)];
}

function tokenGaps({ steps }: LoggedHistory): Gap[] {
  const reason = steps.some(({ tokens }) => tokens !== undefined)
    ? 'This file has token ids and no loss masks: what of them was trained is derived from what was emitted.'
    : 'This file has no token ids: masks cannot be shown.';
  return steps.length === 0 ? [] : [{ about: 'tokens', reason }];
}

const timingGap: Gap = { about: 'timing', reason: 'Times of steps are shown in the raw record only.' };

/** Shown elsewhere: as the task and the outcome. */
const notMetrics = new Set(['episode_id', 'id', 'is_correct', 'termination_reason']);

function trajectoryMetrics(value: unknown, trajectory: unknown, steps: readonly unknown[]): Metrics {
  const metrics = metricsOf(value, notMetrics);
  const add = (more: Metrics): void => {
    for (const [name, metric] of Object.entries(more)) metrics[name] ??= metric;
  };
  add(metricsOf(at(value, 'metrics')));
  add(metricsOf(at(trajectory, 'signals')));
  add(metricsOf({ agent: at(trajectory, 'name') }));
  const rewards = steps.map((step) => numberAt(step, 'reward') ?? 0);
  if (rewards.some((reward) => reward !== 0)) {
    add({ step_reward_total: rewards.reduce((sum, reward) => sum + reward, 0) });
  }
  return metrics;
}

/** A message counts once, however many steps repeat it. */
function countsOf(messages: readonly Message[]): Counts {
  const counts = noCounts();
  for (const message of messages) {
    if (message.role === 'tool') counts.toolResults += 1;
    else counts.messages += 1;
    counts.toolCalls += toolCallsOf(message).length;
    if (message.parts.some((part) => part.kind === 'reasoning' && part.form === 'full'))
      counts.reasoning += 1;
  }
  return counts;
}
