import { assert, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { rangeOf } from './range';

const size = nat({ max: 1000 });
const position = nat({ max: 1200 });

test('a range is a part of the file, and the part that was asked for', () => {
  assert(
    property(size, position, position, (size, first, last) => {
      const range = rangeOf(`bytes=${first}-${last}`, size);
      const bytes = Array.from({ length: size }, (_, index) => index);
      const wanted = bytes.filter((index) => index >= first && index <= last);
      if (last < first) expect(range).toBeUndefined();
      else if (wanted.length === 0) expect(range).toBe('unsatisfiable');
      else expect(range).toEqual({ start: wanted[0], end: (wanted.at(-1) ?? 0) + 1 });
    }),
  );
});

test('open ends: from a byte on, and the last so many', () => {
  assert(
    property(size, position, (size, count) => {
      expect(rangeOf(`bytes=${count}-`, size)).toEqual(
        count < size ? { start: count, end: size } : 'unsatisfiable',
      );
      const suffix =
        count === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - count), end: size };
      expect(rangeOf(`bytes=-${count}`, size)).toEqual(suffix);
    }),
  );
});

test.each([undefined, '', 'bytes=-', 'lines=0-5', 'bytes=0-1,3-4', 'bytes=a-b', 'bytes=1'])(
  '%j asks for the whole file',
  (header) => {
    expect(rangeOf(header, 10)).toBeUndefined();
  },
);
