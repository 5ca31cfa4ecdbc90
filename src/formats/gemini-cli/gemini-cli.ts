import { at, numberAt, stringAt, type Episode, type Metrics } from '../../model';
import { oneEpisode } from '../episodes';
import type { SourceRecord } from '../format';
import { noTokenIds } from '../gaps';
import { metricsOf } from '../metrics';
import { titleFrom } from '../title';
import { countEntries, historyOfLog } from './history';
import { isMessage, logOf, type SessionLog } from './log';

/**
 * Sessions of Gemini CLI, as it keeps them under `~/.gemini/tmp/<project>/chats`: one object, or a log of lines (`log.ts`).
 *
 *     { sessionId, projectHash, startTime, lastUpdated, summary?,
 *       messages: [{ id, timestamp, type: 'user', content: 'Add 1.' },
 *                  { id, timestamp, type: 'gemini', content: '', model, tokens: { input, output, … },
 *                    thoughts: [{ subject, description }], toolCalls: [{ id, name, args, result, status }] }] }
 */
export const geminiCliSession = oneEpisode(
  { id: 'gemini_cli_session', name: 'Gemini CLI session', unit: 'source', confidence },
  read,
  (value) => countEntries(logOf(valuesOf(value))),
);

function confidence(value: unknown): number {
  if (Array.isArray(value)) {
    // All lines of a log: the first is about the session.
    return value.length > 0 && isSession(value[0]) ? 0.95 : 0;
  }
  if (isSession(value)) return 0.95;
  // A message alone could be someone else's too.
  return isMessage(value) ? 0.5 : 0;
}

function isSession(value: unknown): boolean {
  return stringAt(value, 'sessionId') !== undefined && stringAt(value, 'projectHash') !== undefined;
}

function valuesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function read(record: SourceRecord): Episode {
  const log = logOf(valuesOf(record.value));
  const { messages, steps, edits, notices } = historyOfLog(log);
  const model = [...log.entries.values()]
    .map(({ value }) => stringAt(value, 'model'))
    .find((name) => name !== undefined);
  const question = messages.find(({ role }) => role === 'user')?.parts.find((part) => part.kind === 'text');
  const named = stringAt(log.about, 'summary');
  return {
    id: String(record.index),
    format: 'gemini_cli_session',
    title: titleFrom(named ?? (question?.kind === 'text' ? question.text : undefined), 'Gemini CLI session'),
    ...(model === undefined ? {} : { model }),
    tools: [],
    messages,
    steps,
    edits,
    outcome: { components: {}, noReward: 'never-kept' },
    metrics: {
      ...metricsOf(log.about, new Set(['summary'])),
      ...(notices === 0 ? {} : { notices }),
      ...tokensOf(log),
    },
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

/** As the provider counted them: what all calls emitted, and the context of the last. */
function tokensOf({ entries }: SessionLog): Metrics {
  const counts = [...entries.values()]
    .map(({ value }) => at(value, 'tokens'))
    .filter((each) => at(each, 'output') !== undefined);
  const last = numberAt(counts.at(-1), 'input');
  if (last === undefined) return {};
  const output = counts.reduce<number>((sum, each) => sum + (numberAt(each, 'output') ?? 0), 0);
  return { output_tokens: output, last_context_tokens: last };
}
