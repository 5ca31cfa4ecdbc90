import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../model';
import { decoded, endOfValue, kindAt, membersOf, nameAt, skipSpace, valueAt } from './scan';

/** JSON with any amount of white space where it may stand. */
const jsonText = fc
  .tuple(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t', '  '))
  .map(([value, space]) => JSON.stringify(value, undefined, space));

describe('scanning JSON', () => {
  it('ends a value where it ends, whatever follows', () => {
    fc.assert(
      fc.property(jsonText, fc.constantFrom('', ',', ' ,"x":1', ']', '\n}'), (text, after) => {
        expect(endOfValue(text + after, 0)).toBe(text.length);
      }),
    );
  });

  it('finds the members that parsing finds, in their order', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const value: unknown = JSON.parse(text);
        if (kindAt(text, 0) !== 'object' && kindAt(text, 0) !== 'array') return;
        const members = membersOf(text, 0);
        const found = Array.from({ length: members.count }, (_, index) => {
          const { start, end } = valueAt(members, index);
          return [nameAt(text, members, index), JSON.parse(text.slice(start, end))] as const;
        });
        // Parsing sorts keys that are numbers: compared by name.
        const entries = isObject(value) || Array.isArray(value) ? Object.entries(value) : [];
        expect(found.length).toBe(entries.length);
        expect(new Map(found)).toEqual(new Map(entries));
      }),
    );
  });

  it('is not led astray by brackets, quotes and backslashes in strings', () => {
    const text = String.raw`{"a\\":"}]\"\\\\","b":["[{",{"\"":"\\"}]}`;
    const members = membersOf(text, 0);
    expect(nameAt(text, members, 0)).toBe('a\\');
    const { start, end } = valueAt(members, 1);
    expect(JSON.parse(text.slice(start, end))).toEqual(['[{', { '"': '\\' }]);
  });

  it('takes nesting of any depth', () => {
    const text = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
    expect(endOfValue(text, 0)).toBe(text.length);
    expect(membersOf(text, 0).count).toBe(1);
  });

  it('comes to an end on what is no JSON', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', ' ', '1', 'n') }),
        (text) => {
          const start = skipSpace(text, 0);
          if (start === text.length) return;
          const end = endOfValue(text, start);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          const members = membersOf(text, start);
          for (let index = 0; index < members.count; index += 1) {
            const span = valueAt(members, index);
            expect(span.end).toBeGreaterThanOrEqual(span.start);
            expect(span.end).toBeLessThanOrEqual(text.length);
          }
        },
      ),
    );
  });

  it('reads strings as they are meant and leaves the rest as it is', () => {
    expect(decoded(String.raw`"a\nb\u00e9"`)).toBe('a\nbé');
    expect(decoded('"broken')).toBe('"broken');
    expect(decoded('12')).toBe('12');
  });
});
