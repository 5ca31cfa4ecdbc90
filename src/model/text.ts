import type { Message, Part } from './episode';

/** The text of one part as a person reads it. */
export function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
    case 'refusal':
    case 'json':
      return part.text;
    case 'call':
      return `${part.call.name}(${part.call.arguments})`;
    case 'sealed':
      return '[encrypted reasoning]';
    case 'image':
      return '[image]';
    case 'unknown':
      return valueJson(part.value);
  }
}

/** `JSON.stringify` recurses, and a hostile value can be nested deeper than the stack. */
export function valueJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent) ?? '';
  } catch {
    return '[nested too deeply to write out]';
  }
}

export function messageText(message: Pick<Message, 'parts'>): string {
  return message.parts.map(partText).join('\n');
}

/** Characters of context a message takes up. Images and sealed reasoning count by their placeholder. */
export function messageSize(message: Pick<Message, 'parts'>): number {
  let size = 0;
  for (const part of message.parts) size += partText(part).length;
  return size;
}

/** At most so many UTF-16 units of a text, as it is, and no half of a surrogate pair at the end. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** Rollout text for use within one line: control characters become spaces, and a long text its beginning. */
export function excerpt(text: string, length = 60): string {
  // Sliced first, so that a text of 10 MB costs no more than a short one; by code points, so that no pair is cut.
  const points = Array.from(text.slice(0, 2 * length + 2));
  const short = points.length > length ? `${points.slice(0, length).join('')}…` : text;
  return short.replaceAll(/\p{Cc}+/gu, ' ');
}
