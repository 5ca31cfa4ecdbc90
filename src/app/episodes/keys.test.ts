import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerAfterKey, rowAfterKey } from './keys';

const moves = fc.constantFrom('ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End');

describe('keys in the grid', () => {
  it('always lead to a row that is there', () => {
    fc.assert(
      fc.property(
        moves,
        fc.option(fc.nat(200), { nil: undefined }),
        fc.integer({ min: 1, max: 100 }),
        fc.nat(30),
        (key, active, total, page) => {
          const row = rowAfterKey(key, { active, total, page });
          expect(row).toBeGreaterThanOrEqual(0);
          expect(row).toBeLessThan(total);
        },
      ),
    );
  });

  it('go one row, one screen, or to an end', () => {
    const at = { active: 50, total: 100, page: 10 };
    expect(
      ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].map((key) => rowAfterKey(key, at)),
    ).toEqual([51, 49, 59, 41, 0, 99]);
  });

  it('start at an end', () => {
    const at = { active: undefined, total: 100, page: 10 };
    expect(rowAfterKey('ArrowDown', at)).toBe(0);
    expect(rowAfterKey('ArrowUp', at)).toBe(99);
  });

  it('do nothing otherwise', () => {
    expect(rowAfterKey('a', { active: 1, total: 5, page: 2 })).toBeUndefined();
    expect(rowAfterKey('ArrowDown', { active: undefined, total: 0, page: 2 })).toBeUndefined();
  });

  it('go from header to header without leaving them', () => {
    expect(headerAfterKey('ArrowRight', 2, 3)).toBe(2);
    expect(headerAfterKey('ArrowRight', 1, 3)).toBe(2);
    expect(headerAfterKey('ArrowLeft', 0, 3)).toBe(0);
    expect(headerAfterKey('End', 0, 3)).toBe(2);
    expect(headerAfterKey('ArrowDown', 0, 3)).toBeUndefined();
  });
});
