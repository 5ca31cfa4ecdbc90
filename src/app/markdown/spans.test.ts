import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlight } from './highlighter';

describe('highlight', () => {
  it('gives every character of the code back, in order', () => {
    const code = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom(
            '<span class="hljs-x">',
            '</span>',
            '&lt;',
            '&amp;lt;',
            '"',
            "'",
            'def f():\n',
            '# x',
            '{',
            '1',
          ),
        )
        .map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(code, fc.constantFrom('python', 'json', 'bash', 'typescript'), (text, language) => {
        expect(
          highlight(text, language)
            ?.map((span) => span.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('tells scopes apart and knows aliases', () => {
    expect(highlight('x = 1', 'py')).toContainEqual({ text: '1', scope: 'number' });
    expect(highlight('x', 'klingon')).toBeUndefined();
    expect(highlight('x', '__proto__')).toBeUndefined();
  });
});
