import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignSteps, type Act } from './align-steps';
import { compareEpisodes } from './compare';
import type { Episode, Message } from './episode';
import { callPart, episodeOf, messageOf } from './episode.fixtures';

interface Turn {
  text?: string;
  calls?: { name: string; args?: string; result?: string }[];
}

function episodeWith(turns: readonly Turn[], given: Partial<Episode> = {}): Episode {
  const messages: Message[] = [
    messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'Add.' }] }),
  ];
  turns.forEach(({ text = '', calls = [] }, step) => {
    const parts = calls.map(({ name, args = '{}' }, nth) => callPart(`${step}-${nth}`, name, args));
    messages.push(
      messageOf(messages.length, 'policy', { bornAtStep: step, parts: [{ kind: 'text', text }, ...parts] }),
    );
    calls.forEach(({ result }, nth) => {
      if (result === undefined) return;
      messages.push(
        messageOf(messages.length, 'environment', {
          bornAtStep: step,
          parts: [{ kind: 'text', text: result }],
          toolResultFor: [`${step}-${nth}`],
        }),
      );
    });
  });
  return episodeOf({ messages, steps: turns.map((_, index) => ({ index })), ...given });
}

const act = (tools: string, args = '', text = ''): Act => ({
  tools,
  calls: `${tools}(${args})`,
  whole: `${tools}(${args}) ${text}`,
});
const acts = fc.array(
  fc
    .tuple(fc.constantFrom('', 'a', 'b', 'c'), fc.constantFrom('1', '2'), fc.constantFrom('', 'x'))
    .map(([tools, args, text]) => act(tools, args, text)),
  { maxLength: 12 },
);

function sum(a: readonly Act[], b: readonly Act[]): number {
  return alignSteps(a, b).reduce((total, row) => {
    if (row.kind !== 'both') return total;
    const [one, other] = [a[row.a], b[row.b]];
    if (one === undefined || other === undefined || one.tools !== other.tools) return total;
    return total + (one.whole === other.whole ? 4 : one.calls === other.calls ? 3 : 2);
  }, 0);
}

describe('alignSteps', () => {
  test('every step of both stands in one row, in order', () => {
    fc.assert(
      fc.property(acts, acts, (a, b) => {
        const rows = alignSteps(a, b);
        expect(rows.flatMap((row) => (row.kind === 'b' ? [] : [row.a]))).toEqual(a.map((_, step) => step));
        expect(rows.flatMap((row) => (row.kind === 'a' ? [] : [row.b]))).toEqual(b.map((_, step) => step));
      }),
    );
  });

  test('the same steps stand side by side, however they are given', () => {
    fc.assert(
      fc.property(acts, acts, (a, b) => {
        expect(alignSteps(a, a).every((row) => row.kind === 'both' && row.a === row.b)).toBe(true);
        expect(sum(a, b)).toBe(sum(b, a));
      }),
    );
  });

  test('a step left out is a row of one episode, and what follows stands side by side again', () => {
    const steps = ['a', 'b', 'c', 'd', 'e'].map((name) => act(name));
    const rows = alignSteps(steps, steps.toSpliced(2, 1));
    expect(rows.filter(({ kind }) => kind !== 'both')).toEqual([{ kind: 'a', a: 2 }]);
  });

  test('many thousands of steps that drift apart are aligned by what happens once', () => {
    const long = Array.from({ length: 6000 }, (_, step) => act('read', String(step)));
    const drifted = long
      .flatMap((one, step) => (step % 50 === 0 ? [act('note', 'same'), one] : [one]))
      .slice(7);
    const rows = alignSteps(long, drifted);
    const equal = rows.filter((row) => row.kind === 'both' && long[row.a]?.whole === drifted[row.b]?.whole);
    expect(equal.length).toBe(5994);
  });
});

function add(args: string, result = '{"success": true}') {
  return { name: 'add', args, result };
}

/** The state after a step. */
function counted(step: number, count: number): Partial<Episode> {
  return { states: [{ step, value: { count } }] };
}

describe('compareEpisodes', () => {
  const base: Turn[] = [
    { text: 'First.', calls: [add('{"count": 2}')] },
    { calls: [add('{"count": 3}')] },
    { text: 'Done.' },
  ];

  test('an episode and itself are the same', () => {
    const found = compareEpisodes(episodeWith(base), episodeWith(base));
    expect(found).toMatchObject({ same: 3, rewards: { a: 1, b: 1 } });
    expect(found.first).toBeUndefined();
  });

  test.each([
    ['text', 0, [{ ...base[0], text: 'Other.' }, base[1], base[2]]],
    ['arguments', 1, [base[0], { calls: [add('{"count": 4}')] }, base[2]]],
    ['tool', 1, [base[0], { calls: [{ name: 'read', result: '{}' }] }, base[2]]],
    ['result', 1, [base[0], { calls: [add('{"count": 3}', '{"success": false}')] }, base[2]]],
    ['tool', 1, [base[0], { calls: [] }, base[2]]],
  ] satisfies [string, number, (Turn | undefined)[]][])(
    'the first difference: %s at step %d',
    (what, step, turns) => {
      const other = episodeWith(turns.map((turn) => turn ?? {}));
      const found = compareEpisodes(episodeWith(base), other);
      expect(found.first).toMatchObject({ what, row: step, steps: { a: step, b: step } });
      expect(found.first?.sentence).toMatch(/^Step \d: .*\.$/);
      expect(found.same).toBe(step);
    },
  );

  test('how JSON is spaced, and in which order its keys stand, is no difference', () => {
    const one = episodeWith([{ calls: [add('{"a": 1, "b": 2}', '{"x": 1.0}')] }]);
    const other = episodeWith([{ calls: [add('{"b":2,"a":1}', '{"x":1}')] }]);
    expect(compareEpisodes(one, other).first).toBeUndefined();
  });

  test('prompt and seed come before all steps', () => {
    const found = compareEpisodes(episodeWith(base, counted(-1, 1)), episodeWith(base, counted(-1, 2)));
    expect(found.first).toMatchObject({ what: 'state', row: -1, a: { count: 1 }, b: { count: 2 } });
    const asked = episodeWith(base);
    const [prompt, ...rest] = asked.messages;
    if (prompt === undefined) throw new Error('no prompt');
    const other = { ...asked, messages: [{ ...prompt, role: 'system' as const }, ...rest] };
    expect(compareEpisodes(asked, other).first).toMatchObject({ what: 'prompt', row: -1 });
  });

  test('state after a step, and reward at the end, where nothing else differs', () => {
    const states = compareEpisodes(episodeWith(base, counted(1, 1)), episodeWith(base, counted(1, 2)));
    expect(states.first).toMatchObject({ what: 'state', steps: { a: 1, b: 1 } });
    const failed = episodeWith(base, { outcome: { reward: 0, components: {} } });
    expect(compareEpisodes(episodeWith(base), failed).first).toMatchObject({ what: 'reward', a: 1, b: 0 });
  });

  test('an episode that goes on has steps of its own', () => {
    const found = compareEpisodes(episodeWith(base), episodeWith(base.slice(0, 2)));
    expect(found.first).toMatchObject({ what: 'step', row: 2, steps: { a: 2 } });
    expect(found.rows.at(-1)).toEqual({ kind: 'a', a: 2 });
  });
});
