import { createContext } from 'react';
import { partText, type Part } from '../../../model';
import { CHARACTERS } from '../fold';

/** Whether a part is among those of its message that are drawn as Markdown, if that is what the person wants. */
export const MayBeMarkdown = createContext(true);

/** Characters of one message, its parts folded, that are drawn as Markdown. */
export const SHARE = 10 * CHARACTERS;

/** How many of the first parts are drawn as Markdown: usually all. */
export function markdownParts(parts: readonly Part[], share = SHARE): number {
  let left = share;
  const beyond = parts.findIndex((part) => {
    // Only these are drawn as Markdown.
    if (part.kind === 'text' || part.kind === 'reasoning' || part.kind === 'refusal') {
      left -= Math.min(CHARACTERS, partText(part).length);
    }
    return left < 0;
  });
  return beyond < 0 ? parts.length : beyond;
}
