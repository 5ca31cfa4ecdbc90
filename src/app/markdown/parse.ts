import { Lexer, type MarkedToken, type Token } from 'marked';

/** Longer texts are shown as they are: nobody reads them as a document, and parsing would cost more than a frame. */
export const LONGEST = 200_000;

/** marked takes the square of the depth for these, until the stack ends. */
const quotesTooDeep = /^(?:[ \t]*>){50}/m;

/**
 * Markdown as tokens; undefined where the text is too long or too deeply nested to be read as Markdown.
 * HTML is not understood: tags stay text, which is what an RL engineer wants to see of `<tool_call>`.
 */
export function parseMarkdown(text: string): MarkedToken[] | undefined {
  if (text.length > LONGEST || quotesTooDeep.test(text)) return undefined;
  try {
    return knownTokens(new Lexer({ gfm: true, async: false }).lex(text));
  } catch {
    // Quotes in quotes in quotes: marked recurses until the stack ends.
    return undefined;
  }
}

export function knownTokens(tokens: readonly Token[]): MarkedToken[] {
  // No extension is registered with marked, so every token is one of its own.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return tokens as MarkedToken[];
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
