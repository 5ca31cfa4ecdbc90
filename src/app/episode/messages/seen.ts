import type { ChatMessage, Message } from '../../../model';

/**
 * How the loop wrote a message into the context, held against the message itself: the same; with something after
 * it (the notes block); or in other words (a tool result with its ids).
 */
export type SeenText =
  { kind: 'same' } | { kind: 'extended'; added: string } | { kind: 'rewritten'; text: string };

export function seenText(message: Message, { content }: ChatMessage): SeenText {
  if (typeof content !== 'string') return { kind: 'same' };
  const own = message.parts
    .flatMap((part) => (part.kind === 'text' || part.kind === 'json' ? [part.text] : []))
    .join('\n');
  if (content.trim() === own.trim()) return { kind: 'same' };
  if (content.startsWith(own)) return { kind: 'extended', added: content.slice(own.length) };
  return { kind: 'rewritten', text: content };
}

/** Whether the loop left the reasoning of a message out of the context. */
export function withoutReasoning(message: Message, chat: ChatMessage): boolean {
  return chat.reasoning_content === undefined && message.parts.some((part) => part.kind === 'reasoning');
}

/** Where two texts differ: what they share before and after, and what stood and stands in between. */
export interface TextChange {
  lead: string;
  removed: string;
  added: string;
  tail: string;
}

export function textChange(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length);
  let lead = 0;
  while (lead < most && before[lead] === after[lead]) lead++;
  let tail = 0;
  while (tail < most - lead && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return {
    lead: after.slice(0, lead),
    removed: before.slice(lead, before.length - tail),
    added: after.slice(lead, after.length - tail),
    tail: after.slice(after.length - tail),
  };
}

/** What a chat message says, as far as it is text. */
export function contentText({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : '';
}
