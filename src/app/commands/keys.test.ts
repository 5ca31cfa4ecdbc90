import { describe, expect, it } from 'vitest';
import { keyLabels, sequences, strokeOf } from './keys';

const plain = { ctrlKey: false, metaKey: false, altKey: false };

describe('strokeOf', () => {
  it('tells letters, shifted letters and chords apart', () => {
    expect(strokeOf({ ...plain, key: 'j' })).toBe('j');
    expect(strokeOf({ ...plain, key: 'J' })).toBe('J');
    expect(strokeOf({ ...plain, key: 'K', ctrlKey: true })).toBe('mod+k');
  });

  it('leaves alt and foreign chords to the browser', () => {
    expect(strokeOf({ ...plain, key: 'j', altKey: true })).toBeUndefined();
    expect(strokeOf({ ...plain, key: 'j', metaKey: true })).toBeUndefined();
  });
});

const all = () => ['j', 'g g', 'g e'];

describe('sequences', () => {
  it('completes single keys at once and sequences at their last key', () => {
    const { press } = sequences(all, () => 0);
    expect(press('j')).toBe('j');
    expect(press('g')).toBeUndefined();
    expect(press('g')).toBe('g g');
  });

  it('starts anew with the key that broke a sequence', () => {
    const { press } = sequences(all, () => 0);
    press('g');
    expect(press('j')).toBe('j');
    press('x');
    press('g');
    expect(press('e')).toBe('g e');
  });

  it('forgets a sequence after a second', () => {
    let time = 0;
    const { press } = sequences(all, () => time);
    press('g');
    time = 1500;
    expect(press('g')).toBeUndefined();
    expect(press('g')).toBe('g g');
  });
});

it('labels keys as they stand on the keyboard', () => {
  expect(keyLabels('g g')).toEqual(['g', 'g']);
  expect(keyLabels('mod+k')).toEqual(['Ctrl', 'K']);
});
