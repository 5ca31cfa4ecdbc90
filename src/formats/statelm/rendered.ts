import { entriesOf, objectText, STUB_TEXT, stringValue, type ChatMessage, type JsonEntry } from '../../model';
import type { HistoryEntry } from './history';

/**
 * History entries taken back out of rendered messages: the notes block off the first user message, the ids out of the
 * tool results. `{"pages": 12, "msg_id": 2, "msg_id(invoking_assistant)": 1}` is the result
 * `{"pages": 12}` of message 2, asked for by message 1.
 */
export class Unrenderer {
  readonly entries: HistoryEntry[] = [];
  /** Whether the original of an entry is known, or only its stub. */
  readonly stubs: HistoryEntry[] = [];
  /** Summaries by key, as the notes block lists them. */
  readonly notes = new Map<string, string>();
  #lastId = 0;
  #userSeen = false;
  #callNames = new Map<string, string>();

  add(message: ChatMessage, raw: string): void {
    const { role } = message;
    if (role === 'tool') this.#push(this.#toolEntry(message), raw, isStub(message));
    else if (role === 'assistant')
      this.#push(this.#assistantEntry(message), raw, message.content === STUB_TEXT);
    else {
      const content = typeof message.content === 'string' ? message.content : '';
      const isFirstUser = role === 'user' && !this.#userSeen;
      const block = isFirstUser ? notesStart(content) : -1;
      if (isFirstUser) this.#userSeen = true;
      if (block >= 0) this.#readNotes(content.slice(block));
      this.#push({ role, content: block < 0 ? content : content.slice(0, block) }, raw, false);
    }
  }

  #readNotes(block: string): void {
    for (const line of block.split('\n')) {
      const [, key, summary] = /^- \*\*(.*?)\*\*: (.*)$/.exec(line) ?? [];
      if (key !== undefined && summary !== undefined) this.notes.set(key, summary);
    }
  }

  #push(value: Record<string, unknown>, raw: string, isStubbed: boolean): void {
    const entry = { value, raw: [raw] };
    this.entries.push(entry);
    if (isStubbed) this.stubs.push(entry);
  }

  #assistantEntry({ content, tool_calls }: ChatMessage): Record<string, unknown> {
    this.#lastId += 1;
    for (const call of tool_calls ?? []) this.#callNames.set(call.id, call.function.name);
    return {
      role: 'assistant',
      content: typeof content === 'string' ? content : '',
      ...(tool_calls === undefined ? {} : { tool_calls }),
      msg_id: this.#lastId,
    };
  }

  #toolEntry({ content, tool_call_id }: ChatMessage): Record<string, unknown> {
    const text = typeof content === 'string' ? content : '';
    const fields = entriesOf(text);
    const field = (name: string): string | undefined => fields?.find(({ key }) => key === name)?.value;
    const invokedBy = Number(field('msg_id(invoking_assistant)') ?? this.#lastId);
    const msgId = Number(field('msg_id') ?? this.#lastId + 1);
    if (Number.isSafeInteger(msgId)) this.#lastId = msgId;
    const original = field('original_tool');
    const toolName =
      original?.startsWith('"') === true && text.includes(STUB_TEXT)
        ? stringValue(original)
        : this.#callNames.get(tool_call_id ?? '');
    return {
      role: 'tool',
      content: fields === undefined ? text : objectText(withoutIds(fields)),
      msg_id: msgId,
      'msg_id(invoking_assistant)': invokedBy,
      ...(tool_call_id === undefined ? {} : { tool_use_id: tool_call_id }),
      ...(toolName === undefined ? {} : { tool_name: toolName }),
    };
  }
}

/** A render puts the ids last, unless the result had such keys of its own: these stay where they are. */
function withoutIds(fields: readonly JsonEntry[]): JsonEntry[] {
  const own = [...fields];
  for (const key of ['msg_id(invoking_assistant)', 'msg_id']) if (own.at(-1)?.key === key) own.pop();
  return own;
}

function isStub({ content }: ChatMessage): boolean {
  if (typeof content !== 'string' || !content.includes(STUB_TEXT)) return false;
  return (
    entriesOf(content)?.some(({ key, value }) => key === 'message' && value === `"${STUB_TEXT}"`) === true
  );
}

/** Where the block that the loop appended begins, or -1. */
function notesStart(content: string): number {
  if (!content.endsWith('\n</external_memory>')) return -1;
  return content.lastIndexOf('\n\n<external_memory>\n## Available Notes\n');
}
