import { messageText } from './text';
import type { Message, Part } from './episode';
import { toolCallsOf } from './history';
import type { ViewEntry } from './view';

/** A message in the shape of OpenAI's chat completions, which every tool of the field reads. */
export interface ChatMessage {
  role: string;
  content: string | ChatPart[] | null;
  reasoning_content?: string;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export type ChatPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** What a deletion leaves in the view. */
export const STUB_TEXT = 'Content has been deleted to save space.';

/** A view as chat messages: what was removed is not in it, what was deleted is its stub. */
export function chatOf(view: readonly ViewEntry[]): ChatMessage[] {
  return view.flatMap((entry) => {
    if (entry.state === 'removed') return [];
    const chat = chatMessage(entry.message);
    return [entry.state === 'stub' ? chatStub(chat, entry.edit.stub) : chat];
  });
}

/** Calls keep their id and name, so that the results that answer them still have something to answer. */
function chatStub({ role, tool_calls, tool_call_id }: ChatMessage, stub = STUB_TEXT): ChatMessage {
  const args = JSON.stringify({ message: stub });
  return {
    role,
    content: stub,
    ...(tool_calls === undefined
      ? {}
      : {
          tool_calls: tool_calls.map((call) => ({
            ...call,
            function: { name: call.function.name, arguments: args },
          })),
        }),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
  };
}

export function chatMessage(message: Message): ChatMessage {
  const calls = toolCallsOf(message);
  const reasoning = message.parts
    .flatMap((part) => (part.kind === 'reasoning' ? [part.text] : []))
    .join('\n');
  const [callId] = message.toolResultFor ?? [];
  return {
    role: message.roleLabel ?? message.role,
    content: contentOf(message),
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            id: call.callId,
            type: 'function' as const,
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
    ...(callId === undefined ? {} : { tool_call_id: callId }),
  };
}

function contentOf(message: Message): string | ChatPart[] | null {
  const said = message.parts.filter((part) => !['reasoning', 'sealed', 'call'].includes(part.kind));
  if (said.length === 0) return null;
  if (!said.some((part) => part.kind === 'image')) return messageText({ ...message, parts: said });
  return said.map(chatPart);
}

function chatPart(part: Part): ChatPart {
  if (part.kind === 'image') return { type: 'image_url', image_url: { url: part.url } };
  return { type: 'text', text: messageText({ parts: [part] }) };
}
