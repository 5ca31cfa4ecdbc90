import { arrayAt, at, stringAt, type Role } from '../../model';
import { jsonText } from '../bounded';
import { splitThoughts } from '../think';
import { calledPart, parsed } from './blocks';
import { conversationFormat } from './conversation';
import { listed } from './openai-chat';
import { toolSpecs } from '../tool-specs';
import type { Turn } from './turns';

/**
 * ShareGPT's conversations, as LLaMA-Factory, FastChat and Axolotl read them:
 *
 *     { conversations: [{ from: 'human', value: 'Add 1.' },
 *                       { from: 'function_call', value: '{"name": "add", "arguments": {"n": 1}}' },
 *                       { from: 'observation', value: '1' },
 *                       { from: 'gpt', value: 'It is 1.' }],
 *       system?: '…', tools?: '[{"name": "add", …}]' }
 *
 * Calls have no ids: an observation answers the calls right before it.
 */
export const sharegpt = conversationFormat(
  {
    id: 'sharegpt',
    name: 'ShareGPT',
    confidence(value) {
      const list = arrayAt(value, 'conversations') ?? arrayAt(value, 'conversation');
      if (list === undefined || list.length === 0) return 0;
      return list.every((turn) => stringAt(turn, 'from') !== undefined && at(turn, 'value') !== undefined)
        ? 0.8
        : 0;
    },
  },
  (value) => {
    const key = arrayAt(value, 'conversations') === undefined ? 'conversation' : 'conversations';
    const system = stringAt(value, 'system') ?? '';
    return {
      turns: [
        ...(system === ''
          ? []
          : [{ role: 'system' as const, parts: [{ kind: 'text' as const, text: system }], raw: '/system' }]),
        ...turnsFrom(arrayAt(value, key) ?? [], `/${key}`),
      ],
      tools: toolSpecs(listed(at(value, 'tools'))),
      spent: ['system', 'tools'],
    };
  },
);

const speakers = new Map<string, Role>([
  ['human', 'user'],
  ['user', 'user'],
  ['gpt', 'assistant'],
  ['chatgpt', 'assistant'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['bing', 'assistant'],
  ['bard', 'assistant'],
  ['function_call', 'assistant'],
  ['system', 'system'],
  ['observation', 'tool'],
  ['tool', 'tool'],
  ['function_response', 'tool'],
]);

function turnsFrom(list: readonly unknown[], base: string): Turn[] {
  let open: string[] = [];
  return list.map((each, index) => {
    const raw = `${base}/${index}`;
    const from = stringAt(each, 'from') ?? 'unknown';
    const role = speakers.get(from) ?? 'user';
    const value = stringAt(each, 'value') ?? '';
    if (role === 'tool') {
      const toolResultFor = open;
      open = [];
      return {
        role,
        parts: [{ kind: 'text', text: value }],
        ...(toolResultFor.length === 0 ? {} : { toolResultFor }),
        raw,
      };
    }
    const parts =
      from === 'function_call'
        ? callsIn(value, raw)
        : role === 'assistant'
          ? splitThoughts(value)
          : [{ kind: 'text' as const, text: value }];
    open = parts.flatMap((part) => (part.kind === 'call' ? [part.call.callId] : []));
    return { role, ...(speakers.has(from) ? {} : { roleLabel: from }), parts, raw };
  });
}

/** One call, or a list of them. */
function callsIn(value: string, raw: string): Turn['parts'] {
  const list = parsed(value);
  if (!Array.isArray(list)) return [calledPart(value, raw)];
  return list.map((call: unknown, nth) => calledPart(jsonText(call), `${raw}#${nth}`));
}
