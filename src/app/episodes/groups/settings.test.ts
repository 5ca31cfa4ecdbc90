import { describe, expect, it } from 'vitest';
import { kFrom } from './settings';

describe('the k of pass@k', () => {
  it('are read as a person writes them', () => {
    expect(kFrom('1, 4 8')).toEqual([1, 4, 8]);
    expect(kFrom('8;1;1')).toEqual([1, 8]);
    expect(kFrom('')).toEqual([]);
  });

  it.each(['0', '-1', '1.5', 'four', '1,2,3,4,5,6,7', '9999999'])('are not %s', (text) => {
    expect(kFrom(text)).toBeUndefined();
  });
});
