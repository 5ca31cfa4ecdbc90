import { anything, assert, property } from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { remembered } from './remembered';

const options = remembered<{ theme: string; widths: Record<string, number> }>('test', {
  theme: v.picklist(['light', 'dark']),
  widths: v.record(v.string(), v.number()),
});
const defaults = { theme: 'light', widths: {} };

describe('what is remembered', () => {
  it('comes back', () => {
    const stored = { theme: 'dark', widths: { a: 1 } };
    expect(options.merge(JSON.parse(JSON.stringify(stored)), defaults)).toEqual(stored);
  });

  it('keeps the good fields beside a bad one', () => {
    expect(options.merge({ theme: 'dark', widths: null }, defaults)).toEqual({ theme: 'dark', widths: {} });
    expect(options.merge({ theme: 7, widths: { a: 1 } }, defaults)).toEqual({
      theme: 'light',
      widths: { a: 1 },
    });
  });

  it('is whole whatever storage holds', () => {
    assert(
      property(anything(), (stored) => {
        const { theme, widths } = options.merge(stored, defaults);
        expect(['light', 'dark']).toContain(theme);
        expect(Object.values(widths).every((width) => typeof width === 'number')).toBe(true);
      }),
    );
  });
});
