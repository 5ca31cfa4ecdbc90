import type { ContextEdit, Episode, Message, ToolCall } from './episode';

/**
 * What is looked up again and again in an episode, worked out once: O(messages + edits) memory,
 * whatever the number of steps.
 */
export interface HistoryIndex {
  byId: ReadonlyMap<number, Message>;
  /** Position in `messages` by msgId. */
  positions: ReadonlyMap<number, number>;
  /** `bornBefore[k]`: how many messages were born before step k; one entry per step and one past the end. */
  bornBefore: readonly number[];
  /** The first delete and the first compaction that names a message. */
  editsOf: ReadonlyMap<number, { stubbed?: ContextEdit; removed?: ContextEdit }>;
  calls: ReadonlyMap<string, { call: ToolCall; message: Message }>;
  /** Tool messages by the call id they answer. */
  results: ReadonlyMap<string, readonly Message[]>;
  branches: boolean;
}

const indexes = new WeakMap<Episode, HistoryIndex>();

/** The index of an episode, memoised: an episode is never changed once it is built. */
export function historyOf(episode: Episode): HistoryIndex {
  const known = indexes.get(episode);
  if (known !== undefined) return known;
  const index = indexHistory(episode);
  indexes.set(episode, index);
  return index;
}

function indexHistory({ messages, steps, edits }: Episode): HistoryIndex {
  const byId = new Map<number, Message>();
  const positions = new Map<number, number>();
  const calls = new Map<string, { call: ToolCall; message: Message }>();
  const results = new Map<string, Message[]>();
  messages.forEach((message, position) => {
    byId.set(message.msgId, message);
    positions.set(message.msgId, position);
    for (const part of message.parts) {
      if (part.kind === 'call' && !calls.has(part.call.callId)) {
        calls.set(part.call.callId, { call: part.call, message });
      }
    }
    for (const callId of message.toolResultFor ?? []) {
      const known = results.get(callId);
      if (known === undefined) results.set(callId, [message]);
      else known.push(message);
    }
  });

  const bornBefore: number[] = [];
  let count = 0;
  for (let step = 0; step <= steps.length; step++) {
    while (count < messages.length && (messages[count]?.bornAtStep ?? step) < step) count++;
    bornBefore.push(count);
  }

  const editsOf = new Map<number, { stubbed?: ContextEdit; removed?: ContextEdit }>();
  for (const edit of edits) {
    for (const msgId of edit.msgIds) {
      // Nothing can be edited before it is there.
      if ((byId.get(msgId)?.bornAtStep ?? Infinity) > edit.step) continue;
      const known = editsOf.get(msgId) ?? {};
      if (edit.kind === 'delete') known.stubbed ??= edit;
      else known.removed ??= edit;
      editsOf.set(msgId, known);
    }
  }
  const branches = messages.some((message) => message.follows !== undefined);
  return { byId, positions, bornBefore, editsOf, calls, results, branches };
}

/** The tool calls of a message, in order. */
export function toolCallsOf(message: Message): ToolCall[] {
  return message.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
}

/** How many messages were born before a step. Past the last step that is all of them, before the prompt none. */
export function countBornBefore(episode: Episode, step: number): number {
  return historyOf(episode).bornBefore[Math.min(step, episode.steps.length)] ?? 0;
}

/** What a step brought: the policy's emission, then what the environment answered. Step -1 brought the prompt. */
export function broughtBy(episode: Episode, step: number): { emitted: Message[]; answered: Message[] } {
  const born = episode.messages.slice(countBornBefore(episode, step), countBornBefore(episode, step + 1));
  return {
    emitted: born.filter((message) => message.origin === 'policy'),
    answered: born.filter((message) => message.origin !== 'policy'),
  };
}
