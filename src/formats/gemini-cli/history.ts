import {
  arrayAt,
  at,
  noCounts,
  stringAt,
  type ContextEdit,
  type Counts,
  type Message,
  type Part,
  type Role,
  type Step,
} from '../../model';
import { jsonText } from '../bounded';
import { callPart, geminiParts } from './parts';
import type { Entry, SessionLog } from './log';

export interface SessionHistory {
  messages: Message[];
  steps: Step[];
  edits: ContextEdit[];
  /** Lines for the person at the terminal, which the model never saw. */
  notices: number;
}

/** Every message of the model is a call of its own; the results of its tools stand in it. */
export function historyOfLog({ entries, happenings }: SessionLog): SessionHistory {
  const builder = new Builder();
  for (const happening of happenings) {
    if (happening.kind === 'message') {
      const entry = entries.get(happening.id);
      if (entry !== undefined) builder.add(happening.id, entry);
    } else if (happening.kind === 'rewind') builder.rewind(happening.to);
    else builder.replace(happening.ids);
  }
  const { messages, steps, edits, notices } = builder;
  return { messages, steps, edits, notices };
}

class Builder {
  readonly messages: Message[] = [];
  readonly steps: Step[] = [];
  readonly edits: ContextEdit[] = [];
  notices = 0;
  /** Of each entry the messages made from it. */
  readonly #made = new Map<string, Message[]>();
  /** The context, as entries in order. */
  #live: string[] = [];
  #last: Message | undefined;

  add(id: string, { value, raw }: Entry): void {
    const type = stringAt(value, 'type');
    if (type !== 'user' && type !== 'gemini') {
      this.notices += 1;
      return;
    }
    const made: Message[] = [];
    this.#made.set(id, made);
    this.#live.push(id);
    const said = geminiParts(at(value, 'content'), `${raw}/content`);
    if (type === 'user') {
      made.push(this.#push('user', said, raw));
      return;
    }
    this.steps.push({ index: this.steps.length });
    const calls = arrayAt(value, 'toolCalls') ?? [];
    const asked = calls.map((call, nth) => callPart(call, `${raw}/toolCalls/${nth}`));
    made.push(this.#push('assistant', [...thoughtsOf(value), ...said, ...asked], raw));
    calls.forEach((call, nth) => {
      const result = at(call, 'result');
      const callId = asked[nth]?.call.callId;
      if (result === undefined || result === null || callId === undefined) return;
      const place = `${raw}/toolCalls/${nth}/result`;
      const name = stringAt(call, 'name');
      made.push(
        this.#push('tool', geminiParts(result, place), place, {
          toolResultFor: [callId],
          ...(name === undefined ? {} : { toolName: name }),
        }),
      );
    });
  }

  /** Takes back a message and all after it: what comes next follows the one before. */
  rewind(id: string): void {
    const from = this.#live.indexOf(id);
    this.#live = this.#live.slice(0, Math.max(from, 0));
    this.#last = this.#made.get(this.#live.at(-1) ?? '')?.at(-1);
  }

  /** The context is other messages than before: those that are gone were compacted. */
  replace(ids: readonly string[]): void {
    const kept = new Set(ids);
    const gone = this.#live.filter((id) => !kept.has(id));
    const msgIds = gone.flatMap((id) => (this.#made.get(id) ?? []).map(({ msgId }) => msgId));
    this.#live = ids.filter((id) => this.#made.has(id));
    if (msgIds.length === 0 || this.steps.length === 0) return;
    this.edits.push({ step: this.steps.length - 1, kind: 'compact', msgIds });
  }

  #push(role: Role, parts: Part[], raw: string, more: Partial<Message> = {}): Message {
    const before = this.#last;
    const isNext = before === this.messages.at(-1);
    const origin = role === 'assistant' ? 'policy' : this.steps.length === 0 ? 'prompt' : 'environment';
    const message: Message = {
      msgId: this.messages.length,
      role,
      origin,
      parts,
      ...more,
      bornAtStep: this.steps.length - 1,
      ...(isNext ? {} : { follows: before?.msgId ?? null }),
      raw: [raw],
    };
    this.messages.push(message);
    this.#last = message;
    return message;
  }
}

/** `thoughts: [{ subject: 'Adding', description: 'I add.' }]`, the provider's digest of them. */
function thoughtsOf(value: unknown): Part[] {
  return (arrayAt(value, 'thoughts') ?? []).map((thought) => {
    const texts = [stringAt(thought, 'subject'), stringAt(thought, 'description')].filter(
      (text) => text !== undefined && text !== '',
    );
    return {
      kind: 'reasoning',
      form: 'summary',
      text: texts.length === 0 ? jsonText(thought) : texts.join(': '),
    };
  });
}

export function countEntries({ entries }: SessionLog): Counts {
  const counts = noCounts();
  for (const { value } of entries.values()) {
    const type = stringAt(value, 'type');
    if (type !== 'user' && type !== 'gemini') continue;
    const calls = type === 'gemini' ? (arrayAt(value, 'toolCalls') ?? []) : [];
    counts.messages += 1;
    counts.toolCalls += calls.length;
    counts.toolResults += calls.filter((call) => (at(call, 'result') ?? null) !== null).length;
    if ((arrayAt(value, 'thoughts')?.length ?? 0) > 0) counts.reasoning += 1;
  }
  return counts;
}
