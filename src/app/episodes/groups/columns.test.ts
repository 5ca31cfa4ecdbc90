import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AllGroups, Group } from '../../../ingest/protocol';
import { formatReward } from '../../words/format';
import { groupColumns, type ForK } from './columns';

const ks = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 });
/** One that tells which k it is of. */
const chanceOf = (k: number) => k / 16;

function groupFor(k: readonly number[]): ForK<Group> {
  const first = { source: 'run', episode: 0 };
  return { key: '1', n: 12, rewarded: 12, passed: 3, passAt: k.map(chanceOf), zeroVariance: false, first, k };
}

function allFor(k: readonly number[]): ForK<AllGroups> {
  const passAt = k.map((each) => ({ mean: chanceOf(each), groups: 1 }));
  return { n: 12, ungrouped: 0, rewarded: 12, passAt, zeroVariance: 0, k };
}

describe('under a heading', () => {
  it('stands its own pass@k or nothing, whichever k the answer was asked for', () => {
    fc.assert(
      fc.property(ks, ks, (asked, wanted) => {
        const columns = groupColumns(wanted);
        for (const k of wanted) {
          const column = columns.find(({ id }) => id === `pass@${k}`);
          const text = asked.includes(k) ? formatReward(chanceOf(k)) : '';
          expect(column?.read(groupFor(asked)).text).toBe(text);
          expect(column?.all(allFor(asked), 1, 'task').text).toBe(text);
        }
      }),
    );
  });

  it('is said why there is no number only where it was asked for', () => {
    const column = groupColumns([4]).find(({ id }) => id === 'pass@4');
    expect(column?.read({ ...groupFor([4]), passAt: [undefined] }).why).toBe(
      'fewer than 4 rewarded rollouts',
    );
    expect(column?.read(groupFor([1, 2]))).toEqual({ text: '' });
    expect(column?.all(allFor([1, 2]), 1, 'task')).toEqual({ text: '' });
  });
});
