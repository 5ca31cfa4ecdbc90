import type { MarkedToken, Token } from 'marked';
import { decodeEntities } from './entities';
import { imageName, safeHref, writtenHref } from './links';
import { parseMarkdown } from './parse';
import { DEEPEST, imageWords, isBlock, joinLines, knownTokens, languageName, LINE_END } from './tokens';

/** What is read of a text once it is drawn as Markdown: `a **b** [c](https://d.org)` is `a b c`. Lines stay apart. */
export function shownText(text: string): string {
  const parsed = parseMarkdown(text);
  return parsed.kind === 'tokens' ? textOfAll(parsed.tokens, 0) : text;
}

function textOfAll(tokens: readonly Token[], depth: number): string {
  return knownTokens(tokens)
    .map((token, index) => {
      const ends = index < tokens.length - 1 && isBlock(token);
      return `${textOf(token, depth + 1)}${ends ? LINE_END : ''}`;
    })
    .join('');
}

function textOf(token: MarkedToken, depth: number): string {
  if (depth > DEEPEST) return token.raw;
  switch (token.type) {
    case 'paragraph':
    case 'heading':
    case 'blockquote':
    case 'list_item':
    case 'strong':
    case 'em':
    case 'del':
      return textOfAll(token.tokens, depth);
    case 'list':
      return textOfAll(token.items, depth);
    case 'code': {
      const name = languageName(token.lang);
      return `${name === undefined ? '' : `${name}${LINE_END}`}${token.text}`;
    }
    case 'table':
      return [...token.header, ...token.rows.flat()]
        .map(({ tokens }) => `${textOfAll(tokens, depth)}${LINE_END}`)
        .join('');
    case 'codespan':
    case 'escape':
      return token.text;
    case 'link': {
      const written = writtenHref(token);
      const content = textOfAll(token.tokens, depth);
      return safeHref(written) === undefined ? `${content} (${written})` : content;
    }
    case 'image':
      return `${imageWords}${imageName(token)}`;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'text':
      return token.tokens === undefined
        ? joinLines(decodeEntities(token.text))
        : textOfAll(token.tokens, depth);
    case 'html':
      return token.block ? token.text.trimEnd() : token.text;
    case 'def':
      return token.raw.trimEnd();
    case 'br':
      return LINE_END;
    case 'hr':
    case 'space':
      return '';
  }
}
