import { messageText } from './text';
import type { Message, Part } from './episode';
import { toolCallsOf } from './history';
import { once } from './once';
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

/** Written once for every message, which is never changed once it is built; not to be changed either. */
export const chatMessage = once((message: Message): ChatMessage => {
  const calls = toolCallsOf(message);
  const reasoning = message.parts
    .flatMap((part) => (part.kind === 'reasoning' && part.form !== 'inline' ? [part.text] : []))
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
});

function contentOf(message: Message): string | ChatPart[] | null {
  const said = withInline(message.parts).filter(
    ({ kind }) => kind !== 'reasoning' && kind !== 'sealed' && kind !== 'call',
  );
  if (said.length === 0) return null;
  if (!said.some((part) => part.kind === 'image')) return messageText({ parts: said });
  return said.map(chatPart);
}

/** Thoughts that were cut out of a text are put back where they stood: they were sent as part of it, tags and all. */
function withInline(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  let afterThought = false;
  for (const part of parts) {
    const isThought = part.kind === 'reasoning' && part.form === 'inline';
    const last = whole.at(-1);
    if (isThought || (part.kind === 'text' && afterThought)) {
      if (last?.kind === 'text') whole.splice(-1, 1, { kind: 'text', text: last.text + part.text });
      else whole.push({ kind: 'text', text: part.text });
    } else whole.push(part);
    afterThought = isThought;
  }
  return whole;
}

function chatPart(part: Part): ChatPart {
  if (part.kind === 'image') return { type: 'image_url', image_url: { url: part.url } };
  return { type: 'text', text: messageText({ parts: [part] }) };
}
