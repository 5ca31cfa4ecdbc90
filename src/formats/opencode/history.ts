import {
  arrayAt,
  at,
  isObject,
  numberAt,
  stringAt,
  type ContextEdit,
  type Message,
  type Part,
  type Step,
} from '../../model';
import { jsonText } from '../bounded';
import { unknownPart } from '../content';
import { splitThoughts } from '../think';

export interface SessionHistory {
  messages: Message[];
  steps: Step[];
  edits: ContextEdit[];
}

/** What a result that was cleared is replaced by. */
const clearedStub = '[Old tool result content cleared]';

/** Parts that are about the work and were not said by anyone. */
const silent = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'retry', 'agent']);

/**
 * The history of a session. A message of the assistant goes over all calls of a turn, each between `step-start` and
 * `step-finish`, and holds what the tools answered; here each call is a step of its own. A summary that was asked for
 * (`summary: true`) stands, once it is written, for all that was before it was asked for.
 */
export function historyOfMessages(list: readonly unknown[]): SessionHistory {
  const builder = new Builder();
  list.forEach((message, index) => builder.add(message, `/messages/${index}`));
  return builder.finish();
}

class Builder {
  readonly #messages: Message[] = [];
  readonly #steps: Step[] = [];
  readonly #edits: ContextEdit[] = [];
  /** When each step began, in milliseconds. */
  readonly #times: number[] = [];
  /** Results that were cleared, and when. */
  readonly #cleared: { message: Message; time: number }[] = [];
  /** In the context, as far as no compaction took them. */
  #live: number[] = [];
  /** Of these, the ones before a compaction was asked for. */
  #compacting: number[] | undefined;

  add(message: unknown, raw: string): void {
    if (!isObject(message)) return;
    const info = at(message, 'info');
    const parts = arrayAt(message, 'parts') ?? [];
    if (stringAt(info, 'role') === 'assistant') this.#answer(info, parts, raw);
    else this.#ask(info, parts, raw);
  }

  #ask(info: unknown, parts: readonly unknown[], raw: string): void {
    const label = stringAt(info, 'role') ?? 'user';
    const isCompaction = parts.some((part) => stringAt(part, 'type') === 'compaction');
    if (isCompaction) this.#compacting = [...this.#live];
    this.#push({
      role: 'user',
      ...(label === 'user' ? {} : { roleLabel: label }),
      origin: this.#steps.length === 0 ? 'prompt' : 'environment',
      parts: parts.flatMap((part) => spokenParts(part, false)),
      raw: [raw],
    });
  }

  #answer(info: unknown, parts: readonly unknown[], raw: string): void {
    const begun = this.#steps.length;
    let open: { message: Message; results: (() => void)[] } | undefined;
    const finish = (): void => {
      for (const answer of open?.results ?? []) answer();
      open = undefined;
    };
    const started = (time: number | undefined): NonNullable<typeof open> => {
      if (open !== undefined) return open;
      this.#steps.push({ index: this.#steps.length });
      this.#times.push(time ?? this.#times.at(-1) ?? 0);
      open = {
        message: this.#push({ role: 'assistant', origin: 'policy', parts: [], raw: [] }),
        results: [],
      };
      return open;
    };

    const created = numberAt(at(info, 'time'), 'created');
    parts.forEach((part, nth) => {
      const place = `${raw}/parts/${nth}`;
      const type = stringAt(part, 'type') ?? '';
      if (type === 'step-start' || type === 'step-finish') finish();
      if (silent.has(type)) return;
      const state = at(part, 'state');
      const time = numberAt(at(part, 'time'), 'start') ?? numberAt(at(state, 'time'), 'start') ?? created;
      // A tool's result stands between what the model said before it and after it.
      if (type !== 'tool' && open !== undefined && open.results.length > 0) finish();
      const { message, results } = started(time);
      message.raw.push(place);
      if (type !== 'tool') {
        for (const each of spokenParts(part, true)) message.parts.push(each);
        return;
      }
      const callId = stringAt(part, 'callID') ?? place;
      const name = stringAt(part, 'tool') ?? '';
      message.parts.push({
        kind: 'call',
        call: { callId, name, arguments: jsonText(at(state, 'input') ?? {}) },
      });
      results.push(() => this.#result(state, callId, name, `${place}/state`));
    });
    finish();
    if (this.#steps.length === begun) {
      started(created).message.raw.push(raw);
      finish();
    }
    this.#end(info);
  }

  #result(state: unknown, callId: string, toolName: string, raw: string): void {
    const status = stringAt(state, 'status');
    if (status !== 'completed' && status !== 'error') return;
    const said = at(state, status === 'error' ? 'error' : 'output');
    const text = typeof said === 'string' ? said : jsonText(said ?? '');
    const attached = (arrayAt(state, 'attachments') ?? []).flatMap((part) => spokenParts(part, false));
    const message = this.#push({
      role: 'tool',
      origin: 'environment',
      parts: [{ kind: 'text', text }, ...attached],
      toolResultFor: [callId],
      toolName,
      raw: [raw],
    });
    const time = numberAt(at(state, 'time'), 'compacted');
    if (time !== undefined) this.#cleared.push({ message, time });
  }

  /** How a turn of the assistant ended. */
  #end(info: unknown): void {
    const step = this.#steps.at(-1);
    const error = at(info, 'error');
    const cut = isObject(error) ? (stringAt(error, 'name') ?? 'error') : undefined;
    const reason = cut ?? (stringAt(info, 'finish') === 'length' ? 'length' : undefined);
    if (step !== undefined && reason !== undefined) step.unfinished = reason;
    const summary = this.#messages.findLast(({ origin }) => origin === 'policy');
    if (at(info, 'summary') !== true || cut !== undefined || summary === undefined || step === undefined)
      return;
    const before = this.#compacting ?? this.#live.filter((msgId) => msgId < summary.msgId);
    this.#compacting = undefined;
    if (before.length === 0) return;
    this.#edits.push({ step: step.index, kind: 'compact', msgIds: before, summary: summary.msgId });
    const gone = new Set(before);
    this.#live = this.#live.filter((msgId) => !gone.has(msgId));
  }

  #push(given: Omit<Message, 'msgId' | 'bornAtStep'>): Message {
    const message: Message = { msgId: this.#messages.length, bornAtStep: this.#steps.length - 1, ...given };
    this.#messages.push(message);
    this.#live.push(message.msgId);
    return message;
  }

  finish(): SessionHistory {
    for (const { message, time } of this.#cleared) {
      const during = this.#times.findLastIndex((begun) => begun <= time);
      this.#edits.push({
        step: Math.max(during, message.bornAtStep),
        kind: 'delete',
        msgIds: [message.msgId],
        stub: clearedStub,
      });
    }
    return { messages: this.#messages, steps: this.#steps, edits: merged(this.#edits) };
  }
}

/** By step, and what was cleared at once as one edit. */
function merged(edits: readonly ContextEdit[]): ContextEdit[] {
  const result: ContextEdit[] = [];
  for (const edit of edits.toSorted((a, b) => a.step - b.step)) {
    const last = result.at(-1);
    if (last?.kind === 'delete' && edit.kind === 'delete' && last.step === edit.step) {
      for (const msgId of edit.msgIds) last.msgIds.push(msgId);
    } else result.push({ ...edit, msgIds: [...edit.msgIds] });
  }
  return result;
}

function spokenParts(part: unknown, isAssistant: boolean): Part[] {
  const type = stringAt(part, 'type') ?? '';
  const text = stringAt(part, 'text');
  if (silent.has(type) || at(part, 'ignored') === true) return [];
  if (type === 'text' && text !== undefined)
    return isAssistant ? splitThoughts(text) : [{ kind: 'text', text }];
  if (type === 'reasoning' && text !== undefined) return [{ kind: 'reasoning', form: 'full', text }];
  const url = stringAt(part, 'url');
  const isImage = (stringAt(part, 'mime') ?? '').startsWith('image/');
  return [type === 'file' && isImage && url !== undefined ? { kind: 'image', url } : unknownPart(part)];
}
