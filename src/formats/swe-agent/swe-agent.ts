import {
  arrayAt,
  at,
  historyFrom,
  isObject,
  pointer,
  stringAt,
  type Episode,
  type HistoryItem,
  type Metrics,
} from '../../model';
import { countChat } from '../chat-entry';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import type { Placed } from '../model-calls';
import { episodeId, severalEpisodes } from '../episodes';
import { gapsIn, many, noTokenIds, type PlacedGap } from '../gaps';
import { titleFrom } from '../title';
import { editsFromQueries } from './queries';
import { askedIn, turnsOf } from './turns';

/**
 * `.traj` of SWE-agent (https://swe-agent.com/latest/usage/trajectories/): one run on one problem.
 *
 *     {
 *       environment: 'main',
 *       trajectory: [
 *         { action: 'ls', observation: 'a.py', response: 'Let me look.', thought: 'Let me look.', state: { open_file: 'n/a' } }
 *       ],
 *       history: [
 *         { role: 'system', content: '…', agent: 'main', message_type: 'system_prompt' },
 *         { role: 'user', content: 'Fix the issue.', agent: 'main', message_type: 'observation' },
 *         { role: 'assistant', content: 'Let me look.', thought: '…', action: 'ls', tool_calls: [...], agent: 'main' },
 *         { role: 'tool', content: 'a.py', tool_call_ids: ['call_1'], agent: 'main' }
 *       ],
 *       info: { exit_status: 'submitted', submission: 'diff …', model_stats: { api_calls: 1 } },
 *       replay_config: { ... } or the same as a string
 *     }
 *
 * `history` is the conversation; where actions are not tool calls, observations are user messages. Demonstrations have
 * `is_demo`. A run that was tried several times has `attempts`, each of them like this, and repeats the best one at its
 * top; a demonstration may have nothing but `history`.
 */
export const sweAgentTraj = severalEpisodes<Attempt>({
  id: 'swe_agent_traj',
  name: 'SWE-agent trajectory',
  unit: 'record',
  confidence(value) {
    if (!isObject(value)) return 0;
    if (isAttempt(arrayAt(value, 'attempts')?.[0])) return 0.95;
    return isAttempt(value) ? 0.95 : 0;
  },
  parts: attemptsOf,
  read,
  counts: ({ value }) => countChat(arrayAt(value, 'history') ?? []),
});

interface Attempt {
  value: unknown;
  path: (string | number)[];
  /** Where there are several. */
  nth?: number;
  isBest?: boolean;
}

function isAttempt(value: unknown): boolean {
  const history = arrayAt(value, 'history');
  const trajectory = arrayAt(value, 'trajectory');
  if (history !== undefined && trajectory !== undefined && isObject(at(value, 'info'))) return true;
  const [said] = history ?? [];
  if (stringAt(said, 'role') !== undefined) {
    return ['agent', 'message_type'].some((key) => stringAt(said, key) !== undefined);
  }
  const [step] = history === undefined ? (trajectory ?? []) : [];
  return ['action', 'observation', 'response'].every((key) => stringAt(step, key) !== undefined);
}

function attemptsOf(value: unknown): Attempt[] {
  const attempts = arrayAt(value, 'attempts') ?? [];
  if (attempts.length === 0) return [{ value, path: [] }];
  const best = at(at(value, 'info'), 'best_attempt_idx');
  return attempts.map((attempt, nth) => ({
    value: attempt,
    path: ['attempts', nth],
    nth,
    ...(best === undefined ? {} : { isBest: best === nth }),
  }));
}

function read(record: SourceRecord, attempt: Attempt, nth: number): Episode {
  const { value, path } = attempt;
  const history = arrayAt(value, 'history');
  const trajectory = arrayAt(value, 'trajectory') ?? [];
  const items = turnsOf(
    history === undefined ? turnsFromSteps(trajectory, path) : placed(history, [...path, 'history']),
    { isMarked: true, isGiven: isDemo },
  );
  const { messages, steps } = historyFrom(items);
  // Turns of a demonstration can be joined, and then positions no longer agree.
  const isWhole = history !== undefined && messages.length === history.length;
  const shown = isWhole
    ? editsFromQueries(history, messages, trajectory)
    : { edits: [], gaps: [], queried: 0 };
  const config = configOf(at(value, 'replay_config') ?? at(record.value, 'replay_config'));
  const problem = stringAt(at(config, 'problem_statement'), 'id');
  const model = stringAt(at(at(config, 'agent'), 'model'), 'name');
  const termination = stringAt(at(value, 'info'), 'exit_status');
  return {
    id: episodeId(record, nth),
    format: 'swe_agent_traj',
    title: problem ?? titleFrom(askedIn(items), 'SWE-agent run'),
    ...(problem === undefined
      ? {}
      : { task: { key: problem, ...(attempt.nth === undefined ? {} : { attempt: attempt.nth }) } }),
    ...(model === undefined ? {} : { model }),
    tools: [],
    messages,
    steps,
    edits: shown.edits,
    outcome: {
      components: {},
      noReward: 'never-kept',
      ...(termination === undefined ? {} : { termination }),
    },
    metrics: metricsIn(attempt, trajectory),
    gaps: gapsIn(messages, [
      ...demoGap(items, history ?? []),
      ...(history === undefined ? [noHistory] : []),
      ...shown.gaps,
      ...(shown.queried === 0 ? processorGap(config) : []),
      ...(steps.length === 0 ? [] : [noTokenIds]),
      ...recordGaps(trajectory),
    ]),
  };
}

function placed(list: readonly unknown[], path: readonly (string | number)[]): Placed[] {
  return list.map((value, nth) => ({ value, raw: pointer(...path, nth) }));
}

/** Without a history, what each step answered and observed is the conversation. */
function turnsFromSteps(trajectory: readonly unknown[], path: readonly (string | number)[]): Placed[] {
  return trajectory.flatMap((step, nth) => {
    const raw = pointer(...path, 'trajectory', nth);
    const observed = stringAt(step, 'observation');
    return [
      { value: { role: 'assistant', content: at(step, 'response') ?? at(step, 'thought') ?? '' }, raw },
      ...(observed === undefined
        ? []
        : [{ value: { role: 'user', content: observed }, raw: `${raw}/observation` }]),
    ];
  });
}

function isDemo(message: unknown): boolean {
  return at(message, 'is_demo') === true;
}

/** An object in files of 2025, the same as JSON in a string in later ones. */
function configOf(config: unknown): unknown {
  if (typeof config !== 'string') return config;
  try {
    return JSON.parse(config);
  } catch {
    return undefined;
  }
}

function metricsIn({ value, isBest }: Attempt, trajectory: readonly unknown[]): Metrics {
  const info = at(value, 'info');
  const metrics = metricsOf(at(info, 'model_stats'));
  metrics['trajectory_steps'] = trajectory.length;
  if (isObject(info)) metrics['submitted'] = (stringAt(info, 'submission') ?? '') !== '';
  if (isBest !== undefined) metrics['best_attempt'] = isBest;
  return metrics;
}

function demoGap(items: readonly HistoryItem[], history: readonly unknown[]): PlacedGap[] {
  const demos = history.filter(isDemo).length;
  const first = items[history.findIndex(isDemo)];
  if (demos === 0 || first === undefined) return [];
  const [are, stand] = demos === 1 ? ['message is', 'It is'] : ['messages are', 'They are'];
  return [
    {
      about: 'messages',
      at: first.raw,
      reason: `${demos} ${are} of a demonstration that the policy was given. ${stand} shown as given, and no steps.`,
    },
  ];
}

const noHistory: PlacedGap = {
  about: 'messages',
  reason: 'This file has no history: it does not show what the policy was asked, only its steps.',
};

/** These leave what is sent as it is. */
const harmless = new Set(['default', 'cache_control', 'tag_tool_call_observations']);

function processorGap(config: unknown): PlacedGap[] {
  const agent = at(config, 'agent');
  const processors = arrayAt(agent, 'history_processors') ?? [at(agent, 'history_processor')];
  const names = processors.flatMap((processor) => stringAt(processor, 'type') ?? []);
  const changing = names.filter((name) => !harmless.has(name));
  if (changing.length === 0) return [];
  return [
    {
      about: 'views',
      reason: `What was sent to the model was changed by ${changing.slice(0, 5).join(', ')}, and only the history before that is in this file: the views show it.`,
    },
  ];
}

function recordGaps(trajectory: readonly unknown[]): PlacedGap[] {
  const gaps: PlacedGap[] = [
    {
      about: 'reward',
      reason: 'SWE-agent keeps no reward: whether a submission solves the problem is told by its evaluation.',
    },
  ];
  if (trajectory.some((step) => (at(step, 'state') ?? '') !== '')) {
    gaps.push({
      about: 'state',
      reason: `The state of the environment after each of ${many(trajectory.length, 'step')} is shown in the raw record only.`,
    });
  }
  const isTimed = trajectory.some((step) => at(step, 'execution_time') !== undefined);
  gaps.push({
    about: 'timing',
    reason: isTimed
      ? 'How long each action took is shown in the raw record only.'
      : 'This file has no times of single steps.',
  });
  return gaps;
}
