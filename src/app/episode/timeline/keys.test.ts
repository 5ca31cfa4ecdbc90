import { describe, expect, it } from 'vitest';
import { stepAfterKey } from './keys';

describe('stepAfterKey', () => {
  it.each([
    ['ArrowRight', 3, 4],
    ['ArrowUp', 3, 4],
    ['ArrowLeft', 3, 2],
    ['ArrowDown', 3, 2],
    ['PageUp', 3, 5],
    ['PageDown', 3, 1],
    ['Home', 3, 0],
    ['End', 3, 19],
    ['ArrowRight', 19, 19],
    ['ArrowLeft', 0, 0],
    ['PageUp', 19, 19],
  ])('%s from %d of 20 goes to %d', (key, from, to) => expect(stepAfterKey(key, from, 20)).toBe(to));

  it('knows no other key', () => {
    for (const key of ['a', 'Enter', 'constructor', '__proto__'])
      expect(stepAfterKey(key, 3, 20)).toBeUndefined();
  });
});
