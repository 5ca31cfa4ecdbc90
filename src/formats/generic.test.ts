import { describe, expect, test } from 'vitest';
import type { Episode } from '../model';
import { json } from './generic';
import { expectSound, recordOf } from './harness.fixtures';
import { detectFormat } from './registry';

function imported(value: unknown): Episode {
  expect(detectFormat(value)).toBe(json);
  const [episode] = expectSound(json, recordOf(value, 12));
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

describe('any JSON', () => {
  test('is shown as it is, with its numbers', () => {
    const record = {
      value: { id: 'q7', n: 1, ok: true },
      text: '{"id":"q7","n":1.0,"ok":true}',
      index: 0,
      line: 1,
    };
    expect(json.episode(record, 0)).toMatchObject({
      title: 'q7',
      steps: [],
      messages: [{ parts: [{ kind: 'json', text: '{"id":"q7","n":1.0,"ok":true}' }] }],
      metrics: { id: 'q7', n: 1, ok: true },
    });
  });

  test.each([
    [{ reward: 0.5, score: 2 }, 0.5],
    [{ score: 2 }, 2],
    [{ reward: 'x', score: 2 }, 2],
    [{ total_reward: 1, scores: [1], Reward: 1 }, undefined],
    [{ reward: true }, undefined],
  ])('the reward of %j is %s', (value, reward) => {
    expect(imported(value).outcome.reward).toBe(reward);
  });

  test.each([[null], [7], ['text'], [[1, 2]], [{}]])('%j is a record without a name', (value) => {
    expect(imported(value).title).toBe('record 12');
  });

  test('a huge record is shown in part', () => {
    const text = JSON.stringify('x'.repeat(2_000_000));
    const [part] = json.episode({ value: '', text, index: 0, line: 1 }, 0).messages[0]?.parts ?? [];
    expect(part?.kind === 'json' ? part.text.length : 0).toBe(1_000_001);
  });
});
