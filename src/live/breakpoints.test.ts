import { describe, expect, test } from 'vitest';
import type { Breakpoint } from './breakpoints';
import { scriptedRun, shipped } from './live.fixtures';
import { parsePredicate, PredicateError } from './predicate';
import { localServer } from './server';

const state = {
  count: 5,
  name: 'builder',
  notes: [{ key: 'a' }, {}],
  open: false,
  none: null,
  'a b': 1,
  'x/y': 2,
};

describe('conditions', () => {
  test.each([
    ['/count > 3', true],
    ['/count >= 5 and /count <= 5', true],
    ['/count < 5', false],
    ['/count = 5', true],
    ['/count == 5', true],
    ['/count != 5', false],
    ['/name = "builder"', true],
    ['/name < "c"', true],
    ['/name > 3', false],
    ['/notes/0/key = "a"', true],
    ['/notes/2', false],
    ['size(/notes) = 2', true],
    ['size(/name) = 7', true],
    ['size(/count) = 1', false],
    ['/open', false],
    ['not /open', true],
    ['/none = null', true],
    ['/missing = null', false],
    ['/open or (/count > 1 and not /none)', true],
    ['/open or /open and /count', false],
    ['/x~1y = 2', true],
    ['/count > -1e1', true],
    ['/constructor', false],
    ['/', true],
  ])('%s: %s', (text, holds) => {
    expect(parsePredicate(text)(state)).toBe(holds);
  });

  test('of no state at all', () => {
    expect(parsePredicate('/count > 3')(undefined)).toBe(false);
    expect(parsePredicate('not /count')(undefined)).toBe(true);
  });

  test.each([
    ['', 0],
    ['/count >', 8],
    ['count > 3', 0],
    ['/count > 3 and', 14],
    ['(/count', 7],
    ['/count 3', 7],
    ['/count ~ 3', 7],
    ['size /count', 0],
    ['/a = "x', 5],
    [`${'('.repeat(2000)}/a`, 1000],
  ])('%j is none, and it says where', (text, at) => {
    try {
      parsePredicate(text);
      expect.fail('it was read');
    } catch (error) {
      expect(error).toBeInstanceOf(PredicateError);
      expect(error).toMatchObject({ at });
    }
  });

  test('999 brackets do not overflow the stack', () => {
    const inner = `${'('.repeat(498)}/a${')'.repeat(498)}`;
    expect(parsePredicate(inner)({ a: 1 })).toBe(true);
  });
});

/** Where a script stops with these, and why. */
async function stopsOf(script: string, ...breakpoints: Breakpoint[]): Promise<[number, string][]> {
  const run = await scriptedRun(shipped(script), { breakpoints });
  const stops: [number, string][] = [];
  for (;;) {
    await run.run();
    const { hit, status } = run.getSnapshot();
    if (hit !== undefined) stops.push([hit.step, hit.reason]);
    if (status === 'finished') return stops;
    expect(status).toBe('paused');
  }
}

describe('breakpoints', () => {
  test('a tool, before it is called', async () => {
    const run = await scriptedRun(shipped('counter-success'), {
      breakpoints: [{ id: '1', kind: 'tool', name: 'get_counter_value' }],
    });
    await run.run();
    expect(run.getSnapshot()).toMatchObject({
      status: 'paused',
      state: 'PROCESSING_TOOLS',
      hit: { step: 1, reason: 'get_counter_value is about to be called.' },
    });
    await run.run();
    expect(run.getSnapshot()).toMatchObject({ status: 'finished' });
    expect(run.getSnapshot().hit).toBeUndefined();
  });

  test('a place of the state that changes', async () => {
    expect(await stopsOf('counter-double-increment', { id: '1', kind: 'state', pointer: '/count' })).toEqual([
      [0, '/count was added.'],
      [0, '/count changed from 3 to 5.'],
      [1, '/count changed from 5 to 7.'],
    ]);
  });

  test('a condition, when it becomes true', async () => {
    const found = await stopsOf('counter-double-increment', {
      id: '1',
      kind: 'condition',
      text: '/count > 4',
    });
    expect(found).toEqual([[0, '/count > 4 is true now.']]);
  });

  test('a delete', async () => {
    const found = await stopsOf('document-scan-and-delete', { id: '1', kind: 'delete' });
    expect(found.map(([step]) => step)).toEqual([2, 4, 7]);
  });

  test('a budget of tokens, when the context reaches it', async () => {
    const run = await scriptedRun(shipped('document-scan-and-delete'));
    await run.run();
    const most = run.getSnapshot().contextTokens;
    const found = await stopsOf('document-scan-and-delete', {
      id: '1',
      kind: 'budget',
      tokens: Math.floor(most / 2),
    });
    expect(found.length).toBeGreaterThan(0);
    expect(await stopsOf('document-scan-and-delete', { id: '1', kind: 'budget', tokens: 1_000_000 })).toEqual(
      [],
    );
  });

  test('an error, and none where it is switched off', async () => {
    const breakpoint = { id: '1', kind: 'error' } as const;
    expect(await stopsOf('weather-wrong-argument', breakpoint)).toEqual([
      [0, 'The server answered 422 to get_weather.'],
    ]);
    expect(await stopsOf('weather-wrong-argument', { ...breakpoint, enabled: false })).toEqual([]);
    expect(await stopsOf('weather-success', breakpoint)).toEqual([]);
  });

  test('a finding of lint, each once', async () => {
    const one = shipped('counter-success');
    const server = localServer(one.environment, { mistakes: { drop_cookies: true } });
    const run = await scriptedRun(one, { server, breakpoints: [{ id: '1', kind: 'finding' }] });
    const reasons = new Set<string>();
    while (run.getSnapshot().status !== 'finished') {
      await run.run();
      const { hit } = run.getSnapshot();
      if (hit === undefined) continue;
      expect(reasons.has(hit.reason)).toBe(false);
      reasons.add(hit.reason);
    }
    expect(reasons.size).toBeGreaterThan(0);
  });

  test('a condition that cannot be read leaves the others as they are', async () => {
    const run = await scriptedRun(shipped('counter-success'), { breakpoints: [{ id: '1', kind: 'delete' }] });
    expect(() => run.setBreakpoints([{ id: '2', kind: 'condition', text: '/count >' }])).toThrow(
      PredicateError,
    );
    expect(run.getSnapshot().breakpoints).toEqual([{ id: '1', kind: 'delete' }]);
  });
});
