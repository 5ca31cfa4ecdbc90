import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fleeting } from './fleeting.fixtures';
import { findInChunks, Needles } from './search';

/** Where a text stands in bytes that come in chunks of a size. */
async function placesOf(text: string, json: string, matchCase = false, size = 5): Promise<number[]> {
  const places: number[] = [];
  await findInChunks(
    fleeting(new TextEncoder().encode(json), size).chunks(),
    new Needles(text, matchCase),
    (at) => places.push(at),
    () => true,
  );
  return places;
}

/** How often it stands in a text, none overlapping the one before. */
function countOf(needle: string, text: string): number {
  return text.split(needle).length - 1;
}

const unicode = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
const writers: Record<string, (text: string) => string> = {
  plainly: (text) => JSON.stringify(text),
  'as Python does': (text) => JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, unicode),
  'as PHP does': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  'as Go does': (text) => JSON.stringify(text).replaceAll(/[<>&]/g, unicode),
  'with capital digits': (text) =>
    JSON.stringify(text).replaceAll(
      /[^\x20-\x7e]/g,
      (letter) => `\\u${unicode(letter).slice(2).toUpperCase()}`,
    ),
};

describe('text in JSON', () => {
  const letters = fc.constantFrom(
    'a',
    'b',
    'n',
    'u',
    '0',
    'e',
    '9',
    '"',
    '\\',
    '/',
    '<',
    '\n',
    'é',
    '\u00e9'.normalize('NFD'),
  );
  const strings = fc.string({ unit: letters, maxLength: 40 });
  const needles = fc.string({ unit: letters, minLength: 1, maxLength: 3 });

  it.each(Object.keys(writers))('written %s is found as often as it is there', async (name) => {
    const write = writers[name] ?? JSON.stringify;
    await fc.assert(
      fc.asyncProperty(strings, needles, fc.integer({ min: 1, max: 9 }), async (text, needle, size) => {
        // Quotes around a text are not of it.
        const json = write(text).slice(1, -1);
        expect(await placesOf(needle, json, true, size)).toHaveLength(countOf(needle, text));
      }),
      { numRuns: 300 },
    );
  });

  it('is found at its place, however the bytes are cut', async () => {
    const ab = fc.constantFrom('a', 'b', 'A');
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: ab, maxLength: 60 }),
        fc.string({ unit: ab, minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (text, needle, matchCase, size) => {
          const fold = (each: string): string => (matchCase ? each : each.toLowerCase());
          const expected: number[] = [];
          for (let at = 0; at >= 0; at += needle.length) {
            at = fold(text).indexOf(fold(needle), at);
            if (at < 0) break;
            expected.push(at);
          }
          expect(await placesOf(needle, text, matchCase, size)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is not found in the middle of an escape', async () => {
    expect(await placesOf('"', JSON.stringify('C:\\'))).toHaveLength(0);
    expect(await placesOf('nnext', JSON.stringify('\nnext'))).toHaveLength(0);
    expect(await placesOf('00e9', '"\\u00e9 and 00e9"')).toHaveLength(1);
    expect(await placesOf('\\', `"${'\\'.repeat(4000)}"`, false, 100)).toHaveLength(2000);
  });

  it('is not found as other letters', async () => {
    expect(await placesOf('ß', '"Maß und MASS"')).toEqual([3]);
  });
});
