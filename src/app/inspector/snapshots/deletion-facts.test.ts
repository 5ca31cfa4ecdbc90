import { expect, it } from 'vitest';
import { deletionFacts } from './deletion-facts';

const words = (quality: Parameters<typeof deletionFacts>[1]) =>
  deletionFacts({}, quality).map(
    ({ name, value, amiss }) => `${name}: ${value}${amiss === true ? ' !' : ''}`,
  );

it('says what deletion did, marks estimates, and points at what went wrong', () => {
  expect(
    words({ deleted: 3, freed: 1884, freedTruth: 'inferred', stepsToDelete: 1.5, readAgain: 1, missed: 0 }),
  ).toEqual([
    'Tokens freed: ≈1,884 by 3 messages',
    'From read to delete: 1.5 steps on average',
    'Read again: 1 result !',
    'Deletes missed: none',
  ]);
});

it('says nothing where there is nothing to say, and what was missed where nothing was deleted', () => {
  const none = { deleted: 0, freed: 0, freedTruth: 'derived', readAgain: 0 } as const;
  expect(words(none)).toEqual([]);
  expect(words({ ...none, missed: 0 })).toEqual([]);
  expect(words({ ...none, missed: 2 })).toEqual([
    'Tokens freed: 0 by 0 messages',
    'Deletes missed: 2 messages !',
  ]);
});
