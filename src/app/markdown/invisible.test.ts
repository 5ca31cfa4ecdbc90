import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hidesSomething, runsOf } from './invisible';

const shown = (text: string) =>
  runsOf(text).map((run) => (run.kind === 'text' ? run.text : `<${run.label}>`));

const dangerous = [
  0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200b, 0x200e, 0xfeff,
];

const dangerousOnes = new RegExp(`[${dangerous.map((code) => String.fromCodePoint(code)).join('')}]`);

describe('runsOf', () => {
  it('leaves ordinary text alone', () => {
    for (const text of [
      '',
      'plain',
      'tab\tand\nnewline',
      'CR\r\nLF',
      'עברית',
      'می\u200cخواهم',
      '👩\u200d👧',
      'naïve ☕️',
    ]) {
      expect(runsOf(text)).toEqual([{ kind: 'text', text }]);
      expect(hidesSomething(text)).toBe(false);
    }
  });

  it('shows what would hide or reorder text', () => {
    expect(shown('access\u202eresu')).toEqual(['access', '<U+202E>', 'resu']);
    expect(shown('\u001b[31mred')).toEqual(['<␛>', '[31mred']);
    expect(shown('a\rb')).toEqual(['a', '<␍>', 'b']);
    expect(shown('pay\u200dpal')).toEqual(['pay', '<U+200D>', 'pal']);
    expect(shown('x\u{e0041}')).toEqual(['x', '<U+E0041>']);
    expect(shown('half \ud83d here')).toEqual(['half ', '<U+D83D>', ' here']);
  });

  it('makes one mark of neighbours and does not grow with them', () => {
    const [mark, ...rest] = runsOf('\u200b'.repeat(10_000));
    expect(rest).toEqual([]);
    expect(mark).toMatchObject({ kind: 'mark', label: expect.stringMatching(/ \+9992$/) });
  });

  it('keeps all text outside the marks, in order, and none of the dangerous characters', () => {
    const units = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        ...dangerous.map((code) => String.fromCodePoint(code)),
        '\ud800',
        '\udfff',
        '\r',
        '\r\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(units), (pieces) => {
        const text = pieces.join('');
        let position = 0;
        for (const run of runsOf(text)) {
          if (run.kind === 'mark') continue;
          position = text.indexOf(run.text, position) + run.text.length;
          if (position < run.text.length || dangerousOnes.test(run.text) || /\p{Cs}/u.test(run.text))
            return false;
        }
        return true;
      }),
    );
  });
});
