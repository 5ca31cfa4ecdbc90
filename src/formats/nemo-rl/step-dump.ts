import {
  at,
  excerpt,
  isObject,
  noCounts,
  numberAt,
  stringAt,
  type Counts,
  type Episode,
  type Gap,
  type Metrics,
  type TaskRef,
} from '../../model';
import { jsonText } from '../bounded';
import { countChat } from '../chat-entry';
import { fingerprint } from '../fingerprint';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { oneEpisode } from '../episodes';
import { titleFrom } from '../title';
import { contentFrom, readHistory, type Content } from './history';
import { rowTokens, sampleFrom, type RowTokens } from './tokens';

/**
 * `train_data_step{N}.jsonl` and `val_data_step{N}.jsonl` of NeMo RL (https://github.com/NVIDIA-NeMo/RL,
 * `log_batched_dict_as_jsonl`): one training sample per line. The batch was cut into slices of one, so that every value
 * but `idx` stands in a list of its own:
 *
 *     {
 *       content: [['What is 2 + 2?', '4']], rewards: [1.0], input_lengths: [6],
 *       token_ids: [[9, 1, 2, 9, 3, 4, 0]], token_loss_mask: [[0, 0, 0, 0, 1, 1, 0]], sample_loss_mask: [1.0],
 *       advantages: [[...]], generation_logprobs: [[...]], prev_logprobs: [[...]], idx: 0
 *     }
 *
 * Validation has `content: [[{ role, content }, ...]]`, rewards and nothing else. Training has texts without roles, and
 * empty ones where NeMo Gym ran the rollout. Which rows are rollouts of one task is not said: those with the same prompt.
 */
export const nemoRlStepDump = oneEpisode(
  {
    id: 'nemo_rl_step_dump',
    name: 'NeMo RL step dump',
    unit: 'record',
    confidence(value) {
      const rewards = at(value, 'rewards');
      const isSlice = Array.isArray(rewards) && rewards.length === 1 && numberAt(value, 'idx') !== undefined;
      return isSlice && (Array.isArray(at(value, 'content')) || Array.isArray(at(value, 'token_ids')))
        ? 0.9
        : 0;
    },
  },
  read,
  (value) => countsOf(contentFrom(unwrapped(value, 'content'))),
);

/** What a list of one holds. */
function unwrapped(value: unknown, key: string): unknown {
  const found = at(value, key);
  return Array.isArray(found) && found.length === 1 ? found[0] : found;
}

function countsOf(content: Content): Counts {
  if (content.kind === 'messages') return countChat(content.messages);
  const counts = noCounts();
  if (content.kind === 'texts') counts.messages = content.texts.filter((text) => text !== '').length;
  return counts;
}

function read({ value, index }: SourceRecord): Episode {
  const found = rowTokens((key) => unwrapped(value, key));
  const tokens = typeof found === 'object' ? found : undefined;
  const content = contentFrom(unwrapped(value, 'content'));
  const wrapped = at(value, 'content');
  const isWrapped = Array.isArray(wrapped) && wrapped.length === 1;
  const { messages, steps, gaps } = readHistory(content, tokens, isWrapped ? '/content/0' : '/content');
  const task = taskOf(value, content, tokens);
  const row = numberAt(value, 'idx') ?? index;
  const asked = messages.find(({ role, origin }) => role === 'user' && origin === 'prompt');
  const question = asked?.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ');
  const reward = unwrapped(value, 'rewards');
  return {
    id: String(index),
    format: 'nemo_rl_step_dump',
    title: titleFrom(question, `Sample ${row}`),
    ...(task === undefined ? {} : { task }),
    tools: [],
    messages,
    steps,
    edits: [],
    ...(tokens === undefined ? {} : { samples: [sampleFrom(tokens, steps.length)] }),
    outcome: {
      components: {},
      ...(isReward(reward) ? { reward } : reward === undefined ? {} : { noReward: 'not-a-number' }),
    },
    metrics: rowMetrics(value),
    gaps: [
      ...gaps,
      ...tokenGaps(found),
      ...(isReward(reward) ? [] : [rewardGap(reward)]),
      { about: 'timing', reason: 'This dump has no times.' },
    ],
  };
}

function isReward(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function rewardGap(reward: unknown): Gap {
  const shown = typeof reward === 'number' ? String(reward) : excerpt(jsonText(reward), 40);
  return {
    about: 'reward',
    reason:
      reward === undefined
        ? 'This row has no reward.'
        : `The reward of this row is ${shown}, which is not a finite number.`,
  };
}

function tokenGaps(found: RowTokens | 'none' | 'broken'): Gap[] {
  if (typeof found === 'object') return [];
  return [
    {
      about: 'tokens',
      reason:
        found === 'none'
          ? 'This row has no token ids: masks cannot be shown.'
          : 'The token ids of this row are not all whole numbers, or it has no loss mask for them.',
    },
  ];
}

/** The tokens before the first that is trained, or the messages before the first of the policy, are the task. */
function taskOf(value: unknown, content: Content, tokens: RowTokens | undefined): TaskRef | undefined {
  const rollout = numberAt(value, 'idx');
  const prompt = promptOf(content, tokens);
  if (prompt === undefined) return undefined;
  return { key: fingerprint(prompt), ...(rollout === undefined ? {} : { rollout }) };
}

function promptOf(content: Content, tokens: RowTokens | undefined): string | undefined {
  const [first] = tokens?.runs ?? [];
  if (tokens !== undefined && first !== undefined) return tokens.ids.subarray(0, first[0]).join(' ');
  if (content.kind !== 'messages') return undefined;
  const end = content.messages.findIndex((message) => stringAt(message, 'role') === 'assistant');
  return jsonText(end < 0 ? content.messages : content.messages.slice(0, end));
}

function rowMetrics(value: unknown): Metrics {
  if (!isObject(value)) return {};
  const fields = Object.keys(value).map((key) => [key, unwrapped(value, key)] as const);
  const metrics = metricsOf(Object.fromEntries(fields), new Set(['rewards', 'content', 'idx']));
  const agent = stringAt(unwrapped(value, 'agent_ref'), 'name');
  if (agent !== undefined) metrics['agent'] ??= agent;
  return metrics;
}
