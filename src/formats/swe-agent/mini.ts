import {
  arrayAt,
  at,
  historyFrom,
  isObject,
  noCounts,
  stringAt,
  type Counts,
  type Episode,
  type Gap,
  type HistoryItem,
  type Metrics,
} from '../../model';
import { countChat } from '../chat-entry';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { historyItem, outputEntry } from '../nemo-gym/items';
import { noTokenIds } from '../gaps';
import { oneEpisode } from '../episodes';
import { titleFrom } from '../title';
import { askedIn, turnsOf } from './turns';

/**
 * `.traj.json` of mini-swe-agent (https://mini-swe-agent.com/latest/usage/output_files/), versions 1 and 2:
 *
 *     {
 *       info: {
 *         exit_status: 'Submitted', submission: 'diff …', mini_version: '2.2.7',
 *         model_stats: { instance_cost: 0.03, api_calls: 2 }, config: { model: { model_name: 'm' }, ... }
 *       },
 *       messages: [
 *         { role: 'system', content: '…' }, { role: 'user', content: 'Solve this issue.' },
 *         { role: 'assistant', content: 'Let me look.', tool_calls: [...], extra: { actions: [{ command: 'ls' }], response } },
 *         { role: 'tool', tool_call_id: 'call_1', content: '<returncode>0</returncode>…', extra: { returncode: 0 } },
 *         { role: 'exit', content: '', extra: { exit_status: 'Submitted' } }
 *       ],
 *       trajectory_format: 'mini-swe-agent-1.1'
 *     }
 *
 * Models behind the Responses API have their whole response for a message, and `function_call_output` items for results.
 */
export const miniSweAgent = oneEpisode(
  {
    id: 'mini_swe_agent',
    name: 'mini-swe-agent trajectory',
    unit: 'record',
    confidence(value) {
      if (arrayAt(value, 'messages') === undefined) return 0;
      const isNamed = stringAt(value, 'trajectory_format')?.startsWith('mini-swe-agent') === true;
      return isNamed || stringAt(at(value, 'info'), 'mini_version') !== undefined ? 0.97 : 0;
    },
  },
  readMini,
  (value) => countMessages(arrayAt(value, 'messages') ?? []),
);

function readMini({ value, index }: SourceRecord): Episode {
  const items = itemsOf(arrayAt(value, 'messages') ?? []);
  const { messages, steps } = historyFrom(items);
  const info = at(value, 'info');
  const instance = stringAt(value, 'instance_id');
  const model = stringAt(at(at(info, 'config'), 'model'), 'model_name');
  const termination = stringAt(info, 'exit_status');
  return {
    id: String(index),
    format: 'mini_swe_agent',
    title: instance ?? titleFrom(askedIn(items), 'mini-swe-agent run'),
    ...(instance === undefined ? {} : { task: { key: instance } }),
    ...(model === undefined ? {} : { model }),
    tools: [],
    messages,
    steps,
    edits: [],
    outcome: {
      components: {},
      noReward: 'never-kept',
      ...(termination === undefined ? {} : { termination }),
    },
    metrics: miniMetrics(info),
    gaps: [...(steps.length === 0 ? [] : [noTokenIds]), miniReward, miniTiming],
  };
}

function miniMetrics(info: unknown): Metrics {
  const metrics = metricsOf(at(info, 'model_stats'));
  const version = stringAt(info, 'mini_version');
  if (version !== undefined) metrics['mini_version'] = version;
  if (isObject(info)) metrics['submitted'] = (stringAt(info, 'submission') ?? '') !== '';
  return metrics;
}

const miniReward: Gap = {
  about: 'reward',
  reason:
    'mini-swe-agent keeps no reward: whether a submission solves the problem is told by its evaluation.',
};
const miniTiming: Gap = {
  about: 'timing',
  reason: 'Where messages have times, these are shown in the raw record only.',
};

function isResponse(message: unknown): boolean {
  return stringAt(message, 'object') === 'response' && Array.isArray(at(message, 'output'));
}

function isOutput(message: unknown): boolean {
  return stringAt(message, 'type') === 'function_call_output';
}

function itemsOf(messages: readonly unknown[]): HistoryItem[] {
  // What is not a chat message stands in for one, so that who spoke when is decided in one place.
  const turns = turnsOf(
    messages.map((message, nth) => ({
      value: isResponse(message) ? { role: 'assistant' } : isOutput(message) ? { role: 'tool' } : message,
      raw: `/messages/${nth}`,
    })),
    { isMarked: true },
  );
  return turns.flatMap((turn, nth): HistoryItem[] => {
    const message = messages[nth];
    if (isOutput(message)) return [historyItem(outputEntry(message, turn.raw))];
    if (!isResponse(message)) return [turn];
    const output = (arrayAt(message, 'output') ?? []).map((item, place) =>
      historyItem(outputEntry(item, `${turn.raw}/output/${place}`)),
    );
    let isFirst = true;
    for (const item of output) {
      if (item.origin !== 'policy') continue;
      item.startsStep = isFirst;
      isFirst = false;
    }
    return isFirst ? [turn, ...output] : output;
  });
}

function countMessages(messages: readonly unknown[]): Counts {
  const counts = countChat(messages.filter((message) => !isResponse(message) && !isOutput(message)));
  for (const message of messages) {
    if (isOutput(message)) counts.toolResults += 1;
    if (!isResponse(message)) continue;
    counts.messages += 1;
    for (const item of arrayAt(message, 'output') ?? []) {
      if (stringAt(item, 'type') === 'function_call') counts.toolCalls += 1;
      if (stringAt(item, 'type') === 'reasoning') counts.reasoning += 1;
    }
  }
  return counts;
}

/**
 * A bare array of chat messages, as mini-swe-agent wrote it before version 1: one conversation.
 *
 *     [{ "role": "system", "content": "…" }, { "role": "user", "content": "…" }, { "role": "assistant", "content": "…" }]
 *
 * Nothing marks the model calls: each turn of the assistant is taken for one.
 */
export const bareMessageArray = oneEpisode(
  {
    id: 'bare_message_array',
    name: 'Chat messages',
    unit: 'record',
    confidence(value) {
      if (!Array.isArray(value) || value.length === 0) return 0;
      return value.slice(0, 16).every(isChatMessage) ? 0.7 : 0;
    },
  },
  readBare,
  (value) => (Array.isArray(value) ? countChat(value) : noCounts()),
);

function isChatMessage(message: unknown): boolean {
  return (
    stringAt(message, 'role') !== undefined &&
    ['content', 'tool_calls'].some((key) => at(message, key) !== undefined)
  );
}

function readBare({ value, index }: SourceRecord): Episode {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const items = turnsOf(
    list.map((message, nth) => ({ value: message, raw: `/${nth}` })),
    { isMarked: false },
  );
  const { messages, steps } = historyFrom(items);
  return {
    id: String(index),
    format: 'bare_message_array',
    title: titleFrom(askedIn(items), `Conversation ${index}`),
    tools: [],
    messages,
    steps,
    edits: [],
    outcome: { components: {}, noReward: 'never-kept' },
    metrics: {},
    gaps: [
      ...(steps.length === 0 ? [] : [noTokenIds]),
      { about: 'reward', reason: 'A bare list of messages has no place for a reward.' },
      { about: 'timing', reason: 'A bare list of messages has no times.' },
    ],
  };
}
