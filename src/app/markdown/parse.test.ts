import * as fc from 'fast-check';
import { Lexer } from 'marked';
import { describe, expect, it } from 'vitest';
import { limits, parseMarkdown, SparingTokenizer, tangledWord } from './parse';
import { colouredBlocks, countDrawn, knownTokens } from './tokens';

const plain = (why: 'long' | 'intricate') => ({ kind: 'plain', why });
const filling = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length));

describe('parseMarkdown', () => {
  it('leaves long texts as they are', () => {
    expect(parseMarkdown('x'.repeat(limits.characters)).kind).toBe('tokens');
    expect(parseMarkdown('x'.repeat(limits.characters + 1))).toEqual(plain('long'));
    expect(parseMarkdown('a\n'.repeat(limits.lines))).toEqual(plain('long'));
  });

  it.each(['*a_', '_a', '_a.', '*a_ b', '*a _b. ', '**a _b '])(
    'gives up on emphasis without an end: %j',
    (piece) => {
      expect(parseMarkdown(filling(piece, limits.characters))).toEqual(plain('intricate'));
    },
  );

  it.each([
    '**bold words** and more text. ',
    '- **name**: what it is, in words\n',
    'some_snake_case and __init__ here ',
    'x * y ',
    '`*a_` and words to read about it ',
  ])('reads honest text to the end: %j', (piece) => {
    expect(parseMarkdown(filling(piece, limits.characters)).kind).toBe('tokens');
  });

  it('gives up on more elements than can be drawn', () => {
    const row = `|${'a|'.repeat(100)}\n`;
    const table = (rows: number) => `${row}|${'-|'.repeat(100)}\n${row.repeat(rows)}`;
    expect(parseMarkdown(table(5)).kind).toBe('tokens');
    expect(parseMarkdown(table(45))).toEqual(plain('intricate'));
    expect(parseMarkdown('- a\n'.repeat(1900))).toEqual(plain('intricate'));
  });

  it('draws no more than the limit, whatever the text', () => {
    const piece = fc.constantFrom(
      '- a\n',
      '*a*',
      '|a|b|\n',
      '|-|-|\n',
      '> ',
      '`a`',
      '\n\n',
      'x_',
      '# h\n',
      '~~d~~',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 900 }), (pieces, times) => {
        const parsed = parseMarkdown(pieces.join('').repeat(times));
        if (parsed.kind === 'tokens') expect(countDrawn(parsed.tokens)).toBeLessThanOrEqual(limits.drawn);
      }),
      { numRuns: 40 },
    );
  });
});

describe('SparingTokenizer', () => {
  it('searches no further than the limit', () => {
    const tokenizer = new SparingTokenizer();
    const text = filling('*a _b. ', 100_000);
    expect(() => new Lexer({ gfm: true, async: false, tokenizer }).lex(text)).toThrow('without an end');
    // One search at most goes beyond it.
    expect(tokenizer.searched).toBeLessThanOrEqual(limits.searched + text.length);
  });
});

describe('tangledWord', () => {
  it('counts delimiters within one word, a row of the same as one', () => {
    expect(tangledWord('_a'.repeat(11), 10)).toBe(true);
    expect(tangledWord('_a'.repeat(10), 10)).toBe(false);
    expect(tangledWord('_a '.repeat(100), 10)).toBe(false);
    expect(tangledWord('_'.repeat(1000), 10)).toBe(false);
  });
});

describe('colouredBlocks', () => {
  it('colours the first blocks, wherever they stand, and no more than its share', () => {
    const blocks = Array.from(
      { length: 6 },
      (_, nth) => `- x\n\n  \`\`\`python\n  ${`${nth}`.repeat(40)}\n  \`\`\`\n`,
    );
    const tokens = knownTokens(new Lexer({ gfm: true, async: false }).lex(blocks.join('\n')));
    const texts = [...colouredBlocks(tokens, 100)].map((token) =>
      token.type === 'code' ? token.text[0] : '',
    );
    expect(texts).toEqual(['0', '1']);
  });
});
