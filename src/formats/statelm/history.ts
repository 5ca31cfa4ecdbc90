import {
  arrayAt,
  at,
  entriesOf,
  exchangesOf,
  isObject,
  itemsOf,
  pointer,
  pythonJson,
  roleNamed,
  stringAt,
  valueText,
  type Gap,
  type Message,
  type Part,
  type Step,
} from '../../model';
import { bounded, jsonText } from '../bounded';

/** One entry of a StateLM history, as the source has it or as it was taken out of a rendered view. */
export interface HistoryEntry {
  value: unknown;
  /** The entry's own text: what `JSON.parse` loses of a tool result is read from it. */
  text?: string;
  /** JSON pointers to where it stands: two where the source repeats it. */
  raw: string[];
}

export interface History {
  messages: Message[];
  steps: Step[];
  gaps: Gap[];
}

/** The entries of a list in a record, each with its text. */
export function entriesAt(value: unknown, text: string, key: string): HistoryEntry[] {
  const list = arrayAt(value, key) ?? [];
  const texts = itemsOf(valueText(text, [key]) ?? '') ?? [];
  return list.map((entry, index) => ({
    value: entry,
    // A text that does not fit its value cannot speak for it.
    ...(texts.length === list.length ? { text: texts[index] ?? '' } : {}),
    raw: [pointer(key, index)],
  }));
}

/**
 * The messages and steps of a StateLM history: every assistant entry is a model call. Ids are the source's, as far as
 * it gives each once; what has none gets one below zero.
 */
export function readHistory(entries: readonly HistoryEntry[]): History {
  const history: History = { messages: [], steps: [], gaps: [] };
  const ids = new IdGiver(entries.map(({ value }) => at(value, 'msg_id')));
  for (const entry of entries) {
    const role = at(entry.value, 'role');
    if (!isObject(entry.value) || typeof role !== 'string') {
      history.gaps.push({
        about: 'messages',
        reason: `What stands at ${entry.raw[0] ?? 'one place'} is not a message and was left out.`,
      });
      continue;
    }
    if (role === 'assistant' || isFailedCall(entry.value))
      history.steps.push({ index: history.steps.length });
    history.messages.push(messageFrom(entry, role, history.steps.length - 1, ids));
  }
  for (const { call, result } of exchangesOf(history.messages)) {
    if (result !== undefined) result.toolResultFor ??= [call.callId];
  }
  return history;
}

/** The inference loop notes a call that failed as a tool result that no assistant asked for. */
export function isFailedCall(entry: unknown): boolean {
  return at(entry, 'tool_use_id') === 'api_failure';
}

class IdGiver {
  readonly #given = new Set<number>();
  #below: number;

  constructor(recorded: readonly unknown[]) {
    this.#below = recorded.reduce<number>((low, id) => (isId(id) ? Math.min(low, id) : low), 0);
  }

  give(recorded: unknown): Pick<Message, 'msgId' | 'sourceMsgId'> {
    if (isId(recorded) && !this.#given.has(recorded)) {
      this.#given.add(recorded);
      return { msgId: recorded };
    }
    this.#below -= 1;
    return { msgId: this.#below, ...(isId(recorded) ? { sourceMsgId: recorded } : {}) };
  }
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function messageFrom(
  { value, text, raw }: HistoryEntry,
  roleName: string,
  step: number,
  ids: IdGiver,
): Message {
  const spoken = roleNamed(roleName);
  const { role } = spoken;
  const id = ids.give(at(value, 'msg_id'));
  const invokedBy = at(value, 'msg_id(invoking_assistant)');
  const toolName = stringAt(value, 'tool_name');
  const callId = stringAt(value, 'tool_use_id');
  return {
    ...id,
    ...spoken,
    origin: role === 'assistant' ? 'policy' : role !== 'tool' && step < 0 ? 'prompt' : 'environment',
    parts:
      role === 'tool'
        ? [resultPart(at(value, 'content'), text)]
        : [...contentParts(at(value, 'content')), ...callParts(value, id.msgId)],
    ...(callId === undefined || role !== 'tool' ? {} : { toolResultFor: [callId] }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(isId(invokedBy) ? { invokedBy } : {}),
    bornAtStep: step,
    raw,
  };
}

/** A result as the tool gave it: a string stays one, anything else is written as Python would. */
function resultPart(content: unknown, text: string | undefined): Part {
  if (typeof content === 'string') {
    return { kind: entriesOf(content) === undefined ? 'text' : 'json', text: content };
  }
  if (content === undefined || content === null) return { kind: 'text', text: '' };
  const asWritten = text === undefined ? undefined : valueText(text, ['content']);
  return { kind: 'json', text: pythonJson(asWritten ?? jsonText(content)) ?? jsonText(content) };
}

function contentParts(content: unknown): Part[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return (Array.isArray(content) ? content : [content]).flatMap((block: unknown): Part[] => {
    const text = typeof block === 'string' ? block : stringAt(block, 'text');
    if (text === undefined) {
      return [{ kind: 'unknown', type: stringAt(block, 'type') ?? typeof block, value: bounded(block) }];
    }
    return text === '' ? [] : [{ kind: 'text', text }];
  });
}

/** Calls in the shape of a chat message, or bare `{"name", "arguments"}` without an id. */
function callParts(value: unknown, msgId: number): Part[] {
  return (arrayAt(value, 'tool_calls') ?? []).flatMap((call, index): Part[] => {
    const fn = at(call, 'function') ?? call;
    const name = stringAt(fn, 'name');
    if (name === undefined && !isObject(call)) return [];
    const args = at(fn, 'arguments');
    return [
      {
        kind: 'call',
        call: {
          callId: stringAt(call, 'id') ?? `${msgId}.${index}`,
          name: name ?? '',
          arguments: typeof args === 'string' ? args : (pythonJson(jsonText(args ?? {})) ?? '{}'),
        },
      },
    ];
  });
}
