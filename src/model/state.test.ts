import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { episodeOf } from './episode.fixtures';
import type { Exchange, SessionState } from './exchange';
import { sameValue, valueAtPointer, ValueNumbers } from './json-value';
import { sessionBreak, stateAt, stateChanges, stepThatChanged, type StateChange } from './state';

/** JSON with few keys and values, so that two of them are often alike; `__proto__` is a key like any other. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(0, 1, '', 'a', null, true),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0', 'a/b', '~', '__proto__'), tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Carries changes out again, last first, so that pointers into lists stay true. */
function applied(before: unknown, changes: readonly StateChange[]): unknown {
  const root: { state: unknown } = { state: structuredClone(before) };
  const removed = changes.filter(({ kind }) => kind === 'removed').reverse();
  const others = changes.filter(({ kind }) => kind !== 'removed');
  for (const change of [...removed, ...others]) {
    const keys = `/state${change.pointer}`
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    const holder = keys.reduce<unknown>(
      (found, key) => Object.getOwnPropertyDescriptor(found, key)?.value,
      root,
    );
    if (typeof holder !== 'object' || holder === null) throw new Error(`Nothing holds ${change.pointer}.`);
    if (change.kind === 'removed') {
      if (Array.isArray(holder)) holder.splice(Number(last), 1);
      else Reflect.deleteProperty(holder, last);
    } else if (change.kind === 'added' && Array.isArray(holder)) holder.splice(Number(last), 0, change.after);
    else
      Object.defineProperty(holder, last, {
        value: change.after,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return root.state;
}

function nested(end: unknown): unknown {
  let value = end;
  for (let depth = 0; depth < 100_000; depth++) value = depth % 2 === 0 ? [value] : { a: value, b: depth };
  return value;
}

function exchange(given: { cookie?: string; session?: string; sets?: string; path?: string }): Exchange {
  return {
    step: 0,
    purpose: 'call',
    request: {
      method: 'POST',
      url: `http://host${given.path ?? '/tool'}?x=1`,
      headers: [],
      ...(given.cookie === undefined ? {} : { cookie: given.cookie }),
    },
    response: {
      status: 200,
      headers: [],
      setCookies: given.sets === undefined ? [] : [given.sets],
      body: '',
    },
    ...(given.session === undefined ? {} : { session: given.session }),
  };
}

describe('stateChanges', () => {
  test('carried out on what was before, they give what is after', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(sameValue(applied(before, stateChanges(before, after)), after)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('there are none exactly where both are the same', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(stateChanges(before, after).length === 0).toBe(sameValue(before, after));
        expect(stateChanges(before, structuredClone(before))).toEqual([]);
      }),
    );
  });

  test('pointers say where the values stand', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        for (const change of stateChanges(before, after)) {
          if (change.kind === 'removed') expect(valueAtPointer(before, change.pointer)).toBe(change.before);
          else expect(valueAtPointer(after, change.pointer)).toBe(change.after);
        }
      }),
    );
  });

  test('one item put into a list is one change', () => {
    expect(stateChanges({ count: 3, log: ['a', 'c'] }, { count: 5, log: ['a', 'b', 'c'] })).toEqual([
      { kind: 'changed', pointer: '/count', before: 3, after: 5 },
      { kind: 'added', pointer: '/log/1', after: 'b' },
    ]);
  });

  test('a state that comes or goes is one change of the whole', () => {
    expect(stateChanges(undefined, { a: 1 })).toEqual([{ kind: 'added', pointer: '', after: { a: 1 } }]);
    expect(stateChanges({ a: 1 }, undefined)).toEqual([{ kind: 'removed', pointer: '', before: { a: 1 } }]);
  });

  test('what is nested 100,000 deep is compared all the same', () => {
    expect(stateChanges(nested(1), nested(1))).toEqual([]);
    const [change, ...more] = stateChanges(nested(1), nested(2));
    expect(more).toEqual([]);
    expect(change?.kind).toBe('changed');
  });

  test('a long list with one item changed is not compared with itself again and again', () => {
    const long = Array.from({ length: 20_000 }, (_, index) => ({ index, name: `item ${index}` }));
    const after = long.with(10_000, { index: -1, name: 'item 10000' });
    expect(stateChanges(long, after)).toEqual([
      { kind: 'changed', pointer: '/10000/index', before: 10_000, after: -1 },
    ]);
  });
});

test('values have the same number exactly where they are the same', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      const numbers = new ValueNumbers();
      expect(numbers.numberOf(one) === numbers.numberOf(other)).toBe(sameValue(one, other));
    }),
  );
});

describe('states over an episode', () => {
  const states: SessionState[] = [
    { step: -1, value: { count: 3 } },
    { step: 1, value: { count: 4 } },
    { step: 1, value: { count: 6 } },
    { step: 4, value: { count: 6, seen: true } },
  ];
  const episode = episodeOf({ states, steps: Array.from({ length: 6 }, (_, index) => ({ index })) });

  test('the state after a step is the last one by then', () => {
    const counts = [-2, -1, 0, 1, 2, 3, 4, 5].map((step) => stateAt(episode, step)?.value);
    expect(counts).toEqual([
      undefined,
      ...[3, 3, 6, 6, 6].map((count) => ({ count })),
      { count: 6, seen: true },
      { count: 6, seen: true },
    ]);
    expect(stateAt(episodeOf({}), 3)).toBeUndefined();
  });

  test('the step that changed a place, before and behind', () => {
    expect(stepThatChanged(episode, '/count', 5, 'backward')).toBe(1);
    expect(stepThatChanged(episode, '/count', 0, 'backward')).toBe(-1);
    expect(stepThatChanged(episode, '/count', 1, 'forward')).toBeUndefined();
    expect(stepThatChanged(episode, '/seen', -1, 'forward')).toBe(4);
    expect(stepThatChanged(episode, '/seen', 3, 'backward')).toBeUndefined();
    expect(stepThatChanged(episode, '', 5, 'backward')).toBe(4);
    expect(stepThatChanged(episode, '/nowhere', 5, 'backward')).toBeUndefined();
  });
});

describe('sessionBreak', () => {
  const first = exchange({ session: 'a', sets: 's=a', path: '/seed_session' });

  test('one session is no break', () => {
    expect(sessionBreak([])).toBeUndefined();
    expect(sessionBreak([first, exchange({ session: 'a', cookie: 's=a' })])).toBeUndefined();
  });

  test.each([
    ['lost', exchange({ session: 'b', sets: 's=b' }), /carried no cookie.*seed_session/],
    ['replaced', exchange({ session: 'b', cookie: 's=b' }), /another cookie/],
    ['not accepted', exchange({ session: 'b', cookie: 's=a', sets: 's=b' }), /did not accept/],
  ])('the cookie was %s', (_, second, why) => {
    const found = sessionBreak([first, exchange({ session: 'a', cookie: 's=a' }), second, second]);
    expect(found).toMatchObject({ exchange: 2, before: 'a', after: 'b' });
    expect(found?.reason).toMatch(why);
  });

  test('a server whose sessions cannot be told: the cookie is not sent back', () => {
    const set = exchange({ sets: 'x=1' });
    expect(sessionBreak([set, exchange({ cookie: 'x=1' }), exchange({})])).toMatchObject({ exchange: 2 });
    expect(sessionBreak([exchange({}), exchange({})])).toBeUndefined();
  });

  test('a request without an answer says nothing about sessions', () => {
    const { response: _, ...unanswered } = exchange({});
    expect(
      sessionBreak([first, { ...unanswered, error: 'gone' }, exchange({ session: 'a', cookie: 's=a' })]),
    ).toBeUndefined();
  });
});
