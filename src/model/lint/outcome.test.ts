import { expect, it } from 'vitest';
import type { Episode, Outcome } from '../episode';
import { episodeOf } from '../episode.fixtures';
import { lintEpisode } from './index';
import { specify } from './lint.fixtures';

const scored = (outcome: Partial<Outcome>): Episode => episodeOf({ outcome: { components: {}, ...outcome } });

specify('reward-missing', [
  { what: 'no reward', episode: scored({}), finds: ['No reward'] },
  {
    what: 'no reward after an error',
    episode: scored({ error: 'timeout' }),
    finds: ['No reward: the episode ended with an error'],
  },
  { what: 'a reward of 0', episode: scored({ reward: 0 }), finds: [] },
  { what: 'a format without rewards', episode: scored({ noReward: 'never-kept' }), finds: [] },
]);

specify('reward-not-a-number', [
  { what: 'NaN', episode: scored({ reward: Number.NaN }), finds: ['The reward is NaN'] },
  {
    what: 'text in place of a number',
    episode: {
      ...scored({ noReward: 'not-a-number' }),
      gaps: [
        { about: 'tokens', reason: 'No token ids.' },
        { about: 'reward', reason: 'The reward is the string "0.7".' },
      ],
    },
    finds: ['The reward is the string "0.7".'],
  },
  { what: 'a very negative reward', episode: scored({ reward: -1e300 }), finds: [] },
  { what: 'no reward', episode: scored({}), finds: [] },
]);

specify('reward-not-sum-of-components', [
  {
    what: 'a weighted sum',
    episode: scored({ reward: 1.1, components: { correct: 1, format: 0.5 } }),
    finds: ['The reward is 1.1, its components sum to 1.5'],
  },
  {
    what: 'a product',
    episode: scored({ reward: 1, components: { database: 1, words: 1 } }),
    finds: ['The reward is 1, its components sum to 2: it is their product'],
  },
  {
    what: 'a mean',
    episode: scored({ reward: 0.75, components: { correct: 1, format: 0.5 } }),
    finds: ['The reward is 0.75, its components sum to 1.5: it is their mean'],
  },
  {
    what: 'one component of another value',
    episode: scored({ reward: 0.2, components: { correct: 0.1 } }),
    finds: ['The reward is 0.2, its components sum to 0.1'],
  },
  {
    what: 'components that cancel, and a small reward beside them',
    episode: scored({ reward: 0.1, components: { good: 1, bad: -1 } }),
    finds: ['The reward is 0.1, its components sum to 0'],
  },
  {
    what: 'the same sum in float32',
    episode: scored({
      reward: Math.fround(0.7),
      components: { a: Math.fround(0.1), b: Math.fround(0.2), c: 0.4 },
    }),
    finds: [],
  },
  { what: 'no components', episode: scored({ reward: 1 }), finds: [] },
  { what: 'no reward', episode: scored({ components: { correct: 1 } }), finds: [] },
]);

it('only notes a reward that is the product or the mean of its components', () => {
  const severities = [1.5, 0.5, 0.75, 0.6].map((reward) =>
    lintEpisode(scored({ reward, components: { a: 1, b: 0.5 } })).map(({ severity }) => severity),
  );
  expect(severities).toEqual([[], ['info'], ['info'], ['warning']]);
});
