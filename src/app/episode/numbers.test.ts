import { describe, expect, it } from 'vitest';
import { shortCount } from './numbers';
import { counted, formatCount } from '../words/format';

describe('numbers', () => {
  it('are written for people', () => {
    expect(formatCount(1234567)).toBe('1,234,567');
    expect(counted(1, 'message')).toBe('1 message');
    expect(counted(0, 'reply', 'replies')).toBe('0 replies');
  });

  it.each([
    [0, '0'],
    [9_999, '9,999'],
    [10_000, '10k'],
    [12_345, '12.3k'],
    [99_949, '99.9k'],
    [99_999, '100k'],
    [128_340, '128k'],
    [999_499, '999k'],
    [999_999, '1M'],
    [1_250_000, '1.3M'],
    [250_000_000, '250M'],
  ])('%d is short as %s', (value, text) => expect(shortCount(value)).toBe(text));
});
