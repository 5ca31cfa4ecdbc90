import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './parse';
import { findSyntaxError } from './syntax';

function parsesNatively(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** As Python writes it: `json.dumps` with its default of allowing NaN. */
function pythonJson(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0.0' : String(value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, entry]) => `${JSON.stringify(key)}: ${pythonJson(entry)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}

const confusing = fc.constantFrom(
  'NaN',
  'Infinity',
  '-Infinity',
  '\uE000NaN',
  '"NaN"',
  '\\',
  '\\"NaN',
  ': NaN,',
);
const numbers = fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, 0, 1));
const { value: pythonValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    numbers,
    confusing,
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(confusing, fc.string(), fc.constant('__proto__')), tie('value'), { maxKeys: 4 }),
  ),
}));

describe('parseJson', () => {
  it('reads what Python writes, NaN and infinities included', () => {
    fc.assert(
      fc.property(pythonValue, (value) => {
        expect(parseJson(pythonJson(value))).toEqual({ ok: true, value });
      }),
    );
  });

  it('agrees with JSON.parse on everything that is JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it.each(['{NaN: 1}', '1Infinity', 'NaNNaN', '-NaN', '[NaN 1]', '--Infinity', 'xNaN', '[+Infinity]'])(
    'does not read %s',
    (text) => {
      expect(parseJson(text).ok).toBe(false);
    },
  );

  it('restores NaN without recursion', () => {
    const depth = 100_000;
    const parsed = parseJson(`${'['.repeat(depth)}NaN${']'.repeat(depth)}`);
    expect(parsed.ok).toBe(true);
  });

  it('says where it stops being JSON', () => {
    expect(parseJson('<PLACEHOLDER>')).toEqual({
      ok: false,
      reason: 'Unexpected "<" instead of a value at column 1',
    });
    expect(parseJson('{\n "a": 1,\n  b: 2}', 10)).toEqual({
      ok: false,
      reason: 'Unexpected "b" instead of a key in double quotes at line 12, column 3',
    });
    expect(parseJson('{"a": [1, 2')).toEqual({
      ok: false,
      reason: 'The text ends where ] is still missing, at column 12',
    });
  });
});

describe('findSyntaxError', () => {
  it('finds none where the engine finds none, and one where it does', () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', '\\', 'x', '\n', '0', '-', '\u0001'),
      )
      .map(([text, at, length, insert]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + insert + text.slice(place + (length % 3));
      });
    fc.assert(
      fc.property(fc.oneof(broken, fc.json(), fc.string()), (text) => {
        const fault = findSyntaxError(text);
        if (/NaN|Infinity/.test(text)) return;
        expect(fault === undefined).toBe(parsesNatively(text));
        if (fault !== undefined) expect(fault.position).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not point behind the first character that cannot be right', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        const place = at % (text.length + 1);
        const fault = findSyntaxError(`${text.slice(0, place)}\u0001${text.slice(place)}`);
        expect(fault?.position).toBeLessThanOrEqual(place);
      }),
    );
  });
});
