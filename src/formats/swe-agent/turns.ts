import { arrayAt, at, partText, stringAt, type HistoryItem, type Part } from '../../model';
import { chatEntry, reasoningOf, type ChatEntry } from '../chat-entry';
import type { Placed } from '../model-calls';

/** Chat messages as items of a history: an assistant's is a model call, what came before the first of them the prompt. */
export function turnsOf(
  messages: readonly Placed[],
  { isMarked, isGiven = () => false }: { isMarked: boolean; isGiven?: (message: unknown) => boolean },
): HistoryItem[] {
  let hasBegun = false;
  return messages.map(({ value, raw }): HistoryItem => {
    const entry = { ...entryOf(value, raw), raw };
    if (entry.role !== 'assistant' || isGiven(value)) {
      return { ...entry, origin: hasBegun ? 'environment' : 'prompt' };
    }
    hasBegun = true;
    return { ...entry, origin: 'policy', ...(isMarked ? { startsStep: true } : {}), ...cutOff(value) };
  });
}

/** Beside what chat messages have: Anthropic's thinking blocks, and a result that names several calls. */
function entryOf(message: unknown, raw: string): ChatEntry {
  const entry = chatEntry(message, raw);
  const answered = (arrayAt(message, 'tool_call_ids') ?? []).filter((id) => typeof id === 'string');
  const thoughts = reasoningOf(message) === '' ? (arrayAt(message, 'thinking_blocks') ?? []) : [];
  return {
    ...entry,
    parts: [...thoughts.map(thinkingPart), ...entry.parts],
    ...(entry.role === 'tool' && answered.length > 0 ? { toolResultFor: answered } : {}),
  };
}

function thinkingPart(block: unknown): Part {
  const text = stringAt(block, 'thinking');
  if (text !== undefined) return { kind: 'reasoning', form: 'full', text };
  return { kind: 'sealed', bytes: stringAt(block, 'data')?.length ?? 0 };
}

/** mini-swe-agent keeps the whole completion beside the message it became. */
function cutOff(message: unknown): { unfinished?: string } {
  const response = at(at(message, 'extra'), 'response');
  const reason = stringAt(arrayAt(response, 'choices')?.[0], 'finish_reason');
  return reason === 'length' ? { unfinished: reason } : {};
}

/** What a user first asked. */
export function askedIn(items: readonly HistoryItem[]): string | undefined {
  const asked = items.find(({ role, roleLabel }) => role === 'user' && roleLabel === undefined);
  return asked?.parts.flatMap((part) => (part.kind === 'text' ? [partText(part)] : [])).join('\n');
}
