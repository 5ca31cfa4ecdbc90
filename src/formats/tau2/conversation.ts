import { arrayAt, at, isObject, stringAt, type Message, type Part, type Role, type Step } from '../../model';
import { jsonText } from '../bounded';
import { partsOf, unknownPart } from '../content';
import type { JsonAt } from '../json-at';

/** What someone said or did, before it is part of a history. */
export interface Turn {
  message: unknown;
  /** Where it stands in the record, in as many pieces as it was put together from. */
  raw: string[];
  json: JsonAt;
  /** Goes on with what the assistant did before, if nothing came between. */
  continues: boolean;
}

/**
 * A conversation of three: the assistant (the policy), the user, and the tools of both. What a user's tools return is for
 * the user alone, so calls of the user and their results stand beside the policy's conversation: the messages after them
 * follow what the policy last saw.
 */
export class Conversation {
  readonly messages: Message[] = [];
  readonly steps: Step[] = [];
  /** Calls of the user, and their results. */
  aside = 0;
  /** The first message is the orchestrator's, not a model's. */
  isGreeted = false;
  /** Model calls from whose context messages were dropped, by the pointer to what they emitted. */
  readonly truncated: string[] = [];
  readonly #callers = new Map<string, { name: string; byUser: boolean }>();
  #lastSeen: number | null = null;
  #wasPolicy = false;

  add({ message, raw, json, continues }: Turn): void {
    const role = stringAt(message, 'role') ?? 'unknown';
    const several = arrayAt(message, 'tool_messages');
    if (role === 'tool' && several !== undefined) {
      const place = raw[0] ?? '';
      several.forEach((each, nth) => this.#addResult(each, [`${place}/tool_messages/${nth}`]));
    } else if (role === 'tool') this.#addResult(message, raw);
    else if (role === 'assistant') this.#addAssistant(message, raw, json, continues);
    else {
      const parts = this.#partsOf(message, false, raw, json);
      const isAside = parts.some(({ kind }) => kind === 'call');
      this.#push({ ...spokenBy(role), parts }, raw, isAside);
    }
  }

  #addAssistant(message: unknown, raw: string[], json: JsonAt, continues: boolean): void {
    const parts = [...thoughtsOf(message), ...this.#partsOf(message, true, raw, json)];
    if (this.messages.length === 0 && !continues && isGreeting(message)) {
      this.isGreeted = true;
      this.#push({ role: 'assistant', parts }, raw, false);
      return;
    }
    if (isObject(at(message, 'context_truncation')) && raw[0] !== undefined) this.truncated.push(raw[0]);
    if (this.steps.length === 0 || !(continues && this.#wasPolicy)) {
      const unfinished = finishOf(message) === 'length' ? { unfinished: 'length' } : {};
      this.steps.push({ index: this.steps.length, ...unfinished });
    }
    this.#push({ role: 'assistant', parts }, raw, false, true);
  }

  #addResult(message: unknown, raw: string[]): void {
    const callId = stringAt(message, 'id') ?? stringAt(message, 'tool_call_id');
    const call = callId === undefined ? undefined : this.#callers.get(callId);
    const requestor = stringAt(message, 'requestor');
    const isAside = requestor === undefined ? call?.byUser === true : requestor === 'user';
    const content = at(message, 'content');
    this.#push(
      {
        role: 'tool',
        parts: isObject(content) ? [{ kind: 'json', text: jsonText(content) }] : partsOf(content, false),
        ...(callId === undefined ? {} : { toolResultFor: [callId] }),
        ...(call === undefined ? {} : { toolName: call.name }),
      },
      raw,
      isAside,
    );
  }

  #push(
    said: Pick<Message, 'role' | 'parts'> & Partial<Message>,
    raw: string[],
    isAside: boolean,
    isPolicy = false,
  ): void {
    const msgId = this.messages.length;
    const follows = isAside ? msgId - 1 : (this.#lastSeen ?? -1);
    this.messages.push({
      ...said,
      msgId,
      origin: isPolicy ? 'policy' : this.steps.length === 0 ? 'prompt' : 'environment',
      bornAtStep: this.steps.length - 1,
      ...(follows === msgId - 1 ? {} : { follows: follows < 0 ? null : follows }),
      raw,
    });
    if (isAside) this.aside += 1;
    else this.#lastSeen = msgId;
    this.#wasPolicy = isPolicy;
  }

  #partsOf(message: unknown, isAssistant: boolean, raw: string[], json: JsonAt): Part[] {
    if (!isObject(message)) return [unknownPart(message)];
    const content = at(message, 'content');
    const parts = content === '' ? [] : partsOf(content, isAssistant);
    (arrayAt(message, 'tool_calls') ?? []).forEach((call, nth) => {
      const name = stringAt(call, 'name');
      if (name === undefined) {
        parts.push(unknownPart(call));
        return;
      }
      const callId = stringAt(call, 'id') ?? `${raw[0] ?? ''}/tool_calls/${nth}`;
      const given = at(call, 'arguments') ?? {};
      const text = typeof given === 'string' ? given : json.at('tool_calls', nth, 'arguments').text();
      parts.push({ kind: 'call', call: { callId, name, arguments: text ?? jsonText(given) } });
      this.#callers.set(callId, { name, byUser: !isAssistant });
    });
    return parts;
  }
}

const roles = new Map<string, Role>([
  ['system', 'system'],
  ['user', 'user'],
]);

function spokenBy(label: string): Pick<Message, 'role' | 'roleLabel'> {
  const role = roles.get(label);
  return role === undefined ? { role: 'user', roleLabel: label } : { role };
}

/** `Hi! How can I help you today?` opens every conversation, and no model was asked for it. */
function isGreeting(message: unknown): boolean {
  const isAsked = ['usage', 'raw_data', 'generation_time_seconds'].some(
    (key) => (at(message, key) ?? null) !== null,
  );
  return !isAsked && (arrayAt(message, 'tool_calls') ?? []).length === 0;
}

/** What the provider returned beside the text: a whole completion, or the choice that was taken of it. */
function choiceOf(message: unknown): unknown {
  const raw = at(message, 'raw_data');
  return arrayAt(raw, 'choices')?.[0] ?? raw;
}

function finishOf(message: unknown): string | undefined {
  return stringAt(choiceOf(message), 'finish_reason');
}

function thoughtsOf(message: unknown): Part[] {
  const text = stringAt(at(choiceOf(message), 'message'), 'reasoning_content') ?? '';
  return text === '' ? [] : [{ kind: 'reasoning', form: 'full', text }];
}
