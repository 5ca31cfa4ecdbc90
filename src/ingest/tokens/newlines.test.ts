import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { eachNewline, eachNewlinePlainly } from './newlines';

function found(bytes: Uint8Array, by = eachNewline): number[] {
  const places: number[] = [];
  by(bytes, (at) => places.push(at));
  return places;
}

it('finds every newline, also beside the edges of what is looked at in one call', () => {
  const edge = fc.constantFrom(0, 15, 16, 63, 64, 65_535, 65_536, 65_599, 131_071, 131_072);
  const place = fc.oneof(edge, fc.nat(140_000));
  fc.assert(
    fc.property(
      fc.uniqueArray(place),
      fc.oneof(edge, fc.nat(140_000)),
      fc.nat(9),
      (places, length, offset) => {
        // A part of something longer, as chunks are: what stands around it must not be seen.
        const whole = new Uint8Array(length + 200).fill(0x0a);
        const bytes = whole.subarray(offset, offset + length);
        bytes.fill(0x41);
        const within = places.filter((at) => at < length).sort((a, b) => a - b);
        for (const at of within) bytes[at] = 0x0a;
        expect(found(bytes)).toEqual(within);
        expect(found(bytes, eachNewlinePlainly)).toEqual(within);
      },
    ),
    { numRuns: 60 },
  );
});

it('finds lines that are all empty', () => {
  expect(found(new Uint8Array(70_000).fill(0x0a))).toHaveLength(70_000);
});
