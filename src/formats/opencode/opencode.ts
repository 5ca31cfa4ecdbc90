import {
  arrayAt,
  at,
  excerpt,
  isObject,
  noCounts,
  numberAt,
  stringAt,
  type Counts,
  type Episode,
  type Metrics,
} from '../../model';
import { oneEpisode } from '../episodes';
import type { SourceRecord } from '../format';
import { noTokenIds } from '../gaps';
import { titleFrom } from '../title';
import { historyOfMessages } from './history';

/**
 * What `opencode export` writes: one session, each message with the parts it was made of.
 *
 *     { info: { id: 'ses_…', title, version, time },
 *       messages: [{ info: { id: 'msg_…', role: 'user', time }, parts: [{ type: 'text', text }] },
 *                  { info: { id: 'msg_…', role: 'assistant', modelID, cost, tokens, finish, summary?, error? },
 *                    parts: [{ type: 'step-start' }, { type: 'reasoning', text }, { type: 'text', text },
 *                            { type: 'tool', callID, tool, state: { status: 'completed', input, output, time } },
 *                            { type: 'step-finish', reason, tokens }] }] }
 */
export const opencodeSession = oneEpisode(
  {
    id: 'opencode_session',
    name: 'opencode session',
    unit: 'record',
    confidence(value) {
      const [first] = arrayAt(value, 'messages') ?? [];
      const isSession = stringAt(at(value, 'info'), 'id')?.startsWith('ses_') === true;
      const isMessage = isObject(at(first, 'info')) && arrayAt(first, 'parts') !== undefined;
      if (isSession) return isMessage || first === undefined ? 0.95 : 0.6;
      return isMessage ? 0.6 : 0;
    },
  },
  read,
  count,
);

function read(record: SourceRecord): Episode {
  const { value } = record;
  const info = at(value, 'info');
  const list = arrayAt(value, 'messages') ?? [];
  const { messages, steps, edits } = historyOfMessages(list);
  const model = list.map((message) => modelOf(at(message, 'info'))).find((name) => name !== undefined);
  const question = messages.find(({ role }) => role === 'user')?.parts.find((part) => part.kind === 'text');
  const error = errorOf(at(list.at(-1), 'info'));
  return {
    id: String(record.index),
    format: 'opencode_session',
    title: titleFrom(
      stringAt(info, 'title') ?? (question?.kind === 'text' ? question.text : undefined),
      'opencode session',
    ),
    ...(model === undefined ? {} : { model }),
    tools: [],
    messages,
    steps,
    edits,
    outcome: { components: {}, noReward: 'never-kept', ...(error === undefined ? {} : { error }) },
    metrics: metricsOf(info, list),
    gaps: [
      {
        about: 'views',
        reason:
          'The system prompt and the tools are not in this file: they stood before everything shown here.',
      },
      { about: 'reward', reason: 'A session has no reward.' },
      noTokenIds,
    ],
  };
}

function modelOf(info: unknown): string | undefined {
  return stringAt(info, 'modelID') ?? stringAt(at(info, 'model'), 'modelID');
}

function errorOf(info: unknown): string | undefined {
  const error = at(info, 'error');
  if (!isObject(error)) return undefined;
  return stringAt(at(error, 'data'), 'message') ?? stringAt(error, 'name') ?? 'error';
}

function metricsOf(info: unknown, list: readonly unknown[]): Metrics {
  const metrics: Metrics = {};
  for (const [key, name] of [
    ['id', 'session_id'],
    ['parentID', 'parent_session_id'],
    ['version', 'version'],
  ] as const) {
    const found = stringAt(info, key);
    if (found !== undefined) metrics[name] = excerpt(found, 80);
  }
  const total = (read: (info: unknown) => number | undefined): number =>
    list.reduce<number>((sum, message) => sum + (read(at(message, 'info')) ?? 0), 0);
  const answers = list.filter((message) => isObject(at(at(message, 'info'), 'tokens')));
  if (answers.length === 0) return metrics;
  metrics['cost'] = total((each) => numberAt(each, 'cost'));
  metrics['output_tokens'] = total((each) => numberAt(at(each, 'tokens'), 'output'));
  return metrics;
}

function count(value: unknown): Counts {
  const counts = noCounts();
  for (const message of arrayAt(value, 'messages') ?? []) {
    if (!isObject(message)) continue;
    counts.messages += 1;
    let thinks = false;
    for (const part of arrayAt(message, 'parts') ?? []) {
      const type = stringAt(part, 'type');
      if (type === 'reasoning') thinks = true;
      if (type !== 'tool') continue;
      counts.toolCalls += 1;
      const status = stringAt(at(part, 'state'), 'status');
      if (status === 'completed' || status === 'error') counts.toolResults += 1;
    }
    if (thinks) counts.reasoning += 1;
  }
  return counts;
}
