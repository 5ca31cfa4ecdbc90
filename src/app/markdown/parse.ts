import { Lexer, Tokenizer, type MarkedToken, type Tokens } from 'marked';
import { countDrawn, knownTokens } from './tokens';

/** What one text may cost. Beyond any of these it is shown as it is: nobody reads it as a document. */
export const limits = {
  characters: 20_000,
  lines: 2_000,
  /** Elements to be drawn, about. */
  drawn: 4_000,
  /** Delimiters of emphasis in one word; a path or a name has a few. */
  inWord: 100,
  /** Characters that marked looks through for the ends of emphasis that has none; `*a_*a_*a_` costs it the square. */
  searched: 500_000,
} as const;

/** marked takes the square of the depth for these, until the stack ends. */
const quotesTooDeep = /^(?:[ \t]*>){50}/m;

export type Parsed = { kind: 'tokens'; tokens: MarkedToken[] } | { kind: 'plain'; why: 'long' | 'intricate' };

/**
 * Markdown as tokens, or why it is better shown as it is.
 * HTML is not understood: tags stay text, which is what an RL engineer wants to see of `<tool_call>`.
 */
export function parseMarkdown(text: string): Parsed {
  if (text.length > limits.characters || lineCount(text) > limits.lines) return tooLong;
  if (quotesTooDeep.test(text) || tangledWord(text, limits.inWord)) return tooIntricate;
  try {
    const lexer = new Lexer({ gfm: true, async: false, tokenizer: new SparingTokenizer() });
    const tokens = knownTokens(lexer.lex(text));
    return countDrawn(tokens, limits.drawn) > limits.drawn ? tooIntricate : { kind: 'tokens', tokens };
  } catch {
    // Too much emphasis without an end, or lists in lists until the stack ends.
    return tooIntricate;
  }
}

const tooLong: Parsed = { kind: 'plain', why: 'long' };
const tooIntricate: Parsed = { kind: 'plain', why: 'intricate' };

/** Gives up where looking for the ends of emphasis takes too long. */
export class SparingTokenizer extends Tokenizer {
  searched = 0;

  override emStrong(source: string, masked: string, before = ''): Tokens.Em | Tokens.Strong | undefined {
    const found = super.emStrong(source, masked, before);
    if (found === undefined && mayOpen(source, before)) {
      this.searched += source.length;
      if (this.searched > limits.searched) throw new Error('Too much emphasis without an end.');
    }
    return found;
  }
}

/** The underscores within `a_b_c` open nothing, and marked does not look for their ends. */
function mayOpen(source: string, before: string): boolean {
  return /^[*_]+[^\s*_]/.test(source) && !(source.startsWith('_') && /[\p{L}\p{N}]/u.test(before));
}

function lineCount(text: string): number {
  let lines = 1;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines += 1;
  return lines;
}

/** Whether a word is made of emphasis, `_a_a_a_a...`: marked's patterns take the square of its delimiters. */
export function tangledWord(text: string, most: number): boolean {
  for (const [word] of text.matchAll(/\S+/g)) {
    // A row of them is one delimiter: `_____`.
    if (word.length > most && (word.match(/\*+|_+/g)?.length ?? 0) > most) return true;
  }
  return false;
}

/**
 * Heading levels for a document that starts below `base`, given the depths it was written with: none is skipped on
 * the way down, so the page's outline stays sound. `headingLevels([1, 3, 2], 4)` is `[4, 5, 5]`.
 */
export function headingLevels(depths: readonly number[], base: number): number[] {
  const shallowest = depths.reduce((least, depth) => Math.min(least, depth), 6);
  let last = base - 1;
  return depths.map((depth) => {
    last = Math.min(base + depth - shallowest, last + 1, 6);
    return last;
  });
}
