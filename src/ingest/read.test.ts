import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from './bytes';
import { fleeting, kept } from './fleeting.fixtures';
import type { Problem } from './protocol';
import { readBytes, readSource, type ReadOptions, type ReadRecord } from './read';
import { testFormats } from './test-formats.fixtures';

async function read(
  text: string,
  options: ReadOptions = {},
): Promise<Awaited<ReturnType<typeof readSource>> & { seen: ReadRecord[]; ledger: Problem[] }> {
  const seen: ReadRecord[] = [];
  const ledger: Problem[] = [];
  const result = await readSource(
    new Blob([text]),
    { record: (record) => void seen.push(kept(record)), problem: (problem) => void ledger.push(problem) },
    { formats: testFormats, ...options },
  );
  return { ...result, seen, ledger };
}

const values = (seen: readonly ReadRecord[]): unknown[] => seen.map(({ record }) => record.value);
const formatIds = (seen: readonly ReadRecord[]): unknown[] => seen.map(({ format }) => format?.id);

function pretty(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

describe('layouts', () => {
  const records = [{ reward: 1, text: 'ü€😀\n' }, { reward: 0, list: [{}, []] }, { reward: -1 }];

  it.each([
    ['JSONL', records.map((record) => JSON.stringify(record)).join('\n')],
    [
      'JSONL with CRLF, a mark, blank lines and an end',
      `\uFEFF\r\n${records.map((r) => JSON.stringify(r)).join('\r\n\r\n')}\r\n`,
    ],
    ['pretty values one after another', records.map(pretty).join('\n')],
    ['values without anything between them', records.map((record) => JSON.stringify(record)).join('')],
    [
      'one compact value, then pretty ones',
      `{"reward":1,"text":"ü€😀\\n"}\n${records.slice(1).map(pretty).join('\n')}`,
    ],
    ['a compact array', JSON.stringify(records)],
    ['a pretty array', pretty(records)],
    ['an array with an element per line', `[\n${records.map((r) => JSON.stringify(r)).join(',\n')}\n]\n`],
  ])('reads %s', async (_name, text) => {
    const { seen, outcome, problems } = await read(text);
    expect(values(seen)).toEqual(records);
    expect(outcome).toBe('complete');
    expect(problems).toBe(0);
    for (const { record, place } of seen) {
      const bytes = new Blob([text]).slice(place.byteStart, place.byteEnd);
      expect(await bytes.text()).toBe(record.text);
      expect(JSON.parse(record.text)).toEqual(record.value);
      const before = await new Blob([text]).slice(0, place.byteStart).text();
      expect(record.line).toBe(before.split('\n').length);
    }
  });

  it('reads one pretty object', async () => {
    expect(values((await read(pretty(records[1]))).seen)).toEqual([records[1]]);
  });

  it('reads a pretty object that is longer than what the layout is decided on', async () => {
    const long = { reward: 1, empty: {}, list: Array.from({ length: 60_000 }, (_, i) => ({ i })) };
    const { seen, problems } = await read(pretty(long));
    expect(values(seen)).toEqual([long]);
    expect(problems).toBe(0);
  });

  it('reads an array whose elements are longer than that', async () => {
    const long = [1, 2, 3].map((reward) => ({ reward, text: 'x'.repeat(400_000) }));
    expect(values((await read(JSON.stringify(long))).seen)).toEqual(long);
  });

  it('takes an array for one record where a format claims the whole of it', async () => {
    const list = [{ event: 1 }, { event: 2 }];
    const { seen, format, records } = await read(pretty(list));
    expect(values(seen)).toEqual([list]);
    expect(format?.id).toBe('events');
    expect(records).toBe(1);
  });

  it('keeps lines that are arrays apart', async () => {
    expect(values((await read('[1,2]\n[3]\n')).seen)).toEqual([[1, 2], [3]]);
    expect(values((await read('[{"event":1}]\n[{"event":2}]')).seen)).toEqual([
      [{ event: 1 }],
      [{ event: 2 }],
    ]);
  });

  it('reads values that are no objects', async () => {
    expect(values((await read('1\n"two"\nnull\nNaN\n')).seen)).toEqual([1, 'two', null, NaN]);
    expect(values((await read('[]')).seen)).toEqual([]);
  });

  it('reads objects one after another, each on one line or on many', async () => {
    const object = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'));
    await fc.assert(
      fc.asyncProperty(fc.array(object, { minLength: 1, maxLength: 6 }), async (objects) => {
        const texts = objects.map(([value, indent]) => JSON.stringify(value, undefined, indent));
        const { seen, problems } = await read(texts.join('\n'));
        expect(seen.map(({ record }) => record.text)).toEqual(texts);
        expect(problems).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('reads the same whatever JSON stands on the lines and however chunks are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 2, maxLength: 10 }),
        fc.integer({ min: 1, max: 50 }),
        async (lines, size) => {
          const bytes = new TextEncoder().encode(lines.map((value) => JSON.stringify(value)).join('\n'));
          const seen: unknown[] = [];
          const visitor = { record: ({ record }: ReadRecord): void => void seen.push(record.value) };
          await readBytes(fleeting(bytes, size), visitor, { formats: testFormats });
          expect(seen).toEqual(JSON.parse(JSON.stringify(lines)));
        },
      ),
    );
  });
});

/** All good records are there, and every bad line is named. */
async function expectAllFound(lines: readonly { text: string; good: boolean }[]): Promise<void> {
  const { seen, ledger } = await read(lines.map(({ text }) => text).join('\n'));
  const numbered = lines.map((line, i) => ({ ...line, number: i + 1 }));
  expect(seen.map(({ record }) => [record.line, record.text])).toEqual(
    numbered.flatMap(({ good, number, text }) => (good ? [[number, text]] : [])),
  );
  expect(ledger.map(({ line, excerpt }) => [line, excerpt])).toEqual(
    numbered.flatMap(({ good, number, text }) => (good ? [] : [[number, text.slice(0, 200)]])),
  );
}

describe('problems', () => {
  it('names bad lines among good ones and goes on', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => JSON.stringify({ reward: i }));
    lines[3] = '<PLACEHOLDER ROW>';
    lines[20] = '{"reward": 1,, "ü": 2}';
    lines[49] = '{"reward": 1, "torn": "ab';
    const text = lines.join('\n');
    const { seen, ledger, records, problems, outcome } = await read(text);
    expect(seen.map(({ record }) => record.line)).toEqual(
      lines.map((_, i) => i + 1).filter((line) => ![4, 21, 50].includes(line)),
    );
    expect(seen.map(({ record }) => record.index)).toEqual(seen.map((_, i) => i));
    expect([records, problems, outcome]).toEqual([47, 3, 'complete']);
    expect(ledger.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'Unexpected "<" instead of a value at column 1'],
      [21, 'Unexpected "," instead of a key in double quotes at column 14'],
      [50, 'The text ends inside a string at column 26'],
    ]);
    for (const { byteStart, byteEnd, line, excerpt } of ledger) {
      expect(await new Blob([text]).slice(byteStart, byteEnd).text()).toBe(lines[line - 1]);
      expect(excerpt).toBe(lines[line - 1]);
    }
  });

  const good = fc
    .record({ reward: fc.integer(), more: fc.jsonValue({ maxDepth: 3 }) })
    .map((value) => ({ text: JSON.stringify(value), good: true }));
  const cutOff = fc
    .tuple(fc.record({ reward: fc.integer(), more: fc.jsonValue({ maxDepth: 3 }) }), fc.nat())
    .map(([value, at]) => {
      const text = JSON.stringify(value);
      return text.slice(0, 1 + (at % (text.length - 1))).trim();
    })
    // Half a pair can not be written as UTF-8.
    .filter((text) => !/[\uD800-\uDBFF]$/.test(text));
  const bad = fc
    .oneof(
      { weight: 4, arbitrary: cutOff },
      fc.constantFrom(
        '<html><body class="x">502</body></html>',
        '<PLACEHOLDER ROW>',
        '{bad',
        '[',
        '{"a":[',
        '...',
      ),
    )
    .map((text) => ({ text, good: false }));

  it('finds every good line, wherever the bad ones stand', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(bad, { maxLength: 3 }),
        good,
        fc.array(fc.oneof(good, bad), { maxLength: 8 }),
        (first, one, rest) => expectAllFound([...first, one, ...rest]),
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['inside a string', '{"reward":1,"text":"', 'x'],
    ['after an element', '{"reward":1,"list":[[]', ',[]'],
    ['after a comma', '{"reward":1,"list":[0,', '0,'],
  ])('reads the lines after a long first one that was cut off %s', async (_where, begin, filling) => {
    const count = { few: 20, many: 2000 };
    for (const [size, following] of [
      [40_000, count.few],
      [150_000, count.many],
      [300_000, count.many],
    ] as const) {
      const after = Array.from({ length: following }, (_, i) => ({
        text: JSON.stringify({ reward: i, text: 'y'.repeat(200) }),
        good: true,
      }));
      const cut = begin + filling.repeat(size / filling.length);
      await expectAllFound([{ text: cut, good: false }, ...after]);
    }
  });

  it('reads a record after more bad lines than the layout is decided on', async () => {
    const flood = Array.from({ length: 3000 }, () => ({ text: `{bad${'.'.repeat(100)}`, good: false }));
    await expectAllFound([...flood, { text: '{"reward":1}', good: true }]);
  });

  it('reads long lines after one that was cut off where a value could follow', async () => {
    const long = { text: JSON.stringify({ reward: 1, text: 'x'.repeat(400_000) }), good: true };
    await expectAllFound([{ text: '{"list":[', good: false }, long, long]);
    await expectAllFound([{ text: '{"list":[', good: false }, long]);
  });

  it('names a broken value over lines once', async () => {
    const value = { reward: 1, empty: [{}], list: [1, 2, { a: [{}, 'x'] }] };
    for (const text of [
      pretty(value).slice(0, -20),
      pretty(value).replace('1,\n', '1,,\n'),
      pretty(value).replace('"x"', '"x'),
    ]) {
      const { ledger, outcome } = await read(text);
      expect([ledger.map(({ line }) => line), outcome]).toEqual([[1], 'failed']);
    }
  });

  it('names the element of an array that is none', async () => {
    const { seen, ledger } = await read('[\n{"reward":1},\n{"reward":oops},\n{"reward":3}\n]\n');
    expect(values(seen)).toEqual([{ reward: 1 }, { reward: 3 }]);
    expect(ledger.map(({ line }) => line)).toEqual([3]);
  });

  it('shows the first 200 characters', async () => {
    const { ledger } = await read(`{"reward":1}\n${'😀'.repeat(150)}`);
    expect(ledger[0]?.excerpt).toBe('😀'.repeat(100));
  });

  it('goes on after a record that is too long', async () => {
    const long = `{"reward":1,"text":"${'x'.repeat(5000)}"}`;
    for (const text of [`{"reward":0}\n${long}\n{"reward":2}`, `[{"reward":0},${long},{"reward":2}]`]) {
      const { seen, ledger } = await read(text, { maxRecordBytes: 1000 });
      expect(values(seen)).toEqual([{ reward: 0 }, { reward: 2 }]);
      expect(ledger).toHaveLength(1);
      expect(ledger[0]?.reason).toContain('at most');
      expect(ledger[0]?.excerpt).toBe(long.slice(0, 200));
    }
  });

  it('keeps the elements of an array that was cut off', async () => {
    const { seen, ledger } = await read('[{"reward":1},{"reward":2},{"rew');
    expect(values(seen)).toEqual([{ reward: 1 }, { reward: 2 }]);
    expect(ledger.map(({ reason }) => reason)).toEqual(['The file ends inside this value']);
  });

  it('fails where nothing is JSON, and says what stood there', async () => {
    const { outcome, ledger, failure } = await read('# Title\n\nSome text.\n');
    expect(outcome).toBe('failed');
    expect(failure?.what).toContain('JSON');
    expect(ledger.map(({ line }) => line)).toEqual([1, 3]);
  });

  it('makes a problem of an importer that throws', async () => {
    const { ledger, seen } = await read('{"reward":1}\n{"explode":1}\n{"reward":2}');
    expect(values(seen)).toEqual([{ reward: 1 }, { reward: 2 }]);
    expect(ledger).toMatchObject([{ line: 2, reason: 'Could not be read as The exploding format: a bug' }]);
  });

  it('keeps what was read when the bytes give out', async () => {
    const bytes = new TextEncoder().encode('{"reward":1}\n'.repeat(100_000));
    const failing: ByteSource = {
      ...fleeting(bytes, 1),
      async *chunks() {
        yield await Promise.resolve(bytes.slice(0, 600_000));
        throw new Error('the disk is gone');
      },
    };
    let count = 0;
    const result = await readBytes(failing, { record: () => void count++ }, { formats: testFormats });
    expect(result.outcome).toBe('failed');
    expect(result.failure?.what).toContain('the disk is gone');
    expect(count).toBe(Math.floor(600_000 / 13));
  });
});

describe('recognising', () => {
  it('gives the surer of the first formats to the source, and looks at misfits on their own', async () => {
    const { seen, format } = await read('{"x":1}\n{"reward":1}\n{"x":2}\n{"episodes":[]}\n{"reward":3}');
    expect(formatIds(seen)).toEqual(['json', 'rollout', 'json', 'group', 'rollout']);
    expect(format?.id).toBe('group');
  });

  it('counts several episodes of a record', async () => {
    const { seen, episodes, records } = await read('{"episodes":[1,2]}\n{"episodes":[]}\n{"episodes":[3]}');
    expect(seen.map(({ summaries }) => summaries.length)).toEqual([2, 0, 1]);
    expect([records, episodes]).toEqual([3, 3]);
  });

  it('gathers the lines of a source that is one episode', async () => {
    const { seen, records, episodes, ledger } = await read(
      '{"session":1}\n{"other":2}\noops\n{"session":3}\n',
    );
    expect(values(seen)).toEqual([[{ session: 1 }, { other: 2 }, { session: 3 }]]);
    expect([records, episodes, ledger.length]).toEqual([3, 1, 1]);
    expect(seen[0]?.place).toEqual({ byteStart: 0, byteEnd: 44, line: 1 });
  });

  it('takes the elements of an array for the records of such a source', async () => {
    expect(values((await read('[{"session":1},{"session":2}]')).seen)).toEqual([
      [{ session: 1 }, { session: 2 }],
    ]);
  });

  it('knows no format where there is none', async () => {
    const { seen, outcome, format } = await read('{"a":1}\n{"a":2}', { formats: [] });
    expect(formatIds(seen)).toEqual([undefined, undefined]);
    expect([outcome, format]).toEqual(['complete', undefined]);
  });
});

describe('sketches', () => {
  it('give the same summaries, formats and problems as whole records', async () => {
    const record = fc.dictionary(
      fc.constantFrom('reward', 'whole', 'x', 'task', 'episodes'),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const line = fc.oneof(
      { weight: 5, arbitrary: record.map((value) => JSON.stringify({ reward: 1, ...value })) },
      record.map((value) => JSON.stringify(value)),
      fc.constantFrom('{"reward":NaN}', '{"reward":1,"x":[NaN]}', '{"reward":1,', 'oops', ''),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const text = ['{"reward":1}', '{"reward":2}', ...lines].join('\n');
        const seenIn = async (sketch: boolean): Promise<unknown> => {
          const { seen, ...rest } = await read(text, { sketch });
          // What is left of its value is not the same.
          return { rest, seen: seen.map((each) => ({ ...each, record: { ...each.record, value: null } })) };
        };
        expect(await seenIn(true)).toEqual(await seenIn(false));
      }),
      { numRuns: 100 },
    );
  });

  it('do not hold what a summary does not need', async () => {
    const text = '{"reward":1}\n{"reward":2}\n{"reward":3,"list":[1,2,3]}';
    const { seen } = await read(text, { sketch: true });
    expect(values(seen).at(-1)).toEqual({ reward: 3, list: [] });
    expect(seen.at(-1)?.record.text).toBe('{"reward":3,"list":[1,2,3]}');
  });
});

describe('cancelling', () => {
  it('stops at once and keeps what was read', async () => {
    const controller = new AbortController();
    const seen: unknown[] = [];
    const result = await readSource(
      new Blob(['{"reward":1}\n'.repeat(200_000)]),
      {
        record: ({ record }) => {
          seen.push(record.value);
          if (seen.length === 1000) controller.abort();
        },
      },
      { formats: testFormats, signal: controller.signal },
    );
    expect(result.outcome).toBe('cancelled');
    expect(seen).toHaveLength(1000);
    expect(result.bytesRead).toBeLessThan(200_000 * 13);
  });

  it('does not lose first records whose format was still open', async () => {
    const controller = new AbortController();
    const chunks = ['{"reward":1}\n', 'never'].map((text) => new TextEncoder().encode(text));
    const bytes: ByteSource = {
      size: 1e6,
      async *chunks() {
        for (const chunk of [chunks[0], new TextEncoder().encode(`{"x":"${'x'.repeat(300_000)}`)]) {
          if (chunk !== undefined) yield await Promise.resolve(chunk);
        }
        controller.abort();
      },
      read: async () => new TextEncoder().encode('{"reward":1}'),
    };
    const seen: unknown[] = [];
    const visitor = { record: ({ record }: ReadRecord): void => void seen.push(record.value) };
    const result = await readBytes(bytes, visitor, { formats: testFormats, signal: controller.signal });
    expect(result.outcome).toBe('cancelled');
    expect(seen).toEqual([{ reward: 1 }]);
  });
});
