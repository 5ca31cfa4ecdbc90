import { describe, expect, it } from 'vitest';
import { kFrom, passesFrom } from './settings';

describe('the k of pass@k', () => {
  it('are read as a person writes them', () => {
    expect(kFrom('1, 4 8')).toEqual({ settings: { k: [1, 4, 8] } });
    expect(kFrom('8;1;1')).toEqual({ settings: { k: [1, 8] } });
    expect(kFrom('')).toEqual({ settings: { k: [] } });
  });

  it.each([
    ['0', '“0” is not a whole number from 1 on.'],
    ['4, -1', '“-1” is not a whole number from 1 on.'],
    ['1.5', '“1.5” is not a whole number from 1 on.'],
    ['four', '“four” is not a whole number from 1 on.'],
    ['1,2,3,4,5,6,7', 'At most 6 numbers, such as 1, 4, 16.'],
    ['9999999', '“9999999” is more rollouts than a task can have here.'],
  ])('are not %s, which is said', (text, wrong) => {
    expect(kFrom(text)).toEqual({ wrong });
  });
});

describe('the reward from which a rollout passes', () => {
  it('is a number', () => {
    expect(passesFrom(' 0.5 ')).toEqual({ settings: { passes: 0.5 } });
    expect(passesFrom('much')).toEqual({ wrong: '“much” is not a number.' });
    expect(passesFrom(' ')).toEqual({ wrong: 'A reward is needed here, such as 1.' });
  });
});
