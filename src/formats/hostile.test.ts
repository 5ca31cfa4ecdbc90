import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Episode } from '../model';
import { closed, nested, placesOf, replaceOne } from './damage.fixtures';
import type { Format, SourceRecord } from './format';
import {
  askAll,
  expectPlaced,
  expectSound,
  isFixtureList,
  parse,
  readText,
  type Fixture,
} from './harness.fixtures';
import { detectFormat, formats } from './registry';

/**
 * Every importer is given what it was not made for, and must make something of it. The fixtures are all lists that any
 * `*.fixtures.ts` exports: a new format is in this by having some, and fails the first test if it has none.
 */

const modules = import.meta.glob<Record<string, unknown>>('./**/*.fixtures.ts', { eager: true });

const fixtures: Fixture[] = [
  ...Object.values(modules).flatMap((module) => Object.values(module).filter(isFixtureList).flat()),
  {
    name: 'any object',
    format: 'json',
    value: { id: 'q7', score: 0.5, passed: true, log: ['a', { b: null }] },
  },
];

test('every registered format has a fixture, and every fixture a format', () => {
  const known = formats.map(({ id }) => id);
  const shown = new Set(fixtures.map(({ format }) => format));
  expect(known.filter((id) => !shown.has(id))).toEqual([]);
  expect([...shown].filter((id) => !known.includes(id))).toEqual([]);
});

/** Our own format promises to give back what was written, be it unsound: that it opens is all that is asked of it. */
function open(format: Format, record: SourceRecord): Episode[] {
  if (format.id !== 'rollscope') return expectSound(format, record);
  format.confidence(record.value);
  return format.summarise(record).map((_, nth) => structuredClone(format.episode(record, nth)));
}

function asRecord(value: unknown, text: string): SourceRecord {
  return { value, text, index: 0, line: 1 };
}

/** Everything that is asked of an episode. */
function ask(format: Format, episodes: readonly Episode[]): void {
  for (const episode of episodes) {
    askAll(episode);
    if (format.id !== 'rollscope') expectPlaced(episode);
  }
}

/** Longer ones are cut at so many places. */
const cutsOfLong = 400;

/** Everywhere in a short text; evenly spread over a long one. */
function* endsOf(text: string): Generator<number> {
  const step = text.length <= 2000 ? 1 : text.length / cutsOfLong;
  for (let end = 1; end < text.length; end += step) yield Math.floor(end);
}

describe.each(formats.map((format) => [format.id, format] as const))('%s', (id, format) => {
  const own = fixtures
    .filter((fixture) => fixture.format === id)
    .map(({ text, ...fixture }) => ({ ...fixture, text: text ?? JSON.stringify(fixture.value) }));
  const texts = own.map(({ text }) => text);

  test.each(own.map((fixture) => [fixture.name, fixture] as const))('is sound: %s', (_, { value, text }) => {
    const episodes = open(format, asRecord(value, text));
    expect(episodes).not.toHaveLength(0);
    ask(format, episodes);
  });

  test.each(own.map((fixture) => [fixture.name, fixture] as const))(
    'takes a record that was cut off anywhere, as it is and closed again: %s',
    (_, { text }) => {
      let readable = 0;
      for (const end of endsOf(text)) {
        const cut = text.slice(0, end);
        // As it is, the lines that are whole may be another format's. One line alone is not JSON any more.
        for (const record of cut.includes('\n') ? readText(cut).records : []) {
          const found = detectFormat(record.value);
          if (found !== undefined) open(found, record);
        }
        const ended = closed(cut);
        const parsed = parse(ended);
        if (!parsed.ok) continue;
        readable++;
        const episodes = open(format, asRecord(parsed.value, ended));
        if (readable % 32 === 0) ask(format, episodes);
      }
      expect(readable).toBeGreaterThan(10);
    },
  );

  test('takes flipped bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 }),
        (text, flips) => {
          const bytes = new TextEncoder().encode(text);
          for (const [place, flip] of flips) {
            const at = place % bytes.length;
            bytes[at] = (bytes[at] ?? 0) ^ flip;
          }
          const flipped = new TextDecoder().decode(bytes);
          const parsed = parse(flipped);
          if (parsed.ok) ask(format, open(format, asRecord(parsed.value, flipped)));
        },
      ),
      { numRuns: 250 },
    );
  });

  test('takes a record with anything in place of any of its values', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 4 }),
        (text, changes) => {
          const value: unknown = JSON.parse(text);
          // A copy each: one that was put into itself would be no JSON.
          for (const [place, replacement] of changes) replaceOne(value, place, structuredClone(replacement));
          ask(format, open(format, asRecord(value, JSON.stringify(value))));
          // The text may also be that of something else.
          open(format, asRecord(value, text));
        },
      ),
      { numRuns: 120 },
    );
  });

  test('takes any JSON at all', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        open(format, asRecord(value, JSON.stringify(value)));
      }),
      { numRuns: 100 },
    );
  });

  test('takes values nested deeper than the stack', () => {
    for (const text of texts) {
      const places = placesOf(JSON.parse(text)).length;
      // Some twenty places of each.
      for (let place = 0; place < places; place += Math.max(7, Math.ceil(places / 20))) {
        const value: unknown = JSON.parse(text);
        replaceOne(value, place, nested(20_000));
        open(format, asRecord(value, ''));
      }
    }
  });
});

const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    '',
    'assistant',
    'function_call',
    1e308,
    -1,
    [],
    {},
    [[]],
    [[[]]],
    null,
    true,
    '\ud800',
  ),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"type":"message"},"type":"reasoning"}'), [
    { type: 'function_call_output' },
    { type: 'function_call', call_id: 'c1' },
  ]),
);
