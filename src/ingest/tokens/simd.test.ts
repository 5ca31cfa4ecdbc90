import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finder, windowBytes } from './simd';

/** What `find` says of a text of any length, byte by byte. Undefined for a forbidden control character. */
function naive(bytes: Uint8Array): { tokens: number[]; inString: boolean } | undefined {
  const tokens: number[] = [];
  let [inString, escaped, inWord] = [false, false, false];
  for (const [at, byte] of bytes.entries()) {
    const letter = String.fromCharCode(byte);
    if (byte < 0x20 && (inString || !'\t\n\r'.includes(letter))) return undefined;
    const isQuote = letter === '"' && !escaped;
    escaped = letter === '\\' && !escaped;
    if (isQuote) {
      tokens.push(at);
      inString = !inString;
      inWord = false;
    } else if (!inString) {
      const isOperator = '{}[]:,'.includes(letter);
      const isWord = byte > 0x20 && !isOperator;
      if (isOperator || (isWord && !inWord)) tokens.push(at);
      inWord = isWord;
    }
  }
  return { tokens, inString };
}

function found(bytes: Uint8Array): ReturnType<typeof naive> {
  const simd = finder();
  if (simd === undefined) throw new Error('no vectors here');
  const tokens: number[] = [];
  let inString = false;
  for (let start = 0; start === 0 || start < bytes.length; start += windowBytes) {
    const window = bytes.subarray(start, start + windowBytes);
    simd.input.set(window);
    const result = simd.find(window.length, start === 0 ? 1 : 0);
    if (result < 0) return undefined;
    for (const token of simd.tokens.subarray(0, result >> 1)) tokens.push(start + token);
    inString = result % 2 === 1;
  }
  return { tokens, inString };
}

const piece = fc.constantFrom(
  '"',
  '\\',
  '\\\\',
  '\\"',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  ' ',
  '\n',
  '\t',
  '1',
  'true',
  '-',
  'é',
  '\x01',
  '\x7f',
  'x'.repeat(70),
  `"${'y'.repeat(130)}"`,
);
const text = fc
  .array(fc.oneof({ weight: 8, arbitrary: piece }, fc.string({ unit: 'binary' })))
  .map((all) => all.join(''));

describe('find', () => {
  it('finds the tokens that a reader finds byte by byte', () => {
    fc.assert(
      fc.property(text, (written) => {
        const bytes = new TextEncoder().encode(written);
        expect(found(bytes)).toEqual(naive(bytes));
      }),
      { numRuns: 3000 },
    );
  });

  it('goes on where a window ends: in a string, in a word, after a backslash', () => {
    const before = fc.integer({ min: windowBytes - 70, max: windowBytes + 5 });
    fc.assert(
      fc.property(before, fc.boolean(), text, (length, quoted, written) => {
        const bytes = new TextEncoder().encode((quoted ? '"' : '') + 'a'.repeat(length) + written);
        expect(found(bytes)).toEqual(naive(bytes));
      }),
      { numRuns: 300 },
    );
  });
});
