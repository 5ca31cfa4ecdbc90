import { expect, it } from 'vitest';
import type { Message } from '../../model';
import { placeText, withStep } from './place';

it('names a place by what is known of it', () => {
  expect(placeText({ step: 3, msgId: 7 })).toBe('step 3 · message 7');
  expect(placeText({ step: 0 })).toBe('step 0');
  expect(placeText({ msgId: 0 })).toBe('message 0');
  expect(placeText({})).toBeUndefined();
});

const message = (msgId: number, bornAtStep: number): Message => ({
  msgId,
  role: 'user',
  origin: 'prompt',
  parts: [],
  bornAtStep,
  raw: [],
});

it('finds a message at the step that brought it', () => {
  const episode = { messages: [message(0, -1), message(7, 3)] };
  expect(withStep(episode, { msgId: 7 })).toEqual({ msgId: 7, step: 3 });
  // What stood there before the first call is seen at the first step.
  expect(withStep(episode, { msgId: 0 })).toEqual({ msgId: 0, step: 0 });
  expect(withStep(episode, { msgId: 7, step: 5 })).toEqual({ msgId: 7, step: 5 });
  expect(withStep(episode, { msgId: 99 })).toEqual({ msgId: 99 });
});
