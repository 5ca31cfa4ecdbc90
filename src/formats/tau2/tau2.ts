import {
  arrayAt,
  at,
  emptyRecord,
  excerpt,
  isObject,
  noCounts,
  numberAt,
  stringAt,
  type Counts,
  type Episode,
  type Metrics,
  type Outcome,
  type TaskRef,
} from '../../model';
import { bareEpisode } from '../bare';
import { jsonText } from '../bounded';
import { countChat } from '../chat-entry';
import { episodeId, severalEpisodes } from '../episodes';
import type { SourceRecord } from '../format';
import { gapsIn, many, noTokenIds, type PlacedGap } from '../gaps';
import { JsonAt } from '../json-at';
import { metricsOf } from '../metrics';
import { toolSpecs } from '../tool-specs';
import { Conversation, type Turn } from './conversation';
import { turnsOfTicks } from './ticks';

/**
 * `results.json` of tau2-bench (https://github.com/sierra-research/tau2-bench, `src/tau2/data_model/simulation.py`): all
 * simulations of a run, several trials per task.
 *
 *     {
 *       timestamp, info: { agent_info: { llm: 'm' }, environment_info: { domain_name: 'airline', policy } }, tasks: [...],
 *       simulations: [{
 *         id, task_id: '7', trial: 0, termination_reason: 'user_stop', duration: 61.2, agent_cost, user_cost,
 *         reward_info: { reward: 1.0, reward_breakdown: { DB: 1.0 }, db_check: { db_match: true }, action_checks: [...] },
 *         messages: [
 *           { role: 'assistant', content: 'Hi! How can I help you today?' }, { role: 'user', content: 'Cancel my flight.' },
 *           { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'get_user', arguments: {}, requestor: 'assistant' }] },
 *           { role: 'tool', id: 'c1', content: '{…}', requestor: 'assistant', error: false }
 *         ]
 *       }]
 *     }
 *
 * Both sides call tools. Spoken runs have `ticks` instead of messages, and keep their simulations in files of their own,
 * with a `simulation_index` here.
 */
export const tau2Results = severalEpisodes<Listed>({
  id: 'tau2_results',
  name: 'tau2-bench results',
  unit: 'record',
  confidence(value) {
    const isRun = isObject(at(value, 'info')) && arrayAt(value, 'tasks') !== undefined;
    return isRun && (arrayAt(value, 'simulations') ?? arrayAt(value, 'simulation_index')) !== undefined
      ? 0.95
      : 0;
  },
  parts: listedIn,
  read: (record, listed, nth) =>
    listed.kind === 'simulation'
      ? readSimulation(record, nth, listed, 'tau2_results')
      : withoutMessages(record, nth, listed.entry),
  counts: (listed) => (listed.kind === 'simulation' ? countsOf(listed) : noCounts()),
});

/** One simulation by itself: a file of `simulations/`. */
export const tau2Simulation = severalEpisodes<Simulation>({
  id: 'tau2_simulation',
  name: 'tau2-bench simulation',
  unit: 'record',
  confidence(value) {
    const isRun = stringAt(value, 'termination_reason') !== undefined && at(value, 'task_id') !== undefined;
    return isRun && (arrayAt(value, 'messages') ?? arrayAt(value, 'ticks')) !== undefined ? 0.95 : 0;
  },
  parts: (run) => [{ kind: 'simulation', run, info: undefined, path: [] }],
  read: (record, simulation, nth) => readSimulation(record, nth, simulation, 'tau2_simulation'),
  counts: countsOf,
});

interface Simulation {
  kind: 'simulation';
  run: unknown;
  /** What the file says of all its simulations. */
  info: unknown;
  path: (string | number)[];
}

/** `entry`: what the index says of a simulation that is elsewhere; undefined where there is none at all. */
type Listed = Simulation | { kind: 'elsewhere'; entry: unknown };

function listedIn(value: unknown): Listed[] {
  const runs = arrayAt(value, 'simulations') ?? [];
  if (runs.length > 0) {
    const info = at(value, 'info');
    return runs.map((run, nth) => ({ kind: 'simulation', run, info, path: ['simulations', nth] }));
  }
  const entries = arrayAt(value, 'simulation_index') ?? [];
  if (entries.length === 0) return [{ kind: 'elsewhere', entry: undefined }];
  return entries.map((entry) => ({ kind: 'elsewhere', entry }));
}

function turnsOf({ run, path }: Simulation, json: JsonAt): Turn[] {
  const base = path.map((key) => `/${key}`).join('');
  const messages = arrayAt(run, 'messages');
  if (messages === undefined) return turnsOfTicks(arrayAt(run, 'ticks') ?? [], `${base}/ticks`);
  return messages.map((message, nth) => ({
    message,
    raw: [`${base}/messages/${nth}`],
    json: json.at('messages', nth),
    continues: false,
  }));
}

function countsOf(simulation: Simulation): Counts {
  return countChat(turnsOf(simulation, new JsonAt(undefined)).map(({ message }) => message));
}

function readSimulation(record: SourceRecord, nth: number, simulation: Simulation, format: string): Episode {
  const { run, info, path } = simulation;
  const conversation = new Conversation();
  for (const turn of turnsOf(simulation, new JsonAt(record.text).at(...path))) conversation.add(turn);
  const { messages, steps } = conversation;
  const task = taskOf(run);
  const model = stringAt(at(info, 'agent_info'), 'llm');
  const environment = at(info, 'environment_info');
  const tools = at(environment, 'tool_defs');
  return {
    id: episodeId(record, nth),
    format,
    title: titleOf(task, stringAt(environment, 'domain_name')),
    ...(task === undefined ? {} : { task }),
    ...(model === undefined ? {} : { model }),
    tools: toolSpecs(isObject(tools) ? Object.values(tools) : []),
    messages,
    steps,
    edits: [],
    outcome: outcomeOf(run),
    metrics: metricsIn(run, environment),
    gaps: gapsIn(messages, [...conversationGaps(conversation, run), ...rewardGap(run), timing]),
  };
}

function taskOf(run: unknown): TaskRef | undefined {
  const id = at(run, 'task_id');
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const trial = numberAt(run, 'trial');
  return { key: String(id), ...(trial === undefined ? {} : { rollout: trial }) };
}

function titleOf(task: TaskRef | undefined, domain: string | undefined): string {
  const named = task === undefined ? 'Simulation' : `Task ${excerpt(task.key)}`;
  return domain === undefined ? named : `${excerpt(domain, 40)} · ${named}`;
}

function outcomeOf(run: unknown): Outcome {
  const info = at(run, 'reward_info');
  const reward = numberAt(info, 'reward') ?? numberAt(run, 'reward');
  const termination = stringAt(run, 'termination_reason');
  const error = stringAt(at(run, 'info'), 'error');
  return {
    ...(reward === undefined ? {} : { reward }),
    ...(reward === undefined && (at(info, 'reward') ?? null) !== null ? { noReward: 'not-a-number' } : {}),
    components: numbersIn(at(info, 'reward_breakdown')),
    ...(termination === undefined ? {} : { termination }),
    ...(error === undefined ? {} : { error }),
  };
}

function numbersIn(value: unknown): Record<string, number> {
  const all = metricsOf(value);
  const numbers = emptyRecord<number>();
  for (const name of Object.keys(all)) {
    const number = all[name];
    if (typeof number === 'number') numbers[name] = number;
  }
  return numbers;
}

/** Shown elsewhere: as the task and the outcome. */
const notMetrics = new Set(['task_id', 'trial', 'termination_reason', 'reward', 'timestamp']);

function metricsIn(run: unknown, environment: unknown): Metrics {
  const metrics = metricsOf(run, notMetrics);
  const domain = stringAt(environment, 'domain_name');
  if (domain !== undefined) metrics['domain'] = domain;
  const info = at(run, 'reward_info');
  const match = at(at(info, 'db_check'), 'db_match');
  if (typeof match === 'boolean') metrics['db_match'] = match;
  for (const [list, flag] of checks) {
    const found = arrayAt(info, list);
    if (found === undefined || found.length === 0) continue;
    metrics[list] = found.length;
    metrics[`${list}_met`] = found.filter((check) => at(check, flag) === true).length;
  }
  return metrics;
}

const checks = [
  ['action_checks', 'action_match'],
  ['env_assertions', 'met'],
  ['nl_assertions', 'met'],
  ['communicate_checks', 'met'],
] as const;

function conversationGaps(conversation: Conversation, run: unknown): PlacedGap[] {
  const { messages, steps, aside, isGreeted, truncated } = conversation;
  if (messages.length === 0) {
    return [{ about: 'messages', reason: 'This simulation has no messages: it failed before anyone spoke.' }];
  }
  const gaps: PlacedGap[] = [];
  if (!messages.some(({ role }) => role === 'system')) {
    gaps.push({
      about: 'messages',
      reason:
        'The system prompt of the policy is not among the messages; the policy of its domain may be in the raw record.',
    });
  }
  if (isGreeted) {
    gaps.push({
      about: 'messages',
      ...(messages[0]?.raw[0] === undefined ? {} : { at: messages[0].raw[0] }),
      reason: 'The greeting is part of every conversation: no model was asked for it, and it is no step.',
    });
  }
  if (aside > 0) {
    gaps.push({
      about: 'views',
      reason: `${many(aside, 'message')} of the user and the user's own tools are beside the conversation: the policy did not see them.`,
    });
  }
  const [dropped] = truncated;
  if (dropped !== undefined) {
    gaps.push({
      about: 'views',
      at: dropped,
      reason: `Messages were dropped from the context of ${many(truncated.length, 'model call')}, and the file does not say which: the views still show them.`,
    });
  }
  if (arrayAt(run, 'messages') === undefined) {
    gaps.push({
      about: 'messages',
      reason: `This conversation was spoken: its messages are put together from ${many(arrayAt(run, 'ticks')?.length ?? 0, 'tick')}, and which of them were one model call is inferred.`,
    });
  }
  if (steps.length > 0) gaps.push(noTokenIds);
  return gaps;
}

function rewardGap(run: unknown): PlacedGap[] {
  if (outcomeOf(run).reward !== undefined) return [];
  const found = at(at(run, 'reward_info'), 'reward') ?? null;
  const reason =
    found === null
      ? 'This simulation was not evaluated: it has no reward.'
      : `The reward of this simulation is ${excerpt(jsonText(found), 40)}, which is not a finite number.`;
  return [{ about: 'reward', reason }];
}

const timing: PlacedGap = {
  about: 'timing',
  reason: 'When messages were sent is shown in the raw record only.',
};

/** What an index says of a simulation, and that there is none. */
function withoutMessages(record: SourceRecord, nth: number, entry: unknown): Episode {
  const task = taskOf(entry);
  const file = stringAt(entry, 'id');
  const bare = bareEpisode(
    {
      title: titleOf(task, undefined),
      ...(task === undefined ? {} : { task }),
      outcome: entry === undefined ? { components: {}, noReward: 'never-kept' } : outcomeOf(entry),
      metrics: metricsIn(entry, at(at(record.value, 'info'), 'environment_info')),
      gaps: [
        {
          about: 'messages',
          reason:
            entry === undefined
              ? 'This file has no simulations.'
              : `Simulations of this run are in files of their own: open simulations/${file === undefined ? '…' : excerpt(file, 80)}.json.`,
        },
        ...gapsIn([], rewardGap(entry)),
      ],
    },
    'tau2_results',
    { ...record, text: entry === undefined ? record.text : jsonText(entry) },
  );
  return { ...bare, id: episodeId(record, nth) };
}
