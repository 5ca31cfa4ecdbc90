import {
  at,
  isObject,
  stringAt,
  type Gap,
  type Message,
  type Origin,
  type Step,
  type StepTokens,
} from '../model';
import { jsonText } from './bounded';
import { callsOf, chatEntry, reasoningOf } from './chat-entry';

/** A message where it stands in the record. */
export interface Placed {
  value: unknown;
  raw: string;
}

/** A model call as a log keeps it: all that the model was sent, and what it answered. */
export interface LoggedCall {
  context: readonly Placed[];
  /** Its context is all that the call before it saw and emitted, and then these. */
  continues?: boolean;
  emitted: readonly Placed[];
  tokens?: StepTokens;
  unfinished?: string;
}

export interface LoggedHistory {
  messages: Message[];
  steps: Step[];
  /** Steps whose context does not hold what the step before them emitted. */
  breaks: number[];
  /** Contexts hold earlier emissions without their thoughts. */
  dropsThoughts: boolean;
}

/**
 * The history behind a log of model calls. Every call repeats its whole context; a message is here once, where it first
 * appeared, and a call whose context is not the one before it continued branches off where the two part:
 *
 *     [task] → a1,  [task a1 result] → a2,  [summary] → a3
 *
 * is `task, a1, result, a2` and, following nothing, `summary, a3`. The view of each step is the context that was logged.
 * The one exception are thoughts: many harnesses take them out of what was said before. That is not another message.
 *
 * `rest`: what came after the last emission.
 */
export function historyOfCalls(calls: readonly LoggedCall[], rest: readonly Placed[] = []): LoggedHistory {
  const log = new CallLog();
  for (const call of calls) log.add(call);
  log.append(rest);
  const { messages, steps, breaks, dropsThoughts } = log;
  return { messages, steps, breaks, dropsThoughts };
}

/** What of a log a history cannot show, or not surely. */
export function logGaps({ breaks, dropsThoughts }: LoggedHistory): Gap[] {
  const gaps: Gap[] = [];
  const [step] = breaks;
  if (step !== undefined) {
    const more = breaks.length === 1 ? '' : `, and neither do those of ${breaks.length - 1} later steps`;
    gaps.push({
      about: 'views',
      step,
      reason: `The context of step ${step} does not go on from what the step before it emitted${more}: it was edited, or another conversation began. This file does not say which; views are as recorded.`,
    });
  }
  if (dropsThoughts) {
    gaps.push({
      about: 'views',
      reason: 'Contexts of later steps leave out the thoughts of earlier ones; the views still show them.',
    });
  }
  return gaps;
}

/** What a user first said. */
export function userText(messages: readonly Placed[]): string | undefined {
  const first = messages.find(({ value }) => stringAt(value, 'role') === 'user');
  if (first === undefined) return undefined;
  const { parts } = chatEntry(first.value, first.raw);
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ');
}

class CallLog {
  readonly messages: Message[] = [];
  readonly steps: Step[] = [];
  readonly breaks: number[] = [];
  dropsThoughts = false;
  /** Messages by what they follow and what they say; of two that are the same, the later. */
  readonly #known = new Map<string, number>();
  /** The same without thoughts, for assistants that had some. */
  readonly #thoughtless = new Map<string, number>();
  #last: number | null = null;

  add({ context, continues = false, emitted, tokens, unfinished }: LoggedCall): void {
    const index = this.steps.length;
    let parent: number | null = continues ? this.#last : null;
    let isKnown = !continues;
    let repeatsLast = continues || this.#last === null;
    let origin: Origin = index === 0 ? 'prompt' : 'environment';
    for (const message of context) {
      const found: number | undefined = isKnown ? this.#find(parent, message.value) : undefined;
      isKnown = found !== undefined;
      // A conversation of its own has a prompt of its own.
      if (!isKnown && parent === null) origin = 'prompt';
      parent = found ?? this.#create(message, parent, origin, index - 1);
      if (parent === this.#last) repeatsLast = true;
    }
    if (!repeatsLast) this.breaks.push(index);

    this.steps.push({
      index,
      ...(tokens === undefined ? {} : { tokens }),
      ...(unfinished === undefined ? {} : { unfinished }),
    });
    const spoken = emitted.some(({ value }) => stringAt(value, 'role') === 'assistant');
    for (const message of spoken ? emitted : [silence(emitted[0]?.raw), ...emitted]) {
      const isPolicy = stringAt(message.value, 'role') === 'assistant';
      parent = this.#create(message, parent, isPolicy ? 'policy' : 'environment', index);
    }
    this.#last = parent;
  }

  append(rest: readonly Placed[]): void {
    for (const message of rest) {
      this.#last = this.#create(message, this.#last, 'environment', this.steps.length - 1);
    }
  }

  #find(parent: number | null, value: unknown): number | undefined {
    const known = this.#known.get(keyOf(parent, wordsOf(value)));
    if (known !== undefined || hasThoughts(value)) return known;
    const thoughtless = this.#thoughtless.get(keyOf(parent, withoutThoughts(value)));
    if (thoughtless !== undefined) this.dropsThoughts = true;
    return thoughtless;
  }

  #create({ value, raw }: Placed, parent: number | null, origin: Origin, bornAtStep: number): number {
    const msgId = this.messages.length;
    const isNext = parent === msgId - 1 || (parent === null && msgId === 0);
    this.messages.push({
      msgId,
      ...chatEntry(value, raw),
      origin,
      bornAtStep,
      ...(isNext ? {} : { follows: parent }),
      raw: [raw],
    });
    this.#known.set(keyOf(parent, wordsOf(value)), msgId);
    if (hasThoughts(value)) this.#thoughtless.set(keyOf(parent, withoutThoughts(value)), msgId);
    return msgId;
  }
}

/** A call that emitted nothing that is in the log. */
function silence(raw = ''): Placed {
  return { value: { role: 'assistant', content: null }, raw };
}

/** Whether a context's message is this one, be it without its thoughts. */
export function isRepeated(message: unknown, inContext: unknown): boolean {
  if (keyOf(null, wordsOf(message)) === keyOf(null, wordsOf(inContext))) return true;
  if (!hasThoughts(message) || hasThoughts(inContext)) return false;
  return keyOf(null, withoutThoughts(message)) === keyOf(null, withoutThoughts(inContext));
}

type Words = readonly [role: unknown, content: unknown, thoughts: string, calls: unknown, answers: unknown];

function keyOf(parent: number | null, words: Words): string {
  return `${parent ?? ''} ${jsonText(words)}`;
}

function wordsOf(value: unknown): Words {
  if (!isObject(value)) return [null, value, '', [], ''];
  return [
    at(value, 'role'),
    at(value, 'content') ?? '',
    reasoningOf(value),
    callsOf(value),
    at(value, 'tool_call_id') ?? '',
  ];
}

const thoughtEnd = '</think>';

function hasThoughts(value: unknown): boolean {
  if (at(value, 'role') !== 'assistant') return false;
  return reasoningOf(value) !== '' || (stringAt(value, 'content') ?? '').includes(thoughtEnd);
}

function withoutThoughts(value: unknown): Words {
  const [role, content, , calls, answers] = wordsOf(value);
  if (typeof content !== 'string') return [role, content, '', calls, answers];
  const end = content.lastIndexOf(thoughtEnd);
  const said = end < 0 ? content : content.slice(end + thoughtEnd.length);
  return [role, said.trim(), '', calls, answers];
}
