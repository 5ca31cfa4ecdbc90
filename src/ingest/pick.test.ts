import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ItemTable, picksOf, prune, type Fields } from '../formats';
import { decode } from './bytes';
import { parseJson } from './parse';
import { pick } from './pick';

const utf8 = new TextEncoder();

const key = fc.oneof(fc.constantFrom('a', 'b', 'response', '__proto__', 'é', 'x"y', ''), fc.string());
const { fields: anyFields } = fc.letrec<{ fields: Fields }>((tie) => ({
  fields: fc.oneof(
    { maxDepth: 3 },
    { weight: 2, arbitrary: fc.constant('all' as const) },
    fc.constant('record' as const),
    {
      weight: 8,
      arbitrary: fc.record(
        {
          text: fc.integer({ min: 0, max: 6 }),
          keys: fc.dictionary(key, tie('fields'), { maxKeys: 4 }),
          others: tie('fields'),
          items: tie('fields'),
        },
        { requiredKeys: [] },
      ),
    },
  ),
}));

const table: fc.Arbitrary<Fields> = fc
  .dictionary(key, fc.constantFrom('word' as const, 'id' as const, 'some' as const, 'none' as const), {
    maxKeys: 5,
  })
  .map((kinds) => ({ table: kinds }));

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', 'é', '😀', '\ud83d', 'a', '\u0001', '/'),
    maxLength: 60,
  }),
);
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** A table as the cells that count, so that it can be compared. */
function told(value: unknown): unknown {
  if (!(value instanceof ItemTable)) return value;
  return { rows: value.length, cells: [...value.cells.subarray(0, value.length * value.width)] };
}

function plain(picked: { value: unknown } | undefined): unknown {
  const { value } = picked ?? {};
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([name, entry]) => [name, told(entry)]);
}

/** JSON as different writers write it: spaced or not, with letters escaped or not. */
function written(value: unknown, indent: number, asciiOnly: boolean): string {
  const json = JSON.stringify(value, undefined, indent);
  if (!asciiOnly) return json;
  return json.replaceAll(
    /[^\x20-\x7e\n]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

describe('pick', () => {
  it('finds what pruning the parsed value leaves', () => {
    fc.assert(
      fc.property(
        anyValue,
        anyFields,
        fc.constantFrom(0, 1),
        fc.boolean(),
        (value, fields, indent, asciiOnly) => {
          const json = written(value, indent, asciiOnly);
          const picks = picksOf(fields);
          expect(pick(utf8.encode(json), picks)).toEqual(prune(JSON.parse(json), picks));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('makes the same tables of lists as pruning the parsed value does', () => {
    const item = fc.dictionary(key, anyValue, { maxKeys: 4 });
    const list = fc.oneof({ weight: 4, arbitrary: fc.array(item, { maxLength: 80 }) }, anyValue);
    let tables = 0;
    fc.assert(
      fc.property(list, list, table, fc.boolean(), (first, second, fields, asciiOnly) => {
        const picks = picksOf({ keys: { a: fields, b: { items: {} } } });
        // One after another: the table of the first is used again.
        for (const value of [
          { a: first, b: second },
          { b: first, a: second },
        ]) {
          const json = written(value, 0, asciiOnly);
          const pruned = prune(JSON.parse(json), picks);
          expect(plain(pick(utf8.encode(json), picks))).toEqual(plain(pruned));
          if (pruned !== undefined) tables += 1;
        }
      }),
      { numRuns: 1000 },
    );
    expect(tables).toBeGreaterThan(500);
  });

  it('takes the last of equal keys, as a parser does', () => {
    const json = '{"a":1,"b":{"x":1},"a":{"c":2},"__proto__":3,"b":"long text"}';
    const picks = picksOf({ others: { text: 4 }, keys: { a: 'all' } });
    expect(pick(utf8.encode(json), picks)).toEqual(prune(JSON.parse(json), picks));
  });

  it('reads NaN and infinities as numbers, or leaves them to the parser', () => {
    const bytes = utf8.encode('{"a":NaN,"b":[-Infinity,1],"c":Infinity,"d":[NaN]}');
    expect(pick(bytes, picksOf({ others: { items: {} } }))).toEqual({
      value: { a: NaN, b: [-Infinity, 1], c: Infinity, d: [NaN] },
    });
    expect(pick(bytes, picksOf({ keys: { d: 'all' } }))).toBeUndefined();
  });

  it('leaves what is cut off or broken outside strings to the parser, and nothing else', () => {
    const broken = fc
      .tuple(
        anyValue,
        fc.nat(),
        fc.nat({ max: 2 }),
        fc.constantFrom('', ',', '}', ']', '{', ':', '0', '-', 'x', '.', 'e', 'tru'),
      )
      .map(([value, at, removed, insert]) => {
        const json = JSON.stringify(value);
        const place = at % (json.length + 1);
        // A pair of surrogates that was cut in two cannot be in a file.
        return decode(utf8.encode(json.slice(0, place) + insert + json.slice(place + removed)));
      });
    fc.assert(
      fc.property(broken, anyFields, (json, fields) => {
        const picks = picksOf(fields);
        const picked = pick(utf8.encode(json), picks);
        const parsed = parseJson(json);
        if (parsed.ok) expect(picked).toEqual(prune(parsed.value, picks));
        // An escape that was cut in two is not looked at where the string is not wanted.
        else if (!json.includes('\\')) expect(picked).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('gives up at every place a record can be cut off', () => {
    const json = '{"a": [1, {"b": "x\\"y"}], "c": true, "d": -1.5e3}';
    for (let end = 0; end < json.length; end++) {
      expect(pick(utf8.encode(json.slice(0, end)), picksOf({ keys: { c: {} } }))).toBeUndefined();
    }
  });

  it('goes over nesting of any depth', () => {
    const deep = `{"a":${'[{"x":'.repeat(50_000)}1${'}]'.repeat(50_000)},"b":2}`;
    expect(pick(utf8.encode(deep), picksOf({ keys: { b: {} } }))).toEqual({ value: { b: 2 } });
  });

  it('jumps over strings that end in backslashes', () => {
    for (let backslashes = 0; backslashes < 6; backslashes++) {
      for (const length of [0, 5, 23, 24, 25, 100]) {
        const value = { long: 'x'.repeat(length) + '\\'.repeat(backslashes), b: 2 };
        expect(pick(utf8.encode(JSON.stringify(value)), picksOf({ keys: { b: {} } }))).toEqual({
          value: { b: 2 },
        });
      }
    }
  });
});
