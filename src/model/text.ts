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
      return jsonText(part.value);
  }
}

/** `JSON.stringify` recurses, and a hostile value can be nested deeper than the stack. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
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
