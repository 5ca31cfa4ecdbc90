import type { MarkedToken, Token } from 'marked';

export function knownTokens(tokens: readonly Token[]): MarkedToken[] {
  // No extension is registered with marked, so every token is one of its own.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return tokens as MarkedToken[];
}

/** Deeper nesting than a person would write is shown as the text it is. */
export const DEEPEST = 24;

/** Whether a token stands on lines of its own, and not within one. */
export function isBlock(token: MarkedToken): boolean {
  switch (token.type) {
    case 'text':
      return token.tokens !== undefined;
    case 'html':
      return token.block;
    case 'paragraph':
    case 'heading':
    case 'blockquote':
    case 'list':
    case 'list_item':
    case 'code':
    case 'table':
    case 'hr':
    case 'def':
    case 'space':
      return true;
    default:
      return false;
  }
}

/** What is written into the text of a page between two lines: it is not seen there, and keeps words apart. */
export const LINE_END = '\n';

/** A line that was broken only in the source goes on. */
export const joinLines = (text: string) => text.replaceAll('\n', ' ');

/** The name of a block's language, as far as it is one. */
export const languageName = (language: string | undefined) =>
  /^[\w+#.-]{1,24}/.exec(language ?? '')?.[0].toLowerCase();

export const imageWords = 'image not loaded: ';

/** Every token and every cell of a table is at least one element; counting ends soon after `enough`. */
export function countDrawn(tokens: readonly MarkedToken[], enough = Infinity): number {
  const waiting = [...tokens];
  let count = 0;
  for (let token = waiting.pop(); token !== undefined && count <= enough; token = waiting.pop()) {
    count += token.type === 'table' ? 1 + token.header.length * (token.rows.length + 1) : 1;
    for (const inner of within(token)) waiting.push(inner);
  }
  return count;
}

/** The characters of code that are coloured in one text: colours cost an element per word. */
const MOST_COLOURED = 10_000;

/** The blocks of code that get colours: the first ones, until there is enough of them. */
export function colouredBlocks(
  tokens: readonly MarkedToken[],
  most = MOST_COLOURED,
): ReadonlySet<MarkedToken> {
  const coloured = new Set<MarkedToken>();
  const waiting = tokens.toReversed();
  let left = most;
  for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) {
    if (token.type === 'code') {
      left -= token.text.length;
      if (left < 0) break;
      coloured.add(token);
    }
    for (const inner of within(token).toReversed()) waiting.push(inner);
  }
  return coloured;
}

function within(token: MarkedToken): MarkedToken[] {
  switch (token.type) {
    case 'list':
      return token.items;
    case 'table':
      return knownTokens([...token.header, ...token.rows.flat()].flatMap(({ tokens }) => tokens));
    default:
      return 'tokens' in token && token.tokens !== undefined ? knownTokens(token.tokens) : [];
  }
}
