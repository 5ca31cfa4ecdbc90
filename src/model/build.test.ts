import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyFrom, type HistoryItem } from './build';
import type { Part } from './episode';
import { callPart } from './episode.fixtures';

type Kind = 'user' | 'result' | 'text' | 'reasoning' | 'call' | 'text+call' | 'nothing';

const partsOf: Record<Kind, (name: string) => Part[]> = {
  user: (text) => [{ kind: 'text', text }],
  result: (text) => [{ kind: 'text', text }],
  text: (text) => [{ kind: 'text', text }],
  reasoning: (text) => [{ kind: 'reasoning', text, form: 'full' }],
  call: (id) => [callPart(id)],
  'text+call': (text) => [{ kind: 'text', text }, callPart(text)],
  nothing: () => [],
};

const policyKinds = ['text', 'reasoning', 'call', 'text+call', 'nothing'] as const;

type Planned =
  { origin: 'policy'; kind: Kind; startsStep?: boolean } | { origin: 'prompt' | 'environment'; kind: Kind };

const unmarked: fc.Arbitrary<Planned> = fc.oneof(
  fc.record({ origin: fc.constant('policy' as const), kind: fc.constantFrom(...policyKinds) }),
  fc.record({
    origin: fc.constant('environment' as const),
    kind: fc.constantFrom('result' as const, 'user' as const),
  }),
);
const marked: fc.Arbitrary<Planned> = fc.oneof(
  { weight: 2, arbitrary: unmarked },
  {
    weight: 1,
    arbitrary: fc.record({
      origin: fc.constant('policy' as const),
      kind: fc.constantFrom(...policyKinds),
      startsStep: fc.boolean(),
    }),
  },
);
/** What stood in the request: also assistant turns and their results, and then no step is made of them. */
const prompts: fc.Arbitrary<Planned> = fc.record({
  origin: fc.constant('prompt' as const),
  kind: fc.constantFrom('user' as const, 'result' as const, ...policyKinds),
});

function itemsFrom(planned: readonly Planned[]): HistoryItem[] {
  return planned.map(({ kind, ...rest }, index) => ({
    ...rest,
    role: kind === 'user' ? 'user' : kind === 'result' ? 'tool' : 'assistant',
    parts: partsOf[kind](`part ${index}`),
    raw: `/${index}`,
  }));
}

function listsOf(output: fc.Arbitrary<Planned>): fc.Arbitrary<HistoryItem[]> {
  return fc
    .tuple(fc.array(prompts, { maxLength: 4 }), fc.array(output, { maxLength: 12 }))
    .map(([prompt, rest]) => itemsFrom([...prompt, ...rest]));
}

/** The rule read aloud: number the steps, cut the list into turns, cut a turn at every second text. */
function naively(items: readonly HistoryItem[]): {
  steps: number;
  messages: { raw: string[]; born: number }[];
} {
  let steps = 0;
  const born = items.map((item, index) => {
    if (item.origin === 'policy') {
      const first = items.slice(0, index).every((earlier) => earlier.origin !== 'policy');
      const afterOthers = items[index - 1]?.origin !== 'policy';
      if (first || (item.startsStep ?? afterOthers)) steps++;
    }
    return steps - 1;
  });
  const groups: number[][] = [];
  items.forEach((item, index) => {
    const group = groups.at(-1) ?? [];
    const sameTurn =
      items[index - 1]?.origin === item.origin &&
      born[index - 1] === born[index] &&
      items[index - 1]?.role === 'assistant' &&
      item.role === 'assistant';
    const texts = [...group, index].filter((at) => items[at]?.parts.some(({ kind }) => kind === 'text'));
    const secondText = texts.length > 1 && texts.includes(index);
    if (group.length > 0 && sameTurn && !secondText) group.push(index);
    else groups.push([index]);
  });
  return {
    steps,
    messages: groups.map((group) => ({
      raw: group.map((index) => `/${index}`),
      born: born[group[0] ?? 0] ?? -1,
    })),
  };
}

const emptyItem = (raw: string): HistoryItem => ({ origin: 'policy', role: 'assistant', parts: [], raw });

describe('historyFrom', () => {
  it('equals a naive reading of the rule, marked or not', () => {
    fc.assert(
      fc.property(fc.oneof(listsOf(unmarked), listsOf(marked)), (items) => {
        const { messages, steps } = historyFrom(items);
        expect({
          steps: steps.length,
          messages: messages.map(({ raw, bornAtStep }) => ({ raw, born: bornAtStep })),
        }).toEqual(naively(items));
      }),
      { numRuns: 1000 },
    );
  });

  it('loses no part, keeps their order, and numbers messages and steps', () => {
    fc.assert(
      fc.property(listsOf(marked), (items) => {
        const { messages, steps } = historyFrom(items);
        expect(messages.flatMap(({ parts }) => parts)).toEqual(items.flatMap(({ parts }) => parts));
        expect(messages.map(({ msgId }) => msgId)).toEqual([...messages.keys()]);
        expect(steps.map(({ index }) => index)).toEqual([...steps.keys()]);
      }),
    );
  });

  it('makes one step of every run of policy items', () => {
    fc.assert(
      fc.property(listsOf(unmarked), (items) => {
        const runs = items.filter(
          ({ origin }, index) => origin === 'policy' && items[index - 1]?.origin !== 'policy',
        );
        expect(historyFrom(items).steps.length).toBe(runs.length);
      }),
    );
  });

  it('leaves the items as they were', () => {
    fc.assert(
      fc.property(listsOf(marked), (items) => {
        const before = structuredClone(items);
        historyFrom(items);
        expect(items).toEqual(before);
      }),
    );
  });

  it('keeps tokens and the cut-off of a step, whichever of its items carries them', () => {
    const tokens = { promptIds: Int32Array.of(1), generationIds: Int32Array.of(2) };
    const { steps } = historyFrom([
      emptyItem('/0'),
      { ...emptyItem('/1'), origin: 'policy', tokens },
      { origin: 'environment', role: 'tool', parts: [], raw: '/2' },
      { ...emptyItem('/3'), origin: 'policy', unfinished: 'max_output_tokens' },
      emptyItem('/4'),
    ]);
    expect(steps).toEqual([
      { index: 0, tokens },
      { index: 1, unfinished: 'max_output_tokens' },
    ]);
  });

  it('joins an item of 200,000 parts', () => {
    const parts = Array.from({ length: 200_000 }, (_, index): Part => callPart(`call_${index}`));
    const { messages } = historyFrom([
      { origin: 'policy', role: 'assistant', parts: [{ kind: 'text', text: 'now' }], raw: '/0' },
      { origin: 'policy', role: 'assistant', parts, raw: '/1' },
    ]);
    expect(messages.map((message) => message.parts.length)).toEqual([200_001]);
  });
});
