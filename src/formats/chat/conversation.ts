import {
  at,
  numberAt,
  type Counts,
  type Episode,
  type Gap,
  type Metrics,
  type Outcome,
  type ToolSpec,
} from '../../model';
import type { Format, SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { noTokenIds } from '../gaps';
import { summaryOf } from '../episodes';
import { titleFrom } from '../title';
import { countTurns, firstQuestion, historyOfTurns, type Turn } from './turns';

/** A record that is a conversation, and nothing that only one kind of file has. */
export interface Conversation {
  turns: readonly Turn[];
  tools?: ToolSpec[];
  model?: string;
  metrics?: Metrics;
  /** Keys of the record that hold the conversation and are no metrics. */
  spent: readonly string[];
  gaps?: Gap[];
}

/** A format whose records are conversations that do not say how they came about. */
export function conversationFormat(
  about: Pick<Format, 'id' | 'name' | 'confidence'>,
  read: (value: unknown) => Conversation,
): Format {
  const made = (record: SourceRecord): { episode: Episode; counts: Counts } => {
    const conversation = read(record.value);
    return {
      episode: episodeOf(conversation, about.id, record),
      counts: countTurns(conversation.turns),
    };
  };
  return {
    ...about,
    unit: 'record',
    summarise(record) {
      const { episode, counts } = made(record);
      return [summaryOf(episode, counts)];
    },
    episode: (record) => made(record).episode,
  };
}

function episodeOf(conversation: Conversation, format: string, { value, index }: SourceRecord): Episode {
  const { turns, tools = [], model, metrics, spent, gaps = [] } = conversation;
  const { messages, steps } = historyOfTurns(turns);
  const rewarded = ['reward', 'score'].find((key) => numberAt(value, key) !== undefined);
  const outcome: Outcome = { components: {} };
  if (rewarded === undefined) outcome.noReward = 'never-kept';
  else outcome.reward = numberAt(value, rewarded) ?? 0;
  return {
    id: String(index),
    format,
    title: titleFrom(firstQuestion(turns), `record ${index}`),
    ...(model === undefined ? {} : { model }),
    tools,
    messages,
    steps,
    edits: [],
    outcome,
    metrics: {
      ...metricsOf(value, new Set([...spent, ...(rewarded === undefined ? [] : [rewarded])])),
      ...metrics,
    },
    gaps: [
      ...(steps.length === 0 ? [] : [inferredCalls]),
      ...gaps,
      ...(rewarded === undefined ? [noReward] : []),
      noTokenIds,
    ],
  };
}

/** Said of everything that only has messages. */
export const inferredCalls: Gap = {
  about: 'views',
  reason:
    'This file does not mark model calls: that each turn of the assistant was one, and saw all that stands before it, is inferred.',
};

export const noReward: Gap = {
  about: 'reward',
  reason: 'This is a conversation without a reward: no number called reward or score stands beside it.',
};

/** Names and the model of a record, where they stand at its top. */
export function modelOf(value: unknown): { model?: string } {
  const model = at(value, 'model');
  return typeof model === 'string' && model !== '' ? { model } : {};
}
