import type { Episode, Message, Origin, Part, Role, Step, StepTokens, Timing } from './episode';

/** One entry of a source's flat list, already told apart by who made it. */
export type HistoryItem = {
  role: Role;
  roleLabel?: string;
  parts: Part[];
  toolResultFor?: string[];
  toolName?: string;
  /** Of the model call the item begins, or of the tool that answered. */
  timing?: Timing;
  /** JSON pointer to the item in its record. */
  raw: string;
} & (
  | { origin: 'prompt' | 'environment' }
  | {
      origin: 'policy';
      /**
       * Whether the source marks a new model call here. The mark wins over the rule: `false` continues the step
       * across an environment item, as where a provider ran a tool within one call.
       */
      startsStep?: boolean;
      tokens?: StepTokens;
      unfinished?: string;
    }
);

/**
 * Messages and steps from a flat list of items.
 *
 * A step starts at the first model-produced item after an environment item, or at the start:
 * `user, reasoning, call, result, text` is two steps, `[reasoning, call] result` and `[text]`.
 * Assistant items of one turn are joined into one message, in their order, but a second text starts a
 * second message: `text, call, text` are two messages of one step.
 */
export function historyFrom(items: readonly HistoryItem[]): Pick<Episode, 'messages' | 'steps'> {
  const messages: Message[] = [];
  const steps: Step[] = [];
  let before: Origin | undefined;
  for (const item of items) {
    let sameTurn = messages.at(-1)?.origin === item.origin;
    if (item.origin === 'policy') {
      if (startsStep(item, before, steps.length)) {
        steps.push({ index: steps.length });
        sameTurn = false;
      }
      const step = steps.at(-1);
      if (step !== undefined && item.tokens !== undefined) step.tokens = item.tokens;
      if (step !== undefined && item.timing !== undefined) step.timing = item.timing;
      if (step !== undefined && item.unfinished !== undefined) step.unfinished = item.unfinished;
    }
    before = item.origin;

    const last = messages.at(-1);
    if (last !== undefined && sameTurn && joins(last, item)) {
      // One by one: spread as arguments, a hostile item with 200,000 parts overflows the stack.
      for (const part of item.parts) last.parts.push(part);
      last.raw.push(item.raw);
    } else {
      messages.push(messageFrom(item, messages.length, steps.length - 1));
    }
  }
  return { messages, steps };
}

/**
 * Whether an item is the first of a model call: `before` is who made the item before it, `steps` how many calls have
 * started so far.
 */
export function startsStep(
  item: { origin: Origin; startsStep?: boolean },
  before: Origin | undefined,
  steps: number,
): boolean {
  if (item.origin !== 'policy') return false;
  return steps === 0 || (item.startsStep ?? before !== 'policy');
}

function joins(last: Message, item: HistoryItem): boolean {
  if (item.role !== 'assistant' || last.role !== 'assistant') return false;
  return !(hasText(item.parts) && hasText(last.parts));
}

function hasText(parts: readonly Part[]): boolean {
  return parts.some((part) => part.kind === 'text');
}

function messageFrom(item: HistoryItem, msgId: number, bornAtStep: number): Message {
  return {
    msgId,
    role: item.role,
    ...(item.roleLabel === undefined ? {} : { roleLabel: item.roleLabel }),
    origin: item.origin,
    parts: [...item.parts],
    ...(item.toolResultFor === undefined ? {} : { toolResultFor: item.toolResultFor }),
    ...(item.toolName === undefined ? {} : { toolName: item.toolName }),
    ...(item.timing === undefined || item.origin === 'policy' ? {} : { timing: item.timing }),
    bornAtStep,
    raw: [item.raw],
  };
}
