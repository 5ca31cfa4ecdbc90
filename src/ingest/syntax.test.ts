import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCutOff } from './syntax';

it('every beginning of an object or array is cut off, and nothing else is', () => {
  const json = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
  fc.assert(
    fc.property(json, fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      expect(isCutOff(text)).toBe(false);
      expect(isCutOff(text.slice(0, 1 + (at % (text.length - 1))))).toBe(true);
      expect(isCutOff(`${text},`)).toBe(false);
    }),
    { numRuns: 1000 },
  );
  for (const text of ['null,', 'no json', '<html>', '{"a": nope', '{"a"} {'])
    expect(isCutOff(text)).toBe(false);
  for (const text of ['{"a": -', '[0.', '[1e-', '["\\u00', '["\\', '[tru', '[-Infi']) {
    expect(isCutOff(text)).toBe(true);
  }
});
