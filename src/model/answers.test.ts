import { describe, expect, it } from 'vitest';
import { answersIn } from './answers';
import { callPart, episodeOf, messageOf } from './episode.fixtures';
import type { Message } from './episode';

const calls = (msgId: number, ...ids: string[]) =>
  messageOf(msgId, 'policy', { bornAtStep: 0, role: 'assistant', parts: ids.map((id) => callPart(id)) });
const results = (msgId: number, ...ids: string[]) =>
  messageOf(msgId, 'environment', { bornAtStep: 0, role: 'tool', toolResultFor: ids });

/** `{ 3: [2] }`: message 3 answers a call of message 2; null where it answers none. */
function pairs(...messages: Message[]): Record<number, (number | null)[]> {
  const { answeredBy } = answersIn(episodeOf({ messages }));
  return Object.fromEntries(
    [...answeredBy].map(([{ msgId }, called]) => [msgId, called.map((one) => one?.message.msgId ?? null)]),
  );
}

describe('answers', () => {
  it('pair by id', () => {
    expect(pairs(calls(0, 'a', 'b'), results(1, 'b'), results(2, 'a'))).toEqual({ 1: [0], 2: [0] });
  });

  it('take the nearest call without an answer where ids repeat', () => {
    expect(pairs(calls(0, 'a'), results(1, 'a'), calls(2, 'a'), results(3, 'a'))).toEqual({ 1: [0], 3: [2] });
    expect(pairs(calls(0, 'a'), calls(1, 'a'), results(2, 'a'), results(3, 'a'))).toEqual({ 2: [1], 3: [0] });
  });

  it('give a second result to the same call, and none to a call that has no id like it', () => {
    expect(pairs(calls(0, 'a'), results(1, 'a'), results(2, 'a'), results(3, 'x'))).toEqual({
      1: [0],
      2: [0],
      3: [null],
    });
  });

  it('find the call behind a result that came too early', () => {
    expect(pairs(results(0, 'a'), calls(1, 'a'))).toEqual({ 0: [1] });
  });

  it('share one result between several calls', () => {
    const both = calls(0, 'a', 'b');
    const episode = episodeOf({ messages: [both, results(1, 'a', 'b')] });
    const { resultsOf } = answersIn(episode);
    expect([...resultsOf.values()].map((found) => found.map(({ msgId }) => msgId))).toEqual([[1], [1]]);
  });
});
