import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesOf, isJson, itemsOf, stringValue, valueText } from './json-text';
import { objectText, pythonJson, pythonString, withEntries } from './python-json';

/** A JSON value as Python would hold it: numbers by their text, objects as pairs that may repeat a key. */
type Tree =
  | { number: string }
  | { string: string }
  | { word: 'true' | 'false' | 'null' }
  | { items: Tree[] }
  | { pairs: [string, Tree][] };

/** What Python's `json.dumps(json.loads(text), ensure_ascii=False)` gives, written as plainly as can be. */
function dumps(tree: Tree): string {
  if ('number' in tree) return tree.number;
  if ('word' in tree) return tree.word;
  if ('string' in tree) return dumpString(tree.string);
  if ('items' in tree) return `[${tree.items.map(dumps).join(', ')}]`;
  const dict = new Map(tree.pairs);
  return `{${[...dict].map(([key, value]) => `${dumpString(key)}: ${dumps(value)}`).join(', ')}}`;
}

function dumpString(value: string): string {
  const short: Record<string, string> = {
    '"': '\\"',
    '\\': '\\\\',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\f': '\\f',
    '\b': '\\b',
  };
  let out = '"';
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at);
    const code = value.charCodeAt(at);
    out += short[char] ?? (code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : char);
  }
  return `${out}"`;
}

/** Any spelling of the tree: spaces between tokens, characters escaped or not. */
function spell(tree: Tree, space: string, escape: boolean): string {
  const string = (value: string): string =>
    escape
      ? `"${value.replaceAll(/[^]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
      : JSON.stringify(value).replaceAll('/', '\\/');
  const write = (node: Tree): string => {
    if ('number' in node) return node.number;
    if ('word' in node) return node.word;
    if ('string' in node) return string(node.string);
    if ('items' in node) return `[${space}${node.items.map(write).join(`${space},${space}`)}${space}]`;
    const pairs = node.pairs.map(([key, value]) => `${string(key)}${space}:${space}${write(value)}`);
    return `{${space}${pairs.join(`${space},${space}`)}${space}}`;
  };
  return space + write(tree) + space;
}

const keys = fc.oneof(
  fc.constantFrom('10', '2', '__proto__', 'constructor', '', 'a', 'msg_id'),
  fc.string({ unit: 'binary' }),
);
const numbers = fc.constantFrom(
  '0',
  '-0',
  '1.0',
  '5e-07',
  '1E5',
  '12345678901234567890123',
  '-0.10',
  'NaN',
  'Infinity',
  '-Infinity',
);
const { tree: trees } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.record({ number: numbers }),
    fc.record({ word: fc.constantFrom('true' as const, 'false' as const, 'null' as const) }),
    fc.record({
      string: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'a\\ud800', 'x\udfff')),
    }),
    fc.record({ items: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({ pairs: fc.array(fc.tuple(keys, tie('tree')), { maxLength: 5 }) }),
  ),
}));
const spaces = fc.constantFrom('', ' ', '\n  ', '\t\r\n');

describe('pythonJson', () => {
  it('writes any spelling of a value as Python would', () => {
    fc.assert(
      fc.property(trees, spaces, fc.boolean(), (tree, space, escape) => {
        expect(pythonJson(spell(tree, space, escape))).toBe(dumps(tree));
      }),
    );
  });

  it('leaves its own output alone', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(pythonJson(dumps(tree))).toBe(dumps(tree));
      }),
    );
  });

  it('accepts what JSON.parse accepts and, but for NaN and Infinity, nothing else', () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:\\u012.eE+-tfnN aI\n\u0001')) }),
      fc
        .tuple(trees, fc.nat(), fc.constantFrom('', '"', '}', ']', ',', '\\', '0', 'x', '\u0000'))
        .map(([tree, at, put]) => {
          const text = spell(tree, ' ', false);
          const cut = at % (text.length + 1);
          return text.slice(0, cut) + put + text.slice(cut + 1);
        }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!/NaN|Infinity/.test(text));
        let parses = true;
        try {
          JSON.parse(text);
        } catch {
          parses = false;
        }
        expect(isJson(text)).toBe(parses);
        expect(pythonJson(text) !== undefined).toBe(parses);
      }),
    );
  });

  it('keeps the last value of a repeated key in the place of the first', () => {
    expect(pythonJson('{"a":[1,{"x":2}],"b":3,"a":{"y":[]},"a":4}')).toBe('{"a": 4, "b": 3}');
    expect(pythonJson('{"a":1,"b":{"c":1,"c":[2,2]},"a":[5,6]}')).toBe('{"a": [5, 6], "b": {"c": [2, 2]}}');
  });

  it('does not care how deep a value is nested', () => {
    const arrays = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(pythonJson(arrays)).toBe(arrays);
    const objects = '{"a":'.repeat(100_000) + '1.0' + '}'.repeat(100_000);
    expect(pythonJson(objects)).toHaveLength(objects.length + 100_000);
    expect(entriesOf(objects)?.[0]?.value).toHaveLength(objects.length - 6);
    expect(isJson('['.repeat(200_000))).toBe(false);
  });

  it('takes a repeated key in its stride a hundred thousand times', () => {
    const text = `{${Array.from({ length: 100_000 }, (_, i) => `"k${i % 1000}":[${i}]`).join(',')}}`;
    expect(entriesOf(pythonJson(text) ?? '')).toHaveLength(1000);
  });
});

describe('entriesOf and itemsOf', () => {
  it('take a value apart, and objectText puts it together', () => {
    fc.assert(
      fc.property(trees, spaces, (tree, space) => {
        const text = spell(tree, space, false);
        const entries = entriesOf(text);
        const items = itemsOf(text);
        if ('pairs' in tree) {
          expect(entries?.map(({ key }) => key)).toEqual([...new Map(tree.pairs).keys()]);
          const rewritten = entries?.map(({ key, value }) => ({ key, value: pythonJson(value) ?? '' })) ?? [];
          expect(objectText(rewritten)).toBe(dumps(tree));
        } else expect(entries).toBeUndefined();
        if ('items' in tree) expect(items?.map((item) => pythonJson(item))).toEqual(tree.items.map(dumps));
        else expect(items).toBeUndefined();
      }),
    );
  });

  it.each(['{', '{"a"', '{"a":}', '{"a":1,}', '{,}', '{"a":1}}', '{"a":1} x', '{a:1}', ''])(
    'refuse %s',
    (text) => {
      expect(entriesOf(text)).toBeUndefined();
      expect(itemsOf(text.replaceAll('{', '[').replaceAll('}', ']'))).toBeUndefined();
    },
  );

  it('find a value by its path, as it was written', () => {
    const text = '{"b": [{"10": 1.50, "2": 5e-07}]}';
    expect(valueText(text, ['b', 0, '2'])).toBe('5e-07');
    expect(valueText(text, ['b', 1])).toBeUndefined();
    expect(valueText(text, ['b', 'x', 0])).toBeUndefined();
    expect(valueText(text, [])).toBe(text);
  });
});

describe('withEntries', () => {
  it('sets a known key in its place and a new one at the end', () => {
    const entries = withEntries(entriesOf('{"msg_id": 1, "a": 2}') ?? [], [
      { key: 'b', value: '3' },
      { key: 'msg_id', value: '9' },
    ]);
    expect(objectText(entries)).toBe('{"msg_id": 9, "a": 2, "b": 3}');
  });
});

describe('pythonString', () => {
  it('is read back as it was', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', '\ud800', '\\ud800', '\\\ud800'),
        (text, tail) => {
          expect(pythonString(text + tail)).toBe(dumpString(text + tail));
          expect(stringValue(pythonString(text + tail))).toBe(text + tail);
        },
      ),
    );
  });
});
