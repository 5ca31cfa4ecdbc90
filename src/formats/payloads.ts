import { arrayAt, at, isObject, stringAt } from '../model';
import type { Placed } from './model-calls';
import { responsesMessages } from './responses-items';

/**
 * What model calls were sent and answered, out of the payloads of the providers, as chat messages:
 *
 *     Responses   { instructions, input: 'text' | Item[] }                { output: Item[], status }
 *     OpenAI      { messages: [{ role, content, tool_calls }] }           { choices: [{ message, finish_reason }] }
 *     Anthropic   { system, messages: [{ role, content: blocks }] }       { role, content: blocks, stop_reason }
 *     Gemini      { systemInstruction, contents: [{ role, parts }] }      { candidates: [{ content, finishReason }] }
 *
 * and bare `{ content, tool_calls }`. Anything else is one message that holds the payload as it is.
 */
export function sentMessages(data: unknown, raw: string): Placed[] {
  if (data === null || data === undefined) return [];
  if (typeof data === 'string') return [{ value: { role: 'user', content: data }, raw }];
  if (arrayAt(data, 'messages') === undefined && at(data, 'input') !== undefined)
    return askedItems(data, raw);
  const nested = at(data, 'content');
  const [list, key] =
    [
      [arrayAt(data, 'messages'), 'messages'] as const,
      [arrayAt(data, 'contents'), 'contents'] as const,
      [arrayAt(nested, 'messages'), 'content/messages'] as const,
    ].find(([found]) => found !== undefined) ?? [];
  if (list === undefined) return [{ value: { role: 'user', content: data }, raw }];
  const system = at(data, 'system') ?? at(data, 'systemInstruction') ?? at(data, 'system_instruction');
  const first = system === undefined || system === null ? [] : [systemMessage(system)];
  return [
    ...first.map((value) => ({ value, raw: `${raw}/system` })),
    ...list.flatMap((message, nth) =>
      chatMessages(message).map((value) => ({ value, raw: `${raw}/${key}/${nth}` })),
    ),
  ];
}

export function answeredMessages(data: unknown, raw: string): Placed[] {
  if (data === null || data === undefined) return [];
  const items = arrayAt(data, 'output');
  if (items !== undefined) return responsesMessages(items, `${raw}/output`);
  const message =
    at(arrayAt(data, 'choices')?.[0], 'message') ?? at(arrayAt(data, 'candidates')?.[0], 'content') ?? data;
  const said = isSpoken(message)
    ? { ...message, role: 'assistant' }
    : { role: 'assistant', content: message };
  return chatMessages(said).map((value) => ({ value, raw }));
}

function askedItems(data: unknown, raw: string): Placed[] {
  const instructions = stringAt(data, 'instructions');
  const input = at(data, 'input');
  return [
    ...(instructions === undefined
      ? []
      : [{ value: { role: 'system', content: instructions }, raw: `${raw}/instructions` }]),
    ...(Array.isArray(input)
      ? responsesMessages(input, `${raw}/input`)
      : [{ value: { role: 'user', content: input }, raw: `${raw}/input` }]),
  ];
}

function isSpoken(message: unknown): message is Record<string, unknown> {
  return isObject(message) && ['content', 'tool_calls', 'parts'].some((key) => Object.hasOwn(message, key));
}

const cutOff = new Set(['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens']);

/** Why an answer was cut off, if it was. */
export function cutOffReason(data: unknown): string | undefined {
  const reason =
    stringAt(arrayAt(data, 'choices')?.[0], 'finish_reason') ??
    stringAt(arrayAt(data, 'candidates')?.[0], 'finishReason') ??
    stringAt(data, 'stop_reason') ??
    stringAt(at(data, 'incomplete_details'), 'reason');
  return reason !== undefined && cutOff.has(reason) ? reason : undefined;
}

function systemMessage(system: unknown): unknown {
  return { role: 'system', content: plain(arrayAt(system, 'parts') ?? system) };
}

/** One message as chat messages: Anthropic's and Gemini's results stand among the parts of a user's message. */
function chatMessages(message: unknown): unknown[] {
  const blocks = arrayAt(message, 'parts') ?? arrayAt(message, 'content');
  const role = stringAt(message, 'role') === 'model' ? 'assistant' : at(message, 'role');
  if (!isObject(message) || blocks === undefined) return [message];
  const messages: unknown[] = [];
  const said: unknown[] = [];
  const calls: unknown[] = [...(arrayAt(message, 'tool_calls') ?? [])];
  for (const block of blocks) {
    const call = callOf(block);
    const result = resultOf(block);
    if (call !== undefined) calls.push(call);
    else if (result !== undefined) messages.push(result);
    else said.push(block);
  }
  if (said.length > 0 || calls.length > 0 || messages.length === 0) {
    const name = at(message, 'tool_call_id');
    messages.push({
      role,
      content: plain(said),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(name === undefined ? {} : { tool_call_id: name }),
    });
  }
  return messages;
}

function callOf(block: unknown): unknown {
  const gemini = at(block, 'functionCall') ?? at(block, 'function_call');
  if (isObject(gemini)) {
    return { id: at(gemini, 'id'), name: at(gemini, 'name'), arguments: at(gemini, 'args') ?? {} };
  }
  if (stringAt(block, 'type') !== 'tool_use') return undefined;
  return { id: at(block, 'id'), name: at(block, 'name'), arguments: at(block, 'input') ?? {} };
}

function resultOf(block: unknown): unknown {
  const gemini = at(block, 'functionResponse') ?? at(block, 'function_response');
  if (isObject(gemini)) {
    const id = at(gemini, 'id');
    return {
      role: 'tool',
      name: at(gemini, 'name'),
      content: at(gemini, 'response'),
      ...(id === undefined ? {} : { tool_call_id: id }),
    };
  }
  if (stringAt(block, 'type') !== 'tool_result') return undefined;
  return { role: 'tool', tool_call_id: at(block, 'tool_use_id'), content: plain(at(block, 'content')) };
}

/** A single piece of text is the text, so that an answer is recognised in the contexts that repeat it. */
function plain(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  if (content.length === 0) return '';
  const parts = content.map((part: unknown) => {
    const text = stringAt(part, 'text');
    return text !== undefined && ['text', undefined].includes(stringAt(part, 'type'))
      ? { type: 'text', text }
      : part;
  });
  const [only] = parts;
  return parts.length === 1 && stringAt(only, 'type') === 'text' ? stringAt(only, 'text') : parts;
}
