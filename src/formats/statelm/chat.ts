import { arrayAt, at, chatText, isObject, stringAt, type ChatMessage } from '../../model';
import { jsonText } from '../bounded';

/** Chat messages out of a record, as far as they are any. Content that is no text is kept as JSON. */
export function chatMessages(list: unknown): ChatMessage[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map(chatMessage);
}

function chatMessage(value: unknown): ChatMessage {
  const content = at(value, 'content');
  const calls = arrayAt(value, 'tool_calls')?.map(toolCall) ?? [];
  const callId = stringAt(value, 'tool_call_id');
  return {
    role: stringAt(value, 'role') ?? '',
    content:
      typeof content === 'string'
        ? content
        : content === null || content === undefined
          ? null
          : jsonText(content),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(callId === undefined ? {} : { tool_call_id: callId }),
  };
}

function toolCall(call: unknown): NonNullable<ChatMessage['tool_calls']>[number] {
  const fn = at(call, 'function');
  return {
    id: stringAt(call, 'id') ?? '',
    type: 'function',
    function: {
      name: stringAt(fn, 'name') ?? '',
      arguments: stringAt(fn, 'arguments') ?? jsonText(at(fn, 'arguments')),
    },
  };
}

export function sameChat(a: ChatMessage, b: ChatMessage): boolean {
  return a.content === b.content && chatText(a) === chatText(b);
}
