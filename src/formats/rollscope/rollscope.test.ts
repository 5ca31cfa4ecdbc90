import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Episode } from '../../model';
import { episodeOf, messageOf } from '../../model/episode.fixtures';
import { closed, replaceOne } from '../damage.fixtures';
import { expectLossless, parse, recordOf } from '../harness.fixtures';
import { readEpisode } from './read';
import { rollscope } from './rollscope';
import { wholeEpisodes } from './rollscope.fixtures';
import type { Told } from './schema';
import { upgrade } from './upgrade';
import { jsonOf, plain } from './values';
import { writeEpisode } from './write';

function reread(text: string): Episode {
  const read = readEpisode(JSON.parse(text));
  if (!read.ok) throw new Error(read.reason);
  return read.episode;
}

describe("Rollscope's own format", () => {
  test('gives back every episode that was written', () => {
    fc.assert(
      fc.property(wholeEpisodes(), (episode) => {
        expectLossless(episode);
      }),
      { numRuns: 300 },
    );
  });

  test('is one line, whatever is in it', () => {
    fc.assert(fc.property(wholeEpisodes(), (episode) => !writeEpisode(episode).includes('\n')));
  });

  test('is recognised, and summarised as the episode is', () => {
    const episode = episodeOf({
      messages: [
        messageOf(4, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'hello' }] }),
        messageOf(5, 'policy', { bornAtStep: 0, parts: [{ kind: 'text', text: 'hi' }] }),
      ],
      metrics: { turns: 1 },
    });
    const record = recordOf(JSON.parse(writeEpisode(episode)));
    expect(rollscope.confidence(record.value)).toBe(1);
    expect(rollscope.summarise(record)).toMatchObject([
      { title: 'test', reward: 1, steps: 1, samples: 1, counts: { messages: 1, inputMessages: 1 } },
    ]);
    expect(rollscope.episode(record, 0)).toMatchObject({
      format: 'test',
      messages: [{ raw: ['/messages/0'] }, {}],
    });
  });

  test('has a place for everything an episode can have', () => {
    // With nothing optional left, a field that the schema forgets does not fit.
    expectTypeOf<Whole<Omit<Told, 'messages' | 'steps'>>>().toExtend<
      Whole<Omit<Episode, 'messages' | 'steps'>>
    >();
    expectTypeOf<Whole<Told['messages'][number]>>().toExtend<
      Whole<Omit<Episode['messages'][number], 'raw'>>
    >();
    expectTypeOf<keyof Told['steps'][number]>().toEqualTypeOf<keyof Episode['steps'][number]>();
    expectTypeOf<keyof NonNullable<Told['steps'][number]['tokens']>>().toEqualTypeOf<
      keyof NonNullable<Episode['steps'][number]['tokens']>
    >();
  });

  test('writes a run of prompts in the size it grew to, and reads it into shared memory', () => {
    const context = Int32Array.from({ length: 4_000 }, (_, at) => at % 7);
    const messages = Array.from({ length: 1_000 }, (_, step) =>
      messageOf(step, 'policy', { bornAtStep: step }),
    );
    const episode = episodeOf({
      messages,
      steps: messages.map((_, index) => ({
        index,
        tokens: {
          promptIds: context.subarray(0, 4 * index + 2),
          generationIds: context.subarray(4 * index + 2, 4 * index + 3),
        },
      })),
    });
    const text = writeEpisode(episode);
    expect(text.length).toBeLessThan(200 * episode.steps.length);
    expectLossless(episode);
    const again = reread(text);
    expect(new Set(again.steps.map(({ tokens }) => tokens?.promptIds.buffer)).size).toBe(1);
  });

  test('does not let a short line ask for more memory than there is', () => {
    const messages = Array.from({ length: 3 }, (_, step) => messageOf(step, 'policy', { bornAtStep: step }));
    const text = writeEpisode(episodeOf({ messages }));
    const line: { steps: unknown[]; messages: unknown[] } = JSON.parse(text);
    const adds = Array.from({ length: 100_000 }, () => 1);
    line.steps = Array.from({ length: 2_000 }, (_, index) => ({
      index,
      tokens: {
        promptIds: { keeps: index === 0 ? 0 : 100_000 - index, adds: index === 0 ? adds : [] },
        generationIds: [],
      },
    }));
    expect(readEpisode(line)).toMatchObject({ ok: false });
    line.steps = line.steps.slice(0, 100);
    expect(readEpisode(line)).toMatchObject({ ok: true });
  });
});

/** With every optional field required, all the way down. */
type Whole<T> = T extends Int32Array | Float32Array | string | number | boolean | null
  ? T
  : unknown extends T
    ? T
    : { [K in keyof T]-?: Whole<NonNullable<T[K]>> };

describe('a line that is not right', () => {
  const good: Record<string, unknown> = JSON.parse(
    writeEpisode(
      episodeOf({
        messages: [messageOf(0, 'prompt', { bornAtStep: -1 }), messageOf(1, 'policy', { bornAtStep: 0 })],
      }),
    ),
  );

  test.each<[string, object]>([
    ['/messages', { messages: 7 }],
    [
      '/messages/1/role',
      { messages: [{ ...messageOf(0, 'prompt', { bornAtStep: -1 }) }, { msgId: 1, role: 'x' }] },
    ],
    [
      '/messages/1',
      { messages: [messageOf(0, 'policy', { bornAtStep: 0 }), messageOf(0, 'policy', { bornAtStep: 0 })] },
    ],
    ['/messages/0', { messages: [messageOf(0, 'policy', { bornAtStep: 9 })] }],
    [
      '/messages/1',
      { messages: [messageOf(0, 'policy', { bornAtStep: 0 }), messageOf(1, 'prompt', { bornAtStep: -1 })] },
    ],
    ['/steps/0', { steps: [{ index: 1 }] }],
    ['/steps', { steps: [{ index: 0, tokens: { promptIds: { keeps: 1, adds: [] }, generationIds: [] } }] }],
    [
      '/steps/0/tokens/generationIds',
      { steps: [{ index: 0, tokens: { promptIds: { keeps: 0, adds: [] }, generationIds: [0.5] } }] },
    ],
    ['/edits/0', { edits: [{ step: 1, kind: 'delete', msgIds: [] }] }],
    ['/metrics', { metrics: { a: null } }],
  ])('says where: %s', (place, wrong) => {
    const record = recordOf({ ...good, ...wrong });
    const { gaps, messages } = rollscope.episode(record, 0);
    expect(gaps[0]?.reason).toContain(`(${place})`);
    expect(messages[0]?.parts).toEqual([{ kind: 'json', text: record.text }]);
    expect(rollscope.summarise(record)).toMatchObject([{ title: 'test', steps: 0 }]);
  });

  test('of a newer version says so', () => {
    const { gaps } = rollscope.episode(recordOf({ ...good, rollscope: 99 }), 0);
    expect(gaps[0]?.reason).toMatch(/version 99 .* newer Rollscope/);
  });

  test('with keys that are not known is read without them', () => {
    expect(readEpisode({ ...good, mine: 1, __proto__: null })).toEqual(readEpisode(good));
  });

  test('is never thrown at', () => {
    fc.assert(
      fc.property(wholeEpisodes(), fc.nat(), fc.jsonValue(), (episode, place, value) => {
        const line: unknown = JSON.parse(writeEpisode(episode));
        replaceOne(line, place, value);
        const record = recordOf(line);
        expect(rollscope.confidence(line)).toBeGreaterThanOrEqual(0);
        expect(rollscope.summarise(record)).toHaveLength(1);
        structuredClone(rollscope.episode(record, 0));
      }),
      { numRuns: 500 },
    );
  });

  test('may be cut off anywhere, or have bytes flipped', () => {
    const [episode] = fc.sample(wholeEpisodes(), { numRuns: 1, seed: 7 });
    const text = writeEpisode(episode ?? episodeOf({}));
    let readable = 0;
    const open = (damaged: string): void => {
      const parsed = parse(damaged);
      if (!parsed.ok) return;
      readable += 1;
      const record = recordOf(parsed.value);
      rollscope.confidence(parsed.value);
      rollscope.summarise(record);
      structuredClone(rollscope.episode(record, 0));
    };
    for (let end = 1; end < text.length; end++) open(closed(text.slice(0, end)));
    expect(readable).toBeGreaterThan(100);
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (place, flip) => {
        const bytes = new TextEncoder().encode(text);
        bytes[place % bytes.length] = (bytes[place % bytes.length] ?? 0) ^ flip;
        open(new TextDecoder().decode(bytes));
      }),
      { numRuns: 500 },
    );
  });

  test('is read though it is nested deeper than the stack', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = level % 2 === 0 ? [deep] : { $object: deep };
    for (const wrong of [
      { tools: [{ name: 'a', parameters: deep }] },
      { metrics: { a: deep } },
      { messages: deep },
      {
        messages: [
          {
            ...messageOf(0, 'prompt', { bornAtStep: -1 }),
            parts: [{ kind: 'unknown', type: 'x', value: deep }],
          },
        ],
      },
    ]) {
      structuredClone(
        rollscope.episode({ value: { ...good, steps: [], ...wrong }, text: '', index: 0, line: 1 }, 0),
      );
    }
    expect(() => writeEpisode(episodeOf({ tools: [{ name: 'a', parameters: deep }] }))).not.toThrow();
  });
});

describe('a line of an older version', () => {
  const upgrades = [
    (line: object) => ({ ...line, title: 'named in version 2' }),
    (line: object) => ({ ...line, renamed: 'in version 3' }),
  ];

  test.each([
    [1, { title: 'named in version 2', renamed: 'in version 3' }],
    [2, { title: 'own', renamed: 'in version 3' }],
    [3, { title: 'own' }],
  ])('is brought up step by step: version %i', (from, told) => {
    expect(upgrade({ rollscope: from, title: 'own' }, upgrades)).toEqual({
      ok: true,
      line: { rollscope: 3, ...told },
    });
  });

  test.each([[4], [0], [1.5], [-1], ['1'], [null]])('there is no version %j', (from) => {
    expect(upgrade({ rollscope: from }, upgrades)).toMatchObject({ ok: false });
  });
});

test.each([
  [NaN, '{"$number":"NaN"}'],
  [-0, '-0'],
  [{ a: undefined, b: [undefined] }, '{"b":[null]}'],
  [{ $number: 'NaN' }, '{"$object":{"$number":"NaN"}}'],
  [Float32Array.of(0.1, -0, NaN, 2 ** -126), '[0.1,-0,"NaN",1.1754944e-38]'],
  ['\ud800', '"\\ud800"'],
])('%j is written as %s', (value, text) => {
  expect(jsonOf(value)).toBe(text);
  if (typeof value !== 'object') expect(Object.is(plain(JSON.parse(text)), value)).toBe(true);
});
