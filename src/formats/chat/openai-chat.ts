import { arrayAt, at, isObject, stringAt, type Gap } from '../../model';
import { many } from '../gaps';
import { toolSpecs } from '../tool-specs';
import { isBlock, parsed } from './blocks';
import { conversationFormat, modelOf, type Conversation } from './conversation';
import { messagesAt, turnsOf } from './turns';

/**
 * Chat as OpenAI's API and fine-tuning have it (https://platform.openai.com/docs/api-reference/fine-tuning/chat-input),
 * one conversation per record:
 *
 *     { messages: [{ role: 'user', content: 'Add 1.' },
 *                  { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name, arguments } }], weight? },
 *                  { role: 'tool', tool_call_id, content: '1' }],
 *       tools?, parallel_tool_calls?, functions? }
 */
export const openaiChat = conversationFormat(
  {
    id: 'openai_chat',
    name: 'OpenAI chat',
    confidence: (value) => (isOpenai(value) ? 0.55 : 0),
  },
  read,
);

/**
 * The same with whatever else people put beside the messages (`images`, `source`, `id`), or in their content: Anthropic's
 * blocks, LLaMA-Factory's parts. Usually the elements of one array. Also under `conversations`.
 */
export const chatMessages = conversationFormat(
  {
    id: 'chat_messages_array',
    name: 'Chat messages',
    confidence: (value) => (keyOf(value) === undefined ? 0 : 0.5),
  },
  read,
);

/** What a request to chat completions, or a line of fine-tuning data, can have. */
const openaiKeys = new Set([
  'messages',
  'tools',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'tool_choice',
  'model',
  'temperature',
  'top_p',
  'n',
  'stop',
  'seed',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'reasoning_effort',
  'metadata',
  'store',
  'stream',
  'user',
]);

function isOpenai(value: unknown): boolean {
  const messages = messagesAt(value, 'messages');
  if (messages === undefined || !isObject(value)) return false;
  if (!Object.keys(value).every((key) => openaiKeys.has(key))) return false;
  return !messages.some((message) => arrayAt(message, 'content')?.some(isBlock) === true);
}

function keyOf(value: unknown): 'messages' | 'conversations' | undefined {
  return (['messages', 'conversations'] as const).find((key) => messagesAt(value, key) !== undefined);
}

function read(value: unknown): Conversation {
  const key = keyOf(value) ?? 'messages';
  const list = arrayAt(value, key) ?? [];
  const system = stringAt(value, 'system');
  const unweighted = list.filter(
    (message) => at(message, 'weight') === 0 || at(message, 'loss_weight') === 0,
  );
  return {
    turns: [
      ...(system === undefined || system === ''
        ? []
        : [{ role: 'system' as const, parts: [{ kind: 'text' as const, text: system }], raw: '/system' }]),
      ...turnsOf(list, `/${key}`),
    ],
    tools: toolSpecs([...listed(at(value, 'tools')), ...listed(at(value, 'functions'))]),
    ...modelOf(value),
    ...(unweighted.length === 0 ? {} : { metrics: { messages_of_weight_0: unweighted.length } }),
    spent: ['model', 'system', 'tools'],
    gaps: mediaGaps(value),
  };
}

/** Tools are a list, or one in a string. */
export function listed(tools: unknown): readonly unknown[] {
  const list = typeof tools === 'string' ? parsed(tools) : tools;
  return Array.isArray(list) ? list : [];
}

/** `<image>` in a text stands for a file that is only named. */
function mediaGaps(value: unknown): Gap[] {
  return ['images', 'videos', 'audios'].flatMap((key): Gap[] => {
    const count = arrayAt(value, key)?.length ?? 0;
    if (count === 0) return [];
    const what = many(count, key.slice(0, -1));
    return [
      {
        about: 'messages',
        reason: `${what} of this conversation ${count === 1 ? 'is a file' : 'are files'} of ${count === 1 ? 'its' : 'their'} own: the record only names ${count === 1 ? 'it' : 'them'}, under ${key}.`,
      },
    ];
  });
}
