import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headOfJson, prettyJson, type JsonLine } from './pretty';

const draw = (lines: readonly JsonLine[] | undefined) =>
  lines
    ?.map(
      (line) =>
        '  '.repeat(line.indent) +
        line.spans
          .map((span) => span.text)
          .join('')
          .trimEnd(),
    )
    .join('\n');

const kinds = (text: string) =>
  prettyJson(text)?.flatMap((line) => line.spans.map((span) => `${span.kind} ${span.text.trim()}`));

describe('prettyJson', () => {
  it('keeps what is small on one line', () => {
    expect(draw(prettyJson('{"chunk_id":1}'))).toBe('{"chunk_id": 1}');
    expect(draw(prettyJson(' [ ] '))).toBe('[]');
    expect(draw(prettyJson('{"a":{"b":[1,2,{}]}}'))).toBe('{"a": {"b": [1, 2, {}]}}');
  });

  it('breaks what is not', () => {
    const long = 'x'.repeat(60);
    expect(draw(prettyJson(`{"first":"${long}","second":[1,2],"third":{}}`))).toBe(
      `{\n  "first": "${long}",\n  "second": [1, 2],\n  "third": {}\n}`,
    );
  });

  it('breaks a long string after its newlines, and only there', () => {
    const code = String.raw`import os\nprint(\"a\\n\")\n${'#'.repeat(60)}`;
    expect(draw(prettyJson(`{"code": "${code}"}`))).toBe(
      `{\n  "code": "import os\\n\n    print(\\"a\\\\n\\")\\n\n    ${'#'.repeat(60)}"\n}`,
    );
  });

  it('leaves numbers and the order of keys as they were', () => {
    expect(draw(prettyJson('{"10": 1.0, "2": 5e-07, "a": 12345678901234567890, "a": NaN}'))).toBe(
      '{"10": 1.0, "2": 5e-07, "a": 12345678901234567890, "a": NaN}',
    );
  });

  it('reads escaped letters, and nothing that would be invisible', () => {
    expect(draw(prettyJson(String.raw`["caf\u00e9 \ud83d\ude00 \u202e \ud83d \\u00e9 \u0022 \u0041"]`))).toBe(
      String.raw`["café 😀 \u202e \ud83d \\u00e9 \u0022 \u0041"]`,
    );
  });

  it('tells keys, strings, numbers and literals apart', () => {
    expect(kinds('{"a":"b","c":[-1,true,null]}')).toEqual([
      'punctuation {',
      'key "a"',
      'punctuation :',
      'string "b"',
      'punctuation ,',
      'key "c"',
      'punctuation :',
      'punctuation [',
      'number -1',
      'punctuation ,',
      'literal true',
      'punctuation ,',
      'literal null',
      'punctuation ]',
      'punctuation }',
    ]);
  });

  it('says no to what is not an object or array', () => {
    for (const text of ['', 'text', '42', '"s"', '{', '{"a":1}x', "{'a': 1}", '[1,]', '{"a" 1}']) {
      expect(prettyJson(text)).toBeUndefined();
    }
  });

  it('means the same as the text it was made of', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
        fc.nat(2),
        (value, space) => {
          const text = JSON.stringify(value, undefined, space);
          const drawn =
            prettyJson(text)
              ?.flatMap((line) => line.spans.map((span) => span.text))
              .join('') ?? '';
          expect(JSON.parse(drawn)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('is folded by its lines or by its characters', () => {
    const small = prettyJson('{"a": 1}') ?? [];
    expect(headOfJson(small)).toBeUndefined();
    const many =
      prettyJson(JSON.stringify(Array.from({ length: 99 }, (_, n) => ({ n, text: 'x'.repeat(50) })))) ?? [];
    expect(headOfJson(many)).toEqual(many.slice(0, 20));
    const wide = headOfJson(prettyJson(`["${'😀'.repeat(10_000)}"]`) ?? []) ?? [];
    const drawn = wide.flatMap((line) => line.spans.map((span) => span.text)).join('');
    expect(drawn.length).toBeGreaterThan(3_900);
    expect(drawn.length).toBeLessThanOrEqual(4_000);
    expect(drawn).toMatch(/^\["(?:😀)+$/u);
  });

  it('takes a string of nothing but escapes', () => {
    const slashes = String.raw`\\`.repeat(100_000);
    expect(prettyJson(`["${slashes}"]`)).toHaveLength(3);
    expect(prettyJson(`["${String.raw`\n`.repeat(50_000)}"]`)).toHaveLength(50_003);
  });

  it('takes nesting of any depth', () => {
    const lines = prettyJson('['.repeat(100_000) + ']'.repeat(100_000)) ?? [];
    expect(lines.length).toBeGreaterThan(100_000);
    expect(Math.max(...lines.slice(0, 1000).map((line) => line.indent))).toBeLessThan(50);
  });
});
