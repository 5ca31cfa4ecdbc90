import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { median, middleRound } from './section';

const rounds = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 })), { minLength: 1 })
  .filter(({ length }) => length % 2 === 1);

test('a ratio is that of the figures beside it, measured in one round, and the median of all', () => {
  fc.assert(
    fc.property(rounds, (measured) => {
      const { ratio, a, b } = middleRound(
        measured.map(([a]) => a),
        measured.map(([, b]) => b),
      );
      expect(ratio).toBe(a / b);
      expect(measured).toContainEqual([a, b]);
      expect(ratio).toBe(median(measured.map(([a, b]) => a / b)));
    }),
  );
});
