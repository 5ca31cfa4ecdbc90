import type { Tokenizer } from './tokenizer';

/** Some tokenizers take a text as a whole, in time that grows faster than the text. */
const PIECE = 20_000;

/** The tokens of a text of any length. A cut, at a space where there is one nearby, costs a token at most. */
export function countLong(tokenizer: Tokenizer, text: string): number {
  let count = 0;
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start);
    count += tokenizer.count(text.slice(start, end));
    start = end;
  }
  return count;
}

function pieceEnd(text: string, start: number): number {
  const most = start + PIECE;
  if (most >= text.length) return text.length;
  const space = text.lastIndexOf(' ', most);
  if (space > start + PIECE / 2) return space;
  // Never between the halves of a character.
  return /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
}

/**
 * The text of each token by itself, for ids that each stand once in the list. A token can be a part of a character: that
 * part is U+FFFD.
 */
export function decodeEach(tokenizer: Tokenizer, ids: Iterable<number>): string[] {
  return Array.from(ids, (id) => tokenizer.decode([id]));
}

/** Whether a tokenizer is the one that made some ids: only then they decode to a text that holds what was said. */
export function isMadeBy(tokenizer: Tokenizer, ids: Iterable<number>, said: string): boolean {
  const text = said.trim();
  return text !== '' && tokenizer.decode(ids).includes(text);
}
