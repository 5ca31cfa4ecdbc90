import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from './bytes';
import { LineSplitter } from './lines';
import type { Span, Splitter } from './span';
import { ValueSplitter } from './values';

const utf8 = new TextEncoder();

/** Pushes a text in chunks cut at the given places, each as a fraction of its length. Nothing is left of a chunk afterwards. */
function split(splitter: Splitter, bytes: Uint8Array, cuts: readonly number[]): Span[] {
  const places = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].sort(
    (a, b) => a - b,
  );
  const spans: Span[] = [];
  for (let i = 1; i < places.length; i++) {
    const chunk = bytes.slice(places[i - 1], places[i]);
    for (const span of splitter.push(chunk)) spans.push({ ...span, bytes: span.bytes.slice() });
    chunk.fill(0x22);
  }
  return [...spans, ...splitter.end()];
}

function seen(spans: readonly Span[]): { text: string; line: number; start: number; end: number }[] {
  return spans.map(({ bytes, line, start, end }) => ({ text: decode(bytes), line, start, end }));
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
const lineText = fc.oneof(
  fc.constantFrom('', ' ', '\t', '\r', '\uFEFF', '{"a":1}', '  {"ü":"€😀"}  '),
  fc.string({ unit: fc.constantFrom('a', 'ß', '😀', '"', '\\', ' ', '{', ']') }),
);
const anyLines = fc.array(fc.tuple(lineText, fc.constantFrom('\n', '\r\n')), { maxLength: 20 });

describe('LineSplitter', () => {
  it('finds the lines of the whole text, however it is cut', () => {
    fc.assert(
      fc.property(anyLines, fc.boolean(), cuts, (lines, lastIsOpen, cuts) => {
        const text = lines
          .map(([line, end], i) => line + (lastIsOpen && i === lines.length - 1 ? '' : end))
          .join('');
        const expected = text.split('\n').flatMap((line, i) => {
          const trimmed = line.replace(/^\uFEFF/, '').replace(/^[ \t\r]+|[ \t\r]+$/g, '');
          return trimmed === '' ? [] : [{ text: trimmed, line: i + 1 }];
        });
        const bytes = utf8.encode(text);
        const spans = split(new LineSplitter(), bytes, cuts);
        expect(seen(spans)).toEqual(expected.map((entry) => expect.objectContaining(entry)));
        for (const { start, end, bytes: own } of spans) expect(bytes.slice(start, end)).toEqual(own.slice());
      }),
    );
  });

  it('does not put together what is too long, and goes on', () => {
    fc.assert(
      fc.property(cuts, (cuts) => {
        const bytes = utf8.encode(`{"a":1}\n${'x'.repeat(5000)}\n{"b":2}`);
        const spans = split(new LineSplitter(2000), bytes, cuts);
        expect(spans.map(({ start, end, line }) => [start, end, line])).toEqual([
          [0, 7, 1],
          [8, 5008, 2],
          [5009, 5016, 3],
        ]);
        expect(spans.map(({ defect }) => defect)).toEqual([
          undefined,
          expect.stringContaining('at most'),
          undefined,
        ]);
        expect(decode(spans[1]?.bytes ?? new Uint8Array(0))).toMatch(/^x{200}/);
      }),
    );
  });
});

const printed = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => ({
    value,
    text: JSON.stringify(value, undefined, indent),
  }));

describe('records that are too long', () => {
  it('keep their own beginnings, also several in one chunk', () => {
    const lines = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(3000));
    const [first = '', ...others] = lines;
    const splitter = new LineSplitter(2000);
    const none = splitter.push(utf8.encode(first.slice(0, 2500)));
    const spans = splitter.push(utf8.encode(`${first.slice(2500)}\n${others.join('\n')}\n`));
    expect(none).toEqual([]);
    expect(seen(spans).map(({ text }) => text)).toEqual(lines.map((line) => line.slice(0, 1024)));
  });
});

describe('ValueSplitter', () => {
  it('finds values one after another, however they are laid out and cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(printed, fc.constantFrom(' ', '\n', '\r\n\n')), { maxLength: 8 }),
        fc.boolean(),
        cuts,
        (values, mark, cuts) => {
          const text = (mark ? '\uFEFF' : '') + values.map(([{ text }, gap]) => text + gap).join('');
          const bytes = utf8.encode(text);
          const spans = split(new ValueSplitter(), bytes, cuts);
          expect(spans.map(({ bytes }) => decode(bytes))).toEqual(values.map(([{ text }]) => text));
          for (const { start, end, line, bytes: own } of spans) {
            expect(bytes.slice(start, end)).toEqual(own.slice());
            expect(line).toBe(decode(bytes.slice(0, start)).split('\n').length);
          }
        },
      ),
    );
  });

  it('finds the elements of an array, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.constantFrom(undefined, 2),
        cuts,
        (values, indent, cuts) => {
          const bytes = utf8.encode(JSON.stringify(values, undefined, indent));
          const spans = split(new ValueSplitter({ elements: true }), bytes, cuts);
          expect(spans.map(({ bytes }): unknown => JSON.parse(decode(bytes)))).toEqual(
            JSON.parse(JSON.stringify(values)),
          );
          for (const { start, end, bytes: own } of spans)
            expect(bytes.slice(start, end)).toEqual(own.slice());
        },
      ),
    );
  });

  it('keeps the elements before the place where an array was cut off', () => {
    const spans = split(new ValueSplitter({ elements: true }), utf8.encode('[{"a":1},\n{"b":[2'), []);
    expect(spans.map(({ bytes, defect, line }) => [decode(bytes), defect, line])).toEqual([
      ['{"a":1}', undefined, 1],
      ['{"b":[2', 'The file ends inside this value', 2],
    ]);
    const between = split(new ValueSplitter({ elements: true }), utf8.encode('[{"a":1},\n'), []);
    expect(between.map(({ defect }) => defect)).toEqual([
      undefined,
      'The file ends before its array is closed',
    ]);
  });

  it('reads on in the next line after what is no value', () => {
    const spans = split(new ValueSplitter(), utf8.encode('{\n"a": 1}\n)oops{ }\n{"b":\n2}'), []);
    expect(seen(spans).map(({ text, line }) => [text, line])).toEqual([
      ['{\n"a": 1}', 1],
      [')oops{ }', 3],
      ['{"b":\n2}', 4],
    ]);
  });

  it('does not take an escaped quote for an end, wherever chunks are cut', () => {
    const values = [{ a: '"' }, { b: '\\' }, { c: ['\\"', '"}\\\\'] }, '"\\'].map((value) =>
      JSON.stringify(value),
    );
    const bytes = utf8.encode(values.join(' '));
    for (let size = 1; size < 6; size++) {
      const cuts = Array.from({ length: bytes.length }, (_, i) => Math.min(1, (i * size) / bytes.length));
      const spans = split(new ValueSplitter(), bytes, cuts);
      expect(spans.map(({ bytes }) => decode(bytes))).toEqual(values);
    }
  });

  it('follows nesting of any depth', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(split(new ValueSplitter(), utf8.encode(`${deep}\n${deep}`), [0.3, 0.6])).toHaveLength(2);
  });
});
