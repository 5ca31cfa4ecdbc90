import { describe, expect, it } from 'vitest';
import { picksOf, prune } from './fields';
import { recordOf } from './harness.fixtures';
import { nemoGymFixtures } from './nemo-gym/nemo-gym.fixtures';
import { nemoGymFailure, nemoGymRollout } from './nemo-gym/rollout';
import { rolloutFields } from './nemo-gym/summary-fields';

const picks = picksOf(rolloutFields);

describe('fields of a NeMo Gym rollout', () => {
  const fixtures = nemoGymFixtures.filter(({ value }) =>
    [nemoGymRollout, nemoGymFailure].some((format) => format.confidence(value) > 0),
  );

  it.each(fixtures)('are all the summary needs: $name', ({ value }) => {
    const left = prune(value, picks);
    for (const format of [nemoGymRollout, nemoGymFailure]) {
      if (left === undefined || format.confidence(value) === 0) continue;
      expect(format.confidence(left.value)).toBe(format.confidence(value));
      expect(format.summarise({ ...recordOf(value), value: left.value })).toEqual(
        format.summarise(recordOf(value)),
      );
    }
  });

  it('spare most records from being parsed in full', () => {
    const spared = fixtures.filter(({ value }) => prune(value, picks) !== undefined);
    expect(spared.length).toBeGreaterThan(fixtures.length / 2);
  });
});
