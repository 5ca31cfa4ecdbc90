import {
  arrayAt,
  at,
  isObject,
  noCounts,
  stringAt,
  type Counts,
  type Message,
  type Part,
  type Step,
} from '../../model';
import { jsonText } from '../bounded';
import { chatEntry, type ChatEntry } from '../chat-entry';
import { partsOf } from '../content';
import { blockParts, isBlock } from './blocks';

/** A message of a conversation, and where it stands in the record. */
export interface Turn extends ChatEntry {
  raw: string;
}

/**
 * Chat messages of any dialect as turns. A message that carries the results of tools (`tool_result`) is one turn for each
 * of them, and one for what else it says.
 */
export function turnsOf(list: readonly unknown[], base: string): Turn[] {
  const turns: Turn[] = [];
  /** Calls of the old kind have no id: a result answers the last one of its name. */
  const functionCalls = new Map<string, string>();
  list.forEach((message, index) => {
    const raw = `${base}/${index}`;
    if (stringAt(message, 'role') === 'function') {
      const name = stringAt(message, 'name') ?? '';
      const callId = functionCalls.get(name);
      turns.push({ ...toolTurn(at(message, 'content'), raw, callId), toolName: name });
      return;
    }
    for (const turn of turnsOfMessage(message, raw)) turns.push(turn);
    const called = at(message, 'function_call');
    const name = stringAt(called, 'name');
    if (isObject(called) && name !== undefined) {
      const callId = `${raw}/function_call`;
      const args = at(called, 'arguments') ?? '';
      turns.at(-1)?.parts.push({
        kind: 'call',
        call: { callId, name, arguments: typeof args === 'string' ? args : jsonText(args) },
      });
      functionCalls.set(name, callId);
    }
  });
  return turns;
}

/** One message; `raw` is the pointer to it. */
export function turnsOfMessage(message: unknown, raw: string): Turn[] {
  const content = at(message, 'content');
  const isOfBlocks = Array.isArray(content) && content.some(isBlock);
  return isOfBlocks ? blockTurns(message, content, raw) : [{ ...chatEntry(message, raw), raw }];
}

function blockTurns(message: unknown, content: readonly unknown[], raw: string): Turn[] {
  const turns: Turn[] = [];
  const entry = chatEntry({ role: at(message, 'role') }, raw);
  const said: Part[] = [];
  content.forEach((block, nth) => {
    const place = `${raw}/content/${nth}`;
    if (stringAt(block, 'type') === 'tool_result') {
      turns.push(toolTurn(at(block, 'content'), place, stringAt(block, 'tool_use_id')));
    } else {
      for (const part of blockParts(block, entry.role === 'assistant', place)) said.push(part);
    }
  });
  const called = chatEntry({ role: 'assistant', tool_calls: at(message, 'tool_calls') }, raw).parts;
  // Results come first, whatever the order: they answer what was before this message.
  if (said.length > 0 || called.length > 0 || turns.length === 0) {
    const callId = stringAt(message, 'tool_call_id');
    const answers = entry.role === 'tool' && callId !== undefined ? { toolResultFor: [callId] } : {};
    turns.push({ ...entry, ...answers, parts: [...said, ...called], raw });
  }
  return turns;
}

function toolTurn(content: unknown, raw: string, callId: string | undefined): Turn {
  const parts = isObject(content)
    ? [{ kind: 'json' as const, text: jsonText(content) }]
    : Array.isArray(content)
      ? content.flatMap((block, nth) => blockParts(block, false, `${raw}/content/${nth}`))
      : partsOf(content, false);
  return { role: 'tool', parts, ...(callId === undefined ? {} : { toolResultFor: [callId] }), raw };
}

/**
 * Messages and steps of a conversation that does not say which of it a model wrote in one call: an assistant that follows
 * anyone else starts a step, and each turn is a message.
 */
export function historyOfTurns(turns: readonly Turn[]): { messages: Message[]; steps: Step[] } {
  const steps: Step[] = [];
  let isOpen = false;
  const messages = turns.map(({ raw, ...turn }, msgId): Message => {
    const isPolicy = turn.role === 'assistant';
    if (isPolicy && !isOpen) steps.push({ index: steps.length });
    isOpen = isPolicy;
    const origin = isPolicy ? 'policy' : steps.length === 0 ? 'prompt' : 'environment';
    return { msgId, ...turn, origin, bornAtStep: steps.length - 1, raw: [raw] };
  });
  return { messages, steps };
}

/** Messages that are no tool's, calls, tools' results, and messages that come with thoughts. */
export function countTurns(turns: readonly Turn[]): Counts {
  const counts = noCounts();
  for (const { role, parts } of turns) {
    if (role === 'tool') counts.toolResults += 1;
    else counts.messages += 1;
    counts.toolCalls += parts.filter(({ kind }) => kind === 'call').length;
    const isThinking = parts.some(
      (part) => part.kind === 'sealed' || (part.kind === 'reasoning' && part.form !== 'inline'),
    );
    if (isThinking) counts.reasoning += 1;
  }
  return counts;
}

/** The text that a user said first, for a title. */
export function firstQuestion(turns: readonly Turn[]): string | undefined {
  const user = turns.find(({ role, parts }) => role === 'user' && parts.some(({ kind }) => kind === 'text'));
  const text = user?.parts.find((part) => part.kind === 'text');
  return text?.kind === 'text' ? text.text : undefined;
}

/** The messages at a key of a record, if all of them look like some. */
export function messagesAt(value: unknown, key: string): readonly unknown[] | undefined {
  const list = arrayAt(value, key);
  if (list === undefined || list.length === 0) return undefined;
  return list.every((message) => stringAt(message, 'role') !== undefined) ? list : undefined;
}
