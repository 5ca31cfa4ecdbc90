import {
  arrayAt,
  at,
  pointer,
  stringAt,
  type ContextEdit,
  type Message,
  type Origin,
  type Step,
} from '../../model';
import { jsonText } from '../bounded';
import type { JsonAt } from '../json-at';
import { many, type PlacedGap } from '../gaps';
import type { ModelCall } from './events';
import { readMessage, type Attachments } from './messages';

export interface SampleHistory {
  messages: Message[];
  steps: Step[];
  edits: ContextEdit[];
  gaps: PlacedGap[];
}

/**
 * The history behind the model calls of a sample: each message once, where it first appeared, and a call whose context is
 * another conversation branches off where the two part (a subagent, a context that was cut). Messages are told apart by
 * their ids, or by what they say in logs that have none. `rest`: the sample's messages when all was over.
 */
export function historyOfSample(
  calls: readonly ModelCall[],
  rest: readonly unknown[],
  attachments: Attachments,
  json: JsonAt,
): SampleHistory {
  const history = new Tree(attachments, json);
  for (const call of calls) history.addCall(call);
  history.addRest(rest);
  return { messages: history.messages, steps: history.steps, edits: history.edits, gaps: history.gaps() };
}

type Path = readonly (string | number)[];

interface Seen {
  key: string;
  msgId: number;
}

class Tree {
  readonly messages: Message[] = [];
  readonly steps: Step[] = [];
  readonly edits: ContextEdit[] = [];
  readonly #attachments: Attachments;
  readonly #json: JsonAt;
  readonly #keys = new WeakMap<object, string>();
  /** By what they follow and who they are. */
  readonly #known = new Map<string, number>();
  readonly #byKey = new Map<string, number>();
  readonly #contents = new Map<number, unknown>();
  /** The context of the call before, and what it emitted, by position. */
  #before: Seen[] = [];
  #last: number | null = null;
  readonly #removed = new Set<number>();
  #breaks = 0;
  #firstBreak: string | undefined;
  #rewritten = 0;
  #restIsOther = false;

  constructor(attachments: Attachments, json: JsonAt) {
    this.#attachments = attachments;
    this.#json = json;
  }

  addCall(call: ModelCall): void {
    const { event, context, message, path } = call;
    const step = this.steps.length;
    const compacted = this.#compact(call);
    const before = compacted ?? this.#before;
    const now: Seen[] = [];
    let parent: number | null = null;
    let isShared = true;
    let isKnown = true;
    let repeatsLast = this.#last === null || compacted !== undefined;
    let origin: Origin = step === 0 ? 'prompt' : 'environment';
    for (const { list, path: base, start, end } of context) {
      for (let nth = start; nth < end; nth++) {
        const value = list[nth];
        const key = this.#keyOf(value);
        const same: Seen | undefined = isShared ? before[now.length] : undefined;
        isShared = same?.key === key;
        let msgId: number | undefined;
        if (isKnown) msgId = isShared ? same?.msgId : this.#known.get(placeOf(parent, key));
        // Sent again although it was taken out for good: it stands there once more.
        if (msgId !== undefined && this.#removed.has(msgId)) msgId = undefined;
        isKnown = msgId !== undefined;
        // What a compaction put in stands after all it took out.
        if (msgId === undefined && compacted?.length === now.length) parent = this.messages.length - 1;
        // A conversation of its own has a prompt of its own.
        if (msgId === undefined && parent === null) origin = 'prompt';
        if (msgId === undefined) msgId = this.#create(value, key, [...base, nth], parent, origin, step - 1);
        else if (this.#contents.get(msgId) !== at(value, 'content')) this.#compare(msgId, value);
        parent = msgId;
        now.push({ key, msgId });
        if (msgId === this.#last) repeatsLast = true;
      }
    }
    const unfinished = cutOff(event);
    this.steps.push({ index: step, ...(unfinished === undefined ? {} : { unfinished }) });
    const key = this.#keyOf(message);
    const emitted = this.#create(message, key, path, parent, 'policy', step);
    now.push({ key, msgId: emitted });
    this.#before = now;
    this.#last = emitted;
    if (!repeatsLast) {
      this.#breaks += 1;
      this.#firstBreak ??= pointer(...path);
    }
  }

  /**
   * What a compaction left of the context before, where it only took messages out and put others after them: those it
   * took out are an edit then, not another conversation.
   */
  #compact({ compaction, context }: ModelCall): Seen[] | undefined {
    if (compaction === undefined || this.steps.length === 0) return undefined;
    const keys = context.flatMap(({ list, start, end }) =>
      list.slice(start, end).map((value) => this.#keyOf(value)),
    );
    const left: Seen[] = [];
    const msgIds: number[] = [];
    for (const seen of this.#before) {
      if (seen.key === keys[left.length]) left.push(seen);
      else msgIds.push(seen.msgId);
    }
    const known = new Set(this.#before.map(({ key }) => key));
    const added = keys.slice(left.length);
    if (left.length === 0 || msgIds.length === 0 || added.some((key) => known.has(key))) return undefined;
    for (const msgId of msgIds) this.#removed.add(msgId);
    const { type, tokensBefore, tokensAfter } = compaction;
    this.edits.push({
      step: this.steps.length - 1,
      kind: 'compact',
      msgIds,
      ...(type === 'summary' && added.length > 0 ? { summary: this.messages.length } : {}),
      ...(tokensBefore === undefined ? {} : { tokensBefore }),
      ...(tokensAfter === undefined ? {} : { tokensAfter }),
    });
    return left;
  }

  /** What was said after the last message that a model call knows of. */
  addRest(messages: readonly unknown[]): void {
    const lastKnown = messages.findLastIndex((message) => this.#byKey.has(this.#keyOf(message)));
    if (lastKnown < 0) {
      this.#restIsOther = messages.length > 0;
      return;
    }
    let parent = this.#byKey.get(this.#keyOf(messages[lastKnown])) ?? null;
    for (let nth = lastKnown + 1; nth < messages.length; nth++) {
      const value = messages[nth];
      const path = ['messages', nth];
      parent = this.#create(value, this.#keyOf(value), path, parent, 'environment', this.steps.length - 1);
    }
  }

  #create(
    value: unknown,
    key: string,
    path: Path,
    parent: number | null,
    origin: Origin,
    bornAtStep: number,
  ): number {
    const msgId = this.messages.length;
    const raw = pointer(...path);
    const isNext = parent === msgId - 1 || (parent === null && msgId === 0);
    const said = readMessage(value, raw, this.#attachments, this.#json.at(...path));
    this.messages.push({
      msgId,
      ...said,
      // What a model call emitted is the policy's, whatever the log calls it.
      ...(origin === 'policy' ? { role: 'assistant' as const } : {}),
      origin,
      bornAtStep,
      ...(isNext ? {} : { follows: parent }),
      raw: [raw],
    });
    this.#known.set(placeOf(parent, key), msgId);
    this.#byKey.set(key, msgId);
    this.#contents.set(msgId, at(value, 'content'));
    return msgId;
  }

  /** The same message in other words: an attachment does not count as other words. */
  #compare(msgId: number, value: unknown): void {
    const [was, is] = [this.#contents.get(msgId), at(value, 'content')];
    if (typeof was !== 'string' || typeof is !== 'string') return;
    if (this.#attachments.in(was) !== this.#attachments.in(is)) this.#rewritten += 1;
  }

  #keyOf(message: unknown): string {
    const id = stringAt(message, 'id');
    if (id !== undefined) return id;
    if (typeof message !== 'object' || message === null) return jsonText(message);
    const known = this.#keys.get(message);
    if (known !== undefined) return known;
    const calls = (arrayAt(message, 'tool_calls') ?? []).map((call) => [
      at(call, 'id'),
      at(call, 'function'),
      at(call, 'arguments'),
    ]);
    const words = [at(message, 'role'), at(message, 'content') ?? '', calls, at(message, 'tool_call_id')];
    const key = this.#attachments.inJson(jsonText(words));
    this.#keys.set(message, key);
    return key;
  }

  gaps(): PlacedGap[] {
    const gaps: PlacedGap[] = [];
    if (this.#breaks > 0) {
      gaps.push({
        about: 'views',
        ...(this.#firstBreak === undefined ? {} : { at: this.#firstBreak }),
        reason: `The contexts of ${many(this.#breaks, 'model call')} do not go on from the call before: another agent was at work, or the context was edited. Views are as recorded.`,
      });
    }
    if (this.#rewritten > 0) {
      gaps.push({
        about: 'views',
        reason: `Later contexts hold messages in other words than they first had (${many(this.#rewritten, 'time')}); the views show the first.`,
      });
    }
    if (this.#restIsOther) {
      gaps.push({
        about: 'messages',
        reason:
          'None of the messages of this sample is in its model calls: the history is that of the calls.',
      });
    }
    return gaps;
  }
}

function placeOf(parent: number | null, key: string): string {
  return `${parent ?? ''} ${key}`;
}

const cutOffReasons = new Set(['max_tokens', 'model_length', 'content_filter']);

function cutOff(event: unknown): string | undefined {
  const reason = stringAt(arrayAt(at(event, 'output'), 'choices')?.[0], 'stop_reason');
  return reason !== undefined && cutOffReasons.has(reason) ? reason : undefined;
}
