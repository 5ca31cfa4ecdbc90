import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FilterColumn } from '../../../ingest/filter';
import { isUnfinished, painted } from './paint';

const columns: FilterColumn[] = [
  { key: 'reward', label: 'Reward', type: 'number' },
  { key: 'metric:won', label: 'won', type: 'boolean' },
];

describe('a filter as it is drawn', () => {
  it('is its text, whatever that is and wherever it is wrong', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('reward', '"', '`', '<', '=', '(', ')', ' ', '1') }),
    );
    fc.assert(
      fc.property(texts, fc.nat(40), fc.nat(10), (text, start, length) => {
        const fault = {
          message: '',
          start: Math.min(start, text.length),
          end: Math.min(start + length, text.length),
        };
        const strokes = painted(text, columns, fault);
        expect(
          strokes
            .map((stroke) => stroke.text)
            .join('')
            .trimEnd(),
        ).toBe(text.trimEnd());
        const wrong = strokes.filter((stroke) => stroke.wrong).map((stroke) => stroke.text);
        if (fault.start < text.length) expect(wrong.join('')).toBe(text.slice(fault.start, fault.end));
        else expect(wrong).toEqual([' ']);
      }),
    );
  });

  it('tells columns, words and strings apart', () => {
    const kinds = painted('reward < 1 and not won or "reward" reward', columns, undefined)
      .filter(({ kind }) => kind !== 'plain')
      .map(({ kind, text }) => [kind, text]);
    expect(kinds).toEqual([
      ['column', 'reward'],
      ['word', 'and'],
      ['word', 'not'],
      ['column', 'won'],
      ['word', 'or'],
      ['string', '"reward"'],
    ]);
  });
});

describe('a filter that is being written', () => {
  it.each(['r', 'rew', 'reward', 'reward > 1 an', 'not wo', '(REW'])('%s waits', (text) => {
    expect(isUnfinished(text, columns)).toBe(true);
  });
  it.each(['', 'reward ', 'reward > 1', 'task:rew', 'apples', '"rew', 'won '])('%s does not', (text) => {
    expect(isUnfinished(text, columns)).toBe(false);
  });
});
