import { expect, it } from 'vitest';
import { activeRow, refKey } from './cursor';

const cursor = { row: 7, order: 'by reward', from: 'a#1', to: 'a#2' };

it('the cursor stays while the episode it left or the one it asked for is open', () => {
  expect(activeRow(cursor, 'by reward', 'a#1', 3)).toBe(7);
  expect(activeRow(cursor, 'by reward', 'a#2', 3)).toBe(7);
});

it('an episode opened from elsewhere, or another order, takes it to the opened row', () => {
  expect(activeRow(cursor, 'by reward', 'a#9', 3)).toBe(3);
  expect(activeRow(cursor, 'by steps', 'a#2', 3)).toBe(3);
  expect(activeRow(undefined, 'by reward', undefined, undefined)).toBeUndefined();
});

it('references are the same by what they name', () => {
  expect(refKey({ source: 'a', episode: 1 })).toBe(refKey({ episode: 1, source: 'a' }));
  expect(refKey(undefined)).toBeUndefined();
});
