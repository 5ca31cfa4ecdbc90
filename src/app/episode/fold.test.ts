import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf, headOf, shortName } from './fold';

const lines = (count: number) => Array.from({ length: count }, (_, line) => `line ${line}`).join('\n');

describe('headOf', () => {
  it('leaves short texts whole', () => {
    for (const text of ['', 'x', lines(20), lines(24), 'x'.repeat(4_000)])
      expect(headOf(text)).toBeUndefined();
  });

  it('folds long ones at a line end or at their characters', () => {
    expect(headOf(lines(100))).toBe(lines(20));
    expect(headOf('x'.repeat(100_000))).toHaveLength(4_000);
  });

  it('gives a true beginning that breaks no character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('😀', 'a', '\n', '\ud800')),
        fc.integer({ min: 1, max: 9 }),
        (pieces, limit) => {
          const text = pieces.join('');
          const head = headOf(text, limit, limit);
          if (head === undefined) return;
          expect(text.startsWith(head)).toBe(true);
          expect(head.length).toBeLessThan(text.length);
          expect(Array.from(text).slice(0, Array.from(head).length).join('')).toBe(head);
        },
      ),
    );
  });
});

describe('shortName', () => {
  it('cuts what does not fit, between characters', () => {
    expect(shortName('readChunk')).toBe('readChunk');
    expect(shortName('x'.repeat(1000))).toBe(`${'x'.repeat(120)}…`);
    expect(shortName('a😀b', 2)).toBe('a…');
  });
});

describe('blocksOf', () => {
  it('keeps the text, but for the line ends between blocks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('😀', 'ab', '\n')),
        fc.integer({ min: 2, max: 9 }),
        (pieces, size) => {
          const text = pieces.join('');
          const blocks = blocksOf(text, size);
          let rest = text;
          for (const [index, block] of blocks.entries()) {
            expect(block.length).toBeLessThanOrEqual(size);
            expect(rest.startsWith(block)).toBe(true);
            rest = rest.slice(block.length);
            if (index < blocks.length - 1) rest = rest.replace(/^\n/, '');
          }
          expect(rest).toBe('');
        },
      ),
    );
  });
});
