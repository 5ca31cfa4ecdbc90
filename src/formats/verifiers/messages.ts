import { at, partText, stringAt } from '../../model';
import { chatEntry } from '../chat-entry';
import type { Placed } from '../model-calls';

/** The messages under a key. A string is one message of `speaker`; anything else that is no list is none. */
export function placedAt(value: unknown, key: string, speaker: 'user' | 'assistant', base = ''): Placed[] {
  const found = at(value, key);
  if (typeof found === 'string') return [{ value: { role: speaker, content: found }, raw: `${base}/${key}` }];
  if (!Array.isArray(found)) return [];
  return found.map((message: unknown, nth) => ({ value: message, raw: `${base}/${key}/${nth}` }));
}

/** What a user first said. */
export function userText(messages: readonly Placed[]): string | undefined {
  const first = messages.find(({ value }) => stringAt(value, 'role') === 'user');
  if (first === undefined) return undefined;
  const { parts } = chatEntry(first.value, first.raw);
  return parts.flatMap((part) => (part.kind === 'text' ? [partText(part)] : [])).join(' ');
}
