import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  counted,
  formatBytes,
  formatCell,
  formatDuration,
  formatNumber,
  formatReward,
  oneLine,
  standingOf,
} from './format';

const read = (text: string) => Number(text.replaceAll('−', '-').replaceAll(',', ''));

describe('numbers', () => {
  it('read back to what they were, to the digits that are shown', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e300, max: 1e300, noNaN: true }), (value) => {
        const back = read(formatNumber(value));
        expect(Math.abs(back - value)).toBeLessThanOrEqual(Math.abs(value) * 0.006);
        expect(Math.sign(back) === Math.sign(value) || value === 0).toBe(true);
      }),
    );
  });

  it('keep whole numbers whole', () => {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        expect(read(formatNumber(value))).toBe(value);
      }),
    );
    expect(formatNumber(41_872)).toBe('41,872');
    expect(formatNumber(-0)).toBe('0');
  });

  it('have a word for what is no number', () => {
    expect([NaN, Infinity, -Infinity].map(formatNumber)).toEqual(['NaN', '∞', '−∞']);
  });
});

describe('rewards', () => {
  it('stand under each other, and do not hide that they are not nothing', () => {
    expect([0, 1, -0.5, 0.25, -0].map(formatReward)).toEqual(['0.00', '1.00', '−0.50', '0.25', '0.00']);
    expect(formatReward(0.001)).toBe('0.001');
    expect(formatReward(1e-9)).toBe('1.00e−9');
    expect(formatReward(2_500_000)).toBe('2,500,000');
  });

  it('are rounded as they are read, halves away from nothing', () => {
    const cents = Array.from({ length: 1000 }, (_, cent) => cent + 1);
    const read = cents.map((cent) => formatReward((cent * 10 - 5) / 1000));
    expect(read).toEqual(cents.map((cent) => (cent / 100).toFixed(2)));
    expect(formatReward(-1.005)).toBe('−1.01');
    expect(formatReward(12345.5)).toBe('12345.50');
  });

  it('are low without a gain and high from the full point on', () => {
    expect([-1, 0, 0.5, 1, 7].map(standingOf)).toEqual(['low', 'low', 'between', 'high', 'high']);
  });
});

describe('cells', () => {
  it('are one line of bounded length without control characters, whatever was in the file', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', 'é', '😀', '\n', '\t', '\u0000', '\u0085', '\u202e', '\ud800'),
          maxLength: 700,
        }),
        (text) => {
          const cell = formatCell(text);
          expect(cell.length).toBeLessThanOrEqual(301);
          // oxlint-disable-next-line no-control-regex
          expect(cell).not.toMatch(/[\u0000-\u001f\u007f]/);
        },
      ),
    );
    expect(oneLine('a\n\tb\u0000c')).toBe('a b c');
  });

  it('say yes, no and nothing', () => {
    expect([true, false, undefined].map(formatCell)).toEqual(['yes', 'no', '']);
  });
});

describe('amounts', () => {
  it('are in the unit a person would choose', () => {
    expect([0, 999, 1500, 999_499, 999_600, 40e9, 3e15].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '1.5 kB',
      '999 kB',
      '1.0 MB',
      '40 GB',
      '3000 TB',
    ]);
    expect([0.2, 59, 61, 3599, 3600, 3900].map(formatDuration)).toEqual([
      '1 s',
      '59 s',
      '1 min',
      '1 h',
      '1 h',
      '1 h 5 min',
    ]);
    expect([counted(1, 'episode'), counted(1204, 'episode'), counted(0, 'query', 'queries')]).toEqual([
      '1 episode',
      '1,204 episodes',
      '0 queries',
    ]);
  });
});
