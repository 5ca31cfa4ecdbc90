import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPlain, KnownStrings } from './known';

const utf8 = new TextEncoder();
const text = fc.oneof(
  fc.string({ maxLength: 45 }),
  fc.string({ unit: 'binary', maxLength: 45 }),
  fc.string({ unit: fc.constantFrom('a', '\\', '[', ']', '\u{7f}', '\u{80}', 'é'), maxLength: 45 }),
);

function isWrittenAsItIs(written: string): boolean {
  return /^[\0-\x7f]*$/.test(written) && !written.includes('\\');
}

it('gives back each string that it takes, and takes those that are written as they are', () => {
  const known = new KnownStrings();
  fc.assert(
    fc.property(fc.array(text), fc.nat(7), (texts, before) => {
      for (const each of [...texts, ...texts]) {
        const written = utf8.encode(each);
        const bytes = new Uint8Array(before + written.length + 1);
        bytes.set(written, before);
        const view = new DataView(bytes.buffer);
        const [start, end] = [before, before + written.length];
        expect(isPlain(view, start, end)).toBe(isWrittenAsItIs(each));
        const slot = known.find(view, start, end);
        expect(slot >= 0).toBe(isWrittenAsItIs(each) && written.length <= 40);
        if (slot >= 0) expect(known.text(slot)).toBe(each);
      }
    }),
  );
});

it('forgets the code of a string when another takes its place', () => {
  const known = new KnownStrings();
  const find = (each: string): number => known.find(new DataView(utf8.encode(each).buffer), 0, each.length);
  const codeOf = new Map<number, string>();
  for (let nth = 0; nth < 20_000; nth++) {
    const each = `word ${nth}`;
    const slot = find(each);
    expect(known.codes[slot], codeOf.get(slot)).toBe(-1);
    known.codes[slot] = nth;
    codeOf.set(slot, each);
    expect(known.codes[find(each)]).toBe(nth);
  }
});
