import {
  arrayAt,
  at,
  isObject,
  noCounts,
  roleNamed,
  stringAt,
  type Counts,
  type Part,
  type Role,
} from '../model';
import { jsonText } from './bounded';
import { partsOf, unknownPart } from './content';

/** One message of a list of chat messages, read as far as a history needs it. */
export interface ChatEntry {
  role: Role;
  roleLabel?: string;
  parts: Part[];
  toolResultFor?: string[];
  toolName?: string;
}

/**
 * `{ role, content, reasoning_content?, tool_calls?, tool_call_id?, name? }`, where content is text or a list of typed
 * parts, and a call is `{ id, function: { name, arguments } }`, `{ id, name, arguments }`, or either of them as JSON in a
 * string. `raw` is the pointer to it; a call without an id is named by its place.
 */
export function chatEntry(message: unknown, raw: string): ChatEntry {
  if (!isObject(message)) return { role: 'user', roleLabel: 'unknown', parts: [unknownPart(message)] };
  const label = stringAt(message, 'role') ?? 'unknown';
  const spoken = roleNamed(label);
  const { role } = spoken;
  const isAssistant = role === 'assistant';
  const callId = stringAt(message, 'tool_call_id');
  const toolName = role === 'tool' ? stringAt(message, 'name') : undefined;
  return {
    ...spoken,
    parts: [
      ...thoughtsOf(message),
      ...contentParts(at(message, 'content'), isAssistant),
      ...callsOf(message).map((call, nth) => callPart(call, `${raw}/tool_calls/${nth}`)),
    ],
    ...(role === 'tool' && callId !== undefined ? { toolResultFor: [callId] } : {}),
    ...(toolName === undefined ? {} : { toolName }),
  };
}

/** Thoughts apart from the content, under any of the names that servers give them. */
export function reasoningOf(message: unknown): string {
  for (const key of ['reasoning_content', 'reasoning', 'thinking']) {
    const text = stringAt(message, key) ?? '';
    if (text !== '') return text;
  }
  return '';
}

function thoughtsOf(message: unknown): Part[] {
  const text = reasoningOf(message);
  return text === '' ? [] : [{ kind: 'reasoning', form: 'full', text }];
}

/** Empty content is what a message of nothing but calls has. */
function contentParts(content: unknown, isAssistant: boolean): Part[] {
  if (content === '') return [];
  if (isObject(content)) return [{ kind: 'json', text: jsonText(content) }];
  if (!Array.isArray(content)) return partsOf(content, isAssistant);
  return content.flatMap((part: unknown): Part[] => {
    const thought = stringAt(part, 'type') === 'thinking' ? stringAt(part, 'thinking') : undefined;
    return thought === undefined
      ? partsOf([part], isAssistant)
      : [{ kind: 'reasoning', form: 'full', text: thought }];
  });
}

/** As the message lists them, and as values: those that stand there as JSON strings are parsed. */
export function callsOf(message: unknown): unknown[] {
  return (arrayAt(message, 'tool_calls') ?? []).map((call) => {
    if (typeof call !== 'string') return call;
    try {
      return JSON.parse(call);
    } catch {
      return call;
    }
  });
}

export function callPart(call: unknown, place: string): Part {
  const called = isObject(at(call, 'function')) ? at(call, 'function') : call;
  const name = stringAt(called, 'name');
  if (name === undefined) return unknownPart(call);
  const given = at(called, 'arguments') ?? '';
  return {
    kind: 'call',
    call: {
      callId: stringAt(call, 'id') ?? place,
      name,
      arguments: typeof given === 'string' ? given : jsonText(given),
    },
  };
}

/** Messages that are no tool's, calls, tools' results, and messages that come with thoughts. */
export function countChat(messages: readonly unknown[]): Counts {
  const counts = noCounts();
  for (const message of messages) {
    if (!isObject(message)) continue;
    if (stringAt(message, 'role') === 'tool') counts.toolResults += 1;
    else counts.messages += 1;
    counts.toolCalls += arrayAt(message, 'tool_calls')?.length ?? 0;
    if (reasoningOf(message) !== '') counts.reasoning += 1;
  }
  return counts;
}
