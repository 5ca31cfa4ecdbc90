import { expect, it } from 'vitest';
import { placeText } from './placeText';

it('names a place by what is known of it', () => {
  expect(placeText({ step: 3, msgId: 7 })).toBe('step 3 · message 7');
  expect(placeText({ step: 0 })).toBe('step 0');
  expect(placeText({ msgId: 0 })).toBe('message 0');
  expect(placeText({})).toBeUndefined();
});
