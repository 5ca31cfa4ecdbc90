import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineAt, linesOf } from './lines';

const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '😀', '\ud800') });

describe('lines', () => {
  it('have all of the text, none longer than allowed', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 8, max: 20 }), (text, columns) => {
        const lines = linesOf(text, columns);
        const starts = [...lines.starts, text.length];
        expect(
          starts
            .slice(0, -1)
            .map((start, index) => text.slice(start, starts[index + 1]))
            .join(''),
        ).toBe(text);
        for (let index = 0; index < lines.starts.length; index += 1) {
          const line = lineAt(lines, index);
          expect(line.length).toBeLessThanOrEqual(columns);
          expect(line).not.toContain('\n');
        }
      }),
    );
  });

  it('never split a character', () => {
    const lines = linesOf('😀'.repeat(50), 9);
    for (let index = 0; index < lines.starts.length; index += 1) {
      expect(lineAt(lines, index)).toMatch(/^(😀)+$/u);
    }
  });

  it('break between words that are not too long', () => {
    const lines = linesOf('the chapter list points to chunk one', 16);
    expect(Array.from(lines.starts, (_, index) => lineAt(lines, index))).toEqual([
      'the chapter ',
      'list points to ',
      'chunk one',
    ]);
  });

  it('break where the text does', () => {
    const lines = linesOf('one\n\nthree', 80);
    expect([0, 1, 2].map((index) => lineAt(lines, index))).toEqual(['one', '', 'three']);
    expect(lines.starts.length).toBe(3);
  });
});
