import { at, stringAt } from '../../model';
import { listed } from './openai-chat';
import { toolSpecs } from '../tool-specs';
import { conversationFormat, modelOf } from './conversation';
import { messagesAt, turnsOf, type Turn } from './turns';

/**
 * A prompt and its completion, each a text or a list of messages: OpenAI's old fine-tuning data, and TRL's datasets.
 *
 *     { prompt: 'Add 1 and 1.', completion: '2' }
 *     { prompt: [{ role: 'user', content: 'Add 1 and 1.' }], completion: [{ role: 'assistant', content: '2' }] }
 */
export const promptCompletion = conversationFormat(
  {
    id: 'prompt_completion',
    name: 'Prompt and completion',
    confidence: (value) => (isSaid(value, 'prompt') && isSaid(value, 'completion') ? 0.4 : 0),
  },
  (value) => ({
    turns: [...turnsAt(value, 'prompt', 'user'), ...turnsAt(value, 'completion', 'assistant')],
    tools: toolSpecs(listed(at(value, 'tools'))),
    ...modelOf(value),
    spent: ['prompt', 'completion', 'model', 'tools'],
  }),
);

function isSaid(value: unknown, key: string): boolean {
  return stringAt(value, key) !== undefined || messagesAt(value, key) !== undefined;
}

function turnsAt(value: unknown, key: string, role: 'user' | 'assistant'): Turn[] {
  const text = stringAt(value, key);
  if (text === undefined) return turnsOf(messagesAt(value, key) ?? [], `/${key}`);
  const [turn] = turnsOf([{ role, content: text }], `/${key}`);
  return turn === undefined ? [] : [{ ...turn, raw: `/${key}` }];
}
