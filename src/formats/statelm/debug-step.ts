import {
  arrayAt,
  at,
  coveredBy,
  numberAt,
  readChatml,
  spansOfMask,
  stringAt,
  type ChatmlTurn,
  type Episode,
  type Outcome,
  type Sample,
  type TokenTrack,
} from '../../model';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { tokenIds } from '../token-lists';
import { oneEpisode } from '../episodes';
import { titleFrom } from '../title';
import { readHistory, type HistoryEntry } from './history';
import { floatsFrom } from './tokens';

/**
 * `debug_step_{N}.jsonl` of StateLM's training: one training sample per line, decoded, with its rewards, advantages
 * and log-probabilities per response token. Padding is part of it. Nothing is counted: the text is not a list of messages.
 */
export const statelmDebugStep = oneEpisode(
  {
    id: 'statelm_debug_step',
    name: 'StateLM training debug step',
    unit: 'record',
    confidence: (value) =>
      stringAt(value, 'prompt_full') !== undefined &&
      stringAt(value, 'response_full') !== undefined &&
      at(value, 'sample_idx') !== undefined
        ? 1
        : 0,
  },
  read,
);

const padding = '<|endoftext|>';
const texts = new Set(['prompt_full', 'response_full', 'unmasked_full_sequence', 'unmasked_response']);

function read(record: SourceRecord): Episode {
  const { value } = record;
  const prompt = unpadded(stringAt(value, 'prompt_full') ?? '');
  const response = unpadded(stringAt(value, 'response_full') ?? '');
  const asked = readChatml(prompt) ?? [{ role: 'user', content: prompt, calls: [] }];
  const emitted = readChatml(`<|im_start|>assistant\n${response}`) ?? [];
  const before = readHistory(asked.map((turn) => entryFrom(turn, '/prompt_full')));
  const after = readHistory(emitted.map((turn) => entryFrom(turn, '/response_full')));
  const reward = numberAt(value, 'total_reward');
  const uid = stringAt(value, 'uid');
  const messages = [
    // What stood in the prompt was not emitted by this sample's calls.
    ...before.messages.map((message) => ({ ...message, origin: 'prompt' as const, bornAtStep: -1 })),
    ...after.messages,
  ].map((message, index) => ({ ...message, msgId: index }));
  const question = asked.find(({ role }) => role === 'user')?.content;
  return {
    id: String(record.index),
    format: 'statelm_debug_step',
    title: titleFrom(question, `Sample ${record.index}`),
    ...(uid === undefined ? {} : { task: { key: uid } }),
    tools: [],
    messages,
    steps: after.steps,
    edits: [],
    samples: [sampleFrom(value, after.steps.length, { prompt, response })],
    outcome: { components: {}, ...(reward === undefined ? whyNone(at(value, 'total_reward')) : { reward }) },
    metrics: metricsOf(value, texts),
    gaps: [
      {
        about: 'messages',
        reason: 'Turns are inferred from the decoded text, which marks them but can be misread.',
      },
      { about: 'tokens', reason: 'Token ids are recorded for trained tokens only.' },
    ],
  };
}

/** NaN is written as it is, or as null. */
function whyNone(found: unknown): Pick<Outcome, 'noReward'> {
  return found === undefined ? {} : { noReward: 'not-a-number' };
}

/** Padding stands before the prompt and behind the response. */
function unpadded(text: string): string {
  let [start, end] = [0, text.length];
  while (text.startsWith(padding, start)) start += padding.length;
  while (end - padding.length >= start && text.endsWith(padding, end)) end -= padding.length;
  return text.slice(start, end);
}

function entryFrom({ role, content, calls }: ChatmlTurn, raw: string): HistoryEntry {
  return { value: { role, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }, raw: [raw] };
}

function sampleFrom(value: unknown, steps: number, text: { prompt: string; response: string }): Sample {
  const tokens = trackFrom(value);
  const total = numberAt(value, 'n_total_tokens') ?? tokens.maskLength;
  const response = numberAt(value, 'n_total_response_tokens') ?? tokens.maskLength;
  return {
    kind: at(value, 'is_snapshot') === true ? 'snapshot' : 'final',
    index: 0,
    firstStep: 0,
    lastStep: steps - 1,
    tokens,
    sizes: {
      prompt: Math.max(total - response, 0),
      response,
      mask: tokens.maskLength,
      trained: numberAt(value, 'n_unmasked_response_tokens') ?? coveredBy(tokens.trained, Infinity),
    },
    text,
  };
}

const perToken: [name: string, list: string, inBreakdown: string][] = [
  ['reward', 'token_level_rewards', 'reward'],
  ['advantage', 'advantages', 'advantage'],
  ['return', 'returns', 'return'],
  ['refLogprob', 'ref_log_probs', 'ref_log_prob'],
  ['value', 'values', 'value'],
];

function trackFrom(value: unknown): TokenTrack {
  const lists = [...perToken.map(([, list]) => list), 'old_log_probs'];
  const length = Math.max(0, ...lists.map((list) => arrayAt(value, list)?.length ?? 0));
  const told = (arrayAt(value, 'unmasked_token_breakdown') ?? []).flatMap((token) => {
    const index = numberAt(token, 'token_idx');
    return index !== undefined && Number.isInteger(index) && index >= 0 && index < length
      ? [{ index, token }]
      : [];
  });
  const responseIds = new Int32Array(length).fill(-1);
  const tokenTexts = Array.from<string | undefined>({ length });
  const mask = new Uint8Array(length);
  for (const { index, token } of told) {
    mask[index] = 1;
    responseIds[index] = tokenIds([at(token, 'token_id')])?.[0] ?? -1;
    tokenTexts[index] = stringAt(token, 'token_text');
  }
  const numbers = (list: string, name: string): Float32Array | undefined => {
    const recorded = floatsFrom(arrayAt(value, list));
    if (recorded?.length !== length || length === 0) return undefined;
    for (const { index, token } of told)
      recorded[index] = numberAt(token, name) ?? recorded[index] ?? Number.NaN;
    return recorded;
  };
  const logprobs = numbers('old_log_probs', 'old_log_prob');
  const values: Record<string, Float32Array> = {};
  for (const [name, list, inBreakdown] of perToken) {
    const found = numbers(list, inBreakdown);
    if (found !== undefined) values[name] = found;
  }
  return {
    promptIds: new Int32Array(),
    responseIds,
    maskLength: length,
    trained: spansOfMask(mask),
    turns: [],
    ...(logprobs === undefined ? {} : { logprobs }),
    values,
    texts: tokenTexts,
  };
}
