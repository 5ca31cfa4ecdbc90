import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countLong, decodeEach, isMadeBy } from './counting';
import { loadBundledTokenizer } from './index';
import type { Tokenizer } from './tokenizer';

const encode = (text: string): number[] =>
  text.split(' ').flatMap((word) => (word === '' ? [] : [word.length]));

/** Every word is a token; remembers the longest text it was ever given. */
function words(): Tokenizer & { longest: number } {
  const tokenizer = {
    id: 'words',
    name: 'words',
    longest: 0,
    encode,
    decode: (ids: Iterable<number>) => Array.from(ids, String).join(' '),
    count: (text: string) => {
      tokenizer.longest = Math.max(tokenizer.longest, text.length);
      return encode(text).length;
    },
  };
  return tokenizer;
}

describe('counting', () => {
  it('gives a tokenizer pieces it can take, and loses no word at a cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 1, max: 9 }), (count, length) => {
        const tokenizer = words();
        expect(countLong(tokenizer, Array(count).fill('x'.repeat(length)).join(' '))).toBe(count);
        expect(tokenizer.longest).toBeLessThanOrEqual(20_000);
      }),
      { numRuns: 30 },
    );
  });

  it('cuts no character in two', async () => {
    const tokenizer = await loadBundledTokenizer();
    // One letter before it puts every pair across an even boundary.
    const text = `a${'🚢'.repeat(20_000)}`;
    const whole = tokenizer.count('🚢'.repeat(100)) / 100;
    expect(countLong(tokenizer, text)).toBeLessThanOrEqual(1 + Math.ceil(20_000 * whole) + 5);
  });
});

describe('decoding', () => {
  it('reads tokens one by one', async () => {
    const tokenizer = await loadBundledTokenizer();
    const ids = tokenizer.encode('hello world');
    expect(decodeEach(tokenizer, ids)).toEqual(['hello', ' world']);
  });

  it('knows the tokenizer that made some ids', async () => {
    const tokenizer = await loadBundledTokenizer();
    const ids = tokenizer.encode('The lamp is lit.<|im_end|>', { special: true });
    expect(isMadeBy(tokenizer, ids, ' The lamp is lit. ')).toBe(true);
    expect(
      isMadeBy(
        tokenizer,
        ids.map((id) => id + 7),
        'The lamp is lit.',
      ),
    ).toBe(false);
    // Nothing said proves nothing.
    expect(isMadeBy(tokenizer, ids, ' ')).toBe(false);
  });
});
