import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { samplesOf, type Span, type TokenTrack } from '../../../model';
import { episodeOf } from '../../../model/episode.fixtures';
import { moved, nextTrained, previousTrained } from './cursor';
import { columnsOf, glyphsOf, rowOf, rowsOf } from './rows';
import { runsOf, tokenIn } from './runs';
import { edgesOf, levelOf, levels, scaleOf } from './scale';
import { sumsOf } from './sums';
import { countsOf, fateAt, gapName, trackFrom, trackOf, type Track } from './track';
import { textOf, tokenFacts } from './words';

const ids = (text: string) => Int32Array.from(text, (character) => character.codePointAt(0) ?? 0);

const within = (all: readonly Span[], at: number) => all.some(([from, to]) => from <= at && at < to);

interface Given {
  prompt: string;
  response: string;
  trained: Span[];
  turns: Span[];
}

function track({ prompt, response, trained, turns }: Given, extra: Partial<TokenTrack> = {}): Track {
  const own = turns.map((span, step) => {
    const length = span[1] - span[0];
    return { step, length, trained: 0, dropped: length, span };
  });
  const tokens = {
    promptIds: ids(prompt),
    responseIds: ids(response),
    maskLength: 0,
    trained,
    turns,
    ...extra,
  };
  return trackFrom(tokens, own, true);
}

/** Ascending, some of them next to each other. */
const spans = fc
  .record({
    edges: fc.uniqueArray(fc.nat(30), { maxLength: 8 }),
    isIn: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  })
  .map(({ edges, isIn }) =>
    edges
      .toSorted((x, y) => x - y)
      .flatMap((start, nth, all): Span[] => (isIn[nth] === true ? [[start, all[nth + 1] ?? start + 1]] : [])),
  );
const given: fc.Arbitrary<Given> = fc.record({
  prompt: fc.string({ maxLength: 20, unit: 'grapheme' }),
  response: fc.string({ maxLength: 30 }),
  trained: spans,
  turns: spans,
});

describe('fates', () => {
  it('are what mask and turns say of every token', () => {
    fc.assert(
      fc.property(given, (each) => {
        const shown = track(each);
        for (let position = 0; position < shown.length; position++) {
          const at = position - shown.promptLength;
          const naive =
            at < 0
              ? 'prompt'
              : within(each.trained, at)
                ? 'trained'
                : within(each.turns, at)
                  ? 'dropped'
                  : 'masked';
          expect(fateAt(shown, position)).toBe(naive);
        }
        const counts = countsOf(shown);
        expect(counts.prompt + counts.masked + counts.trained + counts.dropped).toBe(shown.length);
      }),
    );
  });

  it('count ones past the last token apart', () => {
    expect(track({ prompt: 'ab', response: 'cd', trained: [[1, 6]], turns: [] }).past).toBe(4);
  });
});

describe('rows', () => {
  it('hold every token once, in order, and no more columns than there are', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 20, max: 60 }), (each, columns) => {
        const shown = track(each);
        const rows = rowsOf(shown, columns);
        expect(rows.starts[0]).toBe(0);
        expect(rows.starts[rows.count]).toBe(shown.length);
        for (let row = 0; row < rows.count; row++) {
          const [start, end] = [rows.starts[row] ?? 0, rows.starts[row + 1] ?? 0];
          expect(end).toBeGreaterThan(start);
          let width = 0;
          for (let at = start; at < end; at++) {
            width += columnsOf(glyphsOf(shown, at));
            expect(rowOf(rows, at)).toBe(row);
          }
          expect(width).toBeLessThanOrEqual(Math.max(columns, columnsOf(glyphsOf(shown, start))));
        }
      }),
    );
  });

  it('begin anew after a line break, at the response and at each turn', () => {
    const shown = track({ prompt: 'a\nb', response: 'cdef', trained: [], turns: [[2, 4]] });
    const rows = rowsOf(shown, 80);
    expect([...rows.starts]).toEqual([0, 2, 3, 5, 7]);
    expect([...rows.chips]).toEqual([
      [0, 'prompt'],
      [3, 'response'],
      [5, 'step 0'],
    ]);
  });

  it('show what would hide: breaks, controls, bidi marks; and ids where there is no text', () => {
    const shown = track({ prompt: '\n\t\u202e\u0000', response: '', trained: [], turns: [] });
    expect([0, 1, 2, 3].map((at) => glyphsOf(shown, at))).toEqual(['↵', '→', '⟨202E⟩', '␀']);
    const bare = { textAt: () => undefined, idAt: (at: number) => at - 1 };
    expect([glyphsOf(bare, 0), glyphsOf(bare, 8)]).toEqual(['▯ ', '7 ']);
  });
});

describe('runs', () => {
  it('are the row, cut where tokens differ and around the cursor', () => {
    fc.assert(
      fc.property(given, fc.nat(50), (each, cursor) => {
        const shown = track(each);
        const rows = rowsOf(shown, 30);
        for (let row = 0; row < rows.count; row++) {
          const runs = runsOf(shown, rows, row, cursor);
          expect(runs[0]?.start).toBe(rows.starts[row]);
          expect(runs.at(-1)?.end).toBe(rows.starts[row + 1]);
          for (const [nth, run] of runs.entries()) {
            const before = runs[nth - 1];
            if (before !== undefined) {
              expect(run.start).toBe(before.end);
              expect(run.fate !== before.fate || run.cursor || before.cursor).toBe(true);
            }
            let offset = 0;
            for (let at = run.start; at < run.end; at++) {
              expect(run.fate).toBe(fateAt(shown, at));
              expect(run.cursor).toBe(at === cursor);
              expect(tokenIn(shown, run.start, run.end, offset)).toBe(at);
              offset += glyphsOf(shown, at).length;
            }
            expect(run.text).toHaveLength(offset);
          }
        }
      }),
    );
  });
});

describe('the scale', () => {
  const numbers = fc.float32Array({ minLength: 1, maxLength: 200 });

  it('keeps the order of values, and says nothing of what is no number', () => {
    fc.assert(
      fc.property(numbers, fc.boolean(), (values, reversed) => {
        const scale = scaleOf(values, reversed);
        expect(scale === undefined).toBe(!values.some(Number.isFinite));
        if (scale === undefined) return;
        let before = reversed ? levels : -1;
        for (const value of [...values].filter(Number.isFinite).toSorted((a, b) => a - b)) {
          const level = levelOf(scale, value);
          expect(level).toBeGreaterThanOrEqual(0);
          expect(level).toBeLessThan(levels);
          expect(reversed ? level <= before : level >= before).toBe(true);
          before = level;
        }
        expect(levelOf(scale, NaN)).toBe(-1);
      }),
    );
  });

  it('does not let one outlier make all others alike', () => {
    const values = Float32Array.from({ length: 1000 }, (_, at) => (at === 0 ? -1e6 : -at / 1000));
    const scale = scaleOf(values, true);
    if (scale === undefined) throw new Error('there are values');
    expect(scale.clamped).toBe(true);
    expect(new Set(Array.from(values, (value) => levelOf(scale, value))).size).toBe(levels);
    // From quiet to strong: a log-probability near 0 is quiet.
    expect(edgesOf(scale)[0]).toBeGreaterThan(edgesOf(scale).at(-1) ?? 0);
  });
});

describe('the cursor', () => {
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'];

  it('never leaves the tokens', () => {
    fc.assert(
      fc.property(
        given,
        fc.array(fc.record({ key: fc.constantFrom(...keys), ctrlKey: fc.boolean() }), { maxLength: 30 }),
        (each, strokes) => {
          const shown = track(each);
          const rows = rowsOf(shown, 20);
          let cursor = 0;
          for (const stroke of strokes) {
            const next = moved(stroke, cursor, rows, shown, 3);
            cursor = next ?? 0;
            expect(next === undefined).toBe(shown.length === 0);
            expect(cursor).toBeGreaterThanOrEqual(0);
            expect(cursor).toBeLessThan(Math.max(shown.length, 1));
          }
        },
      ),
    );
  });

  it('goes by tokens, rows, pages and trained runs', () => {
    const shown = track({
      prompt: 'a'.repeat(40),
      response: 'b'.repeat(40),
      trained: [
        [3, 5],
        [9, 10],
      ],
      turns: [],
    });
    const rows = rowsOf(shown, 20);
    const press = (key: string, cursor: number, ctrlKey = false) =>
      moved({ key, ctrlKey }, cursor, rows, shown, 3);
    // The chip takes 8 columns of the first row.
    expect([...rows.starts]).toEqual([0, 12, 32, 40, 50, 70, 80]);
    expect([press('ArrowDown', 2), press('ArrowUp', 33), press('ArrowDown', 31)]).toEqual([14, 13, 39]);
    expect([press('Home', 20), press('End', 20), press('PageDown', 0)]).toEqual([12, 31, 32]);
    expect([press('Home', 20, true), press('End', 20, true)]).toEqual([0, 79]);
    expect([nextTrained(shown, 0), nextTrained(shown, 43), nextTrained(shown, 49)]).toEqual([43, 49, 49]);
    expect([previousTrained(shown, 79), previousTrained(shown, 49), previousTrained(shown, 43)]).toEqual([
      49, 43, 43,
    ]);
    expect(press('x', 20)).toBeUndefined();
  });
});

const step = (prompt: string, generation: string) => ({
  promptIds: ids(prompt),
  generationIds: ids(generation),
  logprobs: new Float32Array(generation.length).fill(-0.5),
});

it('has no log-probability for what was not emitted, unless the source does', () => {
  const episode = episodeOf({
    steps: [
      { index: 0, tokens: step('ab', 'cd') },
      { index: 1, tokens: step('abcdxy', 'e') },
    ],
  });
  const [sample] = samplesOf(episode);
  if (sample === undefined) throw new Error('there is a sample');
  const derived = trackOf(episode, sample)?.values.get('logprob');
  expect([...(derived ?? [])]).toEqual([-0.5, -0.5, NaN, NaN, -0.5]);
  const recorded = trackOf({ ...episode, samples: [sample] }, sample)?.values.get('logprob');
  expect([...(recorded ?? [])]).toEqual([-0.5, -0.5, 0, 0, -0.5]);
});

it('sums values per turn over the tokens that have one', () => {
  const logprobs = Float32Array.from([9, -1, -2, NaN, -3]);
  const shown = track({ prompt: 'ab', response: 'cdefg', trained: [], turns: [[1, 4]] }, { logprobs });
  expect(sumsOf(shown, logprobs)).toMatchObject([{ step: 0, start: 3, tokens: 3, sum: -3, mean: -1.5 }]);
  expect(sumsOf(shown, undefined)).toMatchObject([{ sum: undefined }]);
});

it('says what is known of a token, and copies the text that stood there', () => {
  const logprobs = Float32Array.from([-0.5, -0.25]);
  const shown = track({ prompt: 'a\n', response: 'bc', trained: [[0, 1]], turns: [[0, 2]] }, { logprobs });
  expect(tokenFacts(shown, 2).join(' · ')).toBe(
    'token 2 · response 0 · step 0 · id 98 · “b” · trained · logprob −0.5',
  );
  expect(tokenFacts(shown, 1).join(' · ')).toBe('token 1 · prompt · id 10 · “↵” · masked');
  expect(textOf(shown, 0, 3)).toBe('a\nb');
  expect(tokenFacts(shown, 4)).toEqual([]);
});

describe('the train-inference gap', () => {
  const given: Given = { prompt: 'p', response: 'abcd', trained: [[0, 2]], turns: [[0, 2]] };
  const logprobs = Float32Array.of(-1, -2, 0, 0);

  it.each(['prevLogprob', 'trainerLogprob'])(
    'is told of emitted tokens where %s is recorded, too',
    (name) => {
      const shown = track(given, { logprobs, values: { [name]: Float32Array.of(-1.5, -1, -7, -8) } });
      expect([...(shown.values.get(gapName) ?? [])]).toEqual([-0.5, 1, NaN, NaN]);
      expect(tokenFacts(shown, 2)).toEqual(
        expect.arrayContaining(['logprob −2', 'training logprob −1', 'train-inference gap 1']),
      );
      expect(tokenFacts(shown, 3).join()).not.toContain(gapName);
    },
  );

  it('is none without both, of the same tokens', () => {
    expect(track(given, { logprobs }).values.has(gapName)).toBe(false);
    const values = { prevLogprob: Float32Array.of(-1) };
    expect(track(given, { logprobs, values }).values.has(gapName)).toBe(false);
    expect(track(given, { logprobs, values: { refLogprob: logprobs } }).values.has(gapName)).toBe(false);
  });
});
