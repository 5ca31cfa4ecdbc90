import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nested } from '../damage.fixtures';
import { asksTheSame, groupOf, joinInputs, joinKeys, taskFields } from './join';

type Item = Record<string, unknown>;

function task(text: string, fields: Item = {}): Item {
  return { responses_create_params: { input: [{ role: 'user', content: text }] }, ...fields };
}

function rollout(text: string, fields: Item = {}): Item {
  const item = { role: 'user', content: text, type: 'message' };
  return { responses_create_params: { input: [item] }, response: { output: [] }, reward: 1, ...fields };
}

function asking(input: unknown): Item {
  return { responses_create_params: { input } };
}

function rolloutId(value: Item): string | undefined {
  return joinKeys(value).rolloutId;
}

const inputs = [task('add 1', { initial_count: 3 }), task('add 4', { initial_count: 6 })];

describe('the input of a rollout', () => {
  test('is found by what was asked where there are no indices', () => {
    expect(joinInputs([rollout('add 4'), rollout('add 1'), rollout('add 9')], inputs)).toEqual([
      { input: 1, by: 'input', alike: [], differs: false },
      { input: 0, by: 'input', alike: [], differs: false },
      undefined,
    ]);
  });

  test.each<[string, unknown, unknown]>([
    ['a text and a list of one message', 'add 1', [{ role: 'user', content: 'add 1' }]],
    [
      'a text and a list of one part',
      [{ role: 'user', content: 'add 1' }],
      [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'add 1' }] }],
    ],
    [
      'an item and one with an id and a status',
      [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }],
      [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', id: 'x', status: 'completed' }],
    ],
  ])('is the same request: %s', (_, a, b) => {
    expect(joinInputs([asking(a)], [asking(b)])[0]?.by).toBe('input');
    expect(joinInputs([asking(b)], [asking(a)])[0]?.by).toBe('input');
  });

  test.each<[string, unknown, unknown]>([
    ['another role', [{ role: 'user', content: 'x' }], [{ role: 'system', content: 'x' }]],
    [
      'two parts and their texts in one',
      [{ role: 'user', content: ['a', 'b'] }],
      [{ role: 'user', content: 'ab' }],
    ],
    [
      'another order',
      [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
      [
        { role: 'user', content: 'b' },
        { role: 'user', content: 'a' },
      ],
    ],
  ])('is not the same request: %s', (_, a, b) => {
    expect(joinInputs([asking(a)], [asking(b)])).toEqual([undefined]);
  });

  test('is found where the agent added an observation to the request', () => {
    const observed = rollout('deal');
    observed['responses_create_params'] = {
      input: [
        { role: 'user', content: 'deal', type: 'message' },
        { role: 'user', content: 'your hand: 8, 5', type: 'message' },
      ],
    };
    expect(joinInputs([observed], [task('deal')])[0]).toMatchObject({ input: 0, by: 'beginning' });
  });

  test('is found by index before anything else, and said to ask for something else', () => {
    const numbered = [
      task('add 4', { _ng_task_index: 0, _ng_rollout_index: 0 }),
      task('add 1', { _ng_task_index: 0, _ng_rollout_index: 1 }),
    ];
    const found = joinInputs([rollout('add 1', { _ng_task_index: 0, _ng_rollout_index: 0 })], numbered);
    expect(found).toEqual([{ input: 0, by: 'index', alike: [], differs: true }]);
  });

  test('is not one of another index, whatever it asks', () => {
    const other = task('add 1', { _ng_task_index: 7, _ng_rollout_index: 0 });
    expect(joinInputs([rollout('add 1', { _ng_task_index: 0, _ng_rollout_index: 0 })], [other])).toEqual([
      undefined,
    ]);
  });

  test('of a task that has an index and no rollouts counted', () => {
    const found = joinInputs(
      [rollout('add 1', { _ng_task_index: 5, _ng_rollout_index: 2 })],
      [task('add 1', { _ng_task_index: 5 })],
    );
    expect(found[0]?.by).toBe('index');
  });

  test('of several that ask the same is the one whose other fields are those of the rollout', () => {
    const twins = [task('sum', { expected: 1 }), task('sum', { expected: 2 }), task('sum', { expected: 2 })];
    expect(joinInputs([rollout('sum', { expected: 2 }), rollout('sum')], twins)).toEqual([
      { input: 1, by: 'input', alike: [2], differs: false },
      { input: 0, by: 'input', alike: [1, 2], differs: false },
    ]);
  });

  test('is the first that says the same, as comparing all with all would find it', () => {
    const text = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(fc.array(text), fc.array(text), (asked, tasks) => {
        const found = joinInputs(
          asked.map((each) => rollout(each)),
          tasks.map((each) => task(each)),
        );
        expect(found.map((each) => each?.input ?? -1)).toEqual(asked.map((each) => tasks.indexOf(each)));
      }),
    );
  });
});

test('keys of any JSON are found without an error', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const params = { responses_create_params: { input: a }, _ng_task_index: b, sample: b };
      expect(joinInputs([params, a], [b, params])).toHaveLength(2);
    }),
  );
  const deep = { responses_create_params: { input: [{ role: 'user', content: [nested(20_000)] }] } };
  expect(joinKeys(deep).prints).toHaveLength(1);
});

test('what captured calls are filed under', () => {
  expect(rolloutId({ _ng_task_index: 3, _ng_rollout_index: 0 })).toBe('3-0');
  expect(rolloutId({ _ng_task_index: 3, _ng_rollout_index: 0, _ng_attempt_index: 1 })).toBe('3-0-a1');
  expect(rolloutId({ _ng_task_index: 3, _ng_rollout_index: 0, _ng_rollout_id: 'r' })).toBe('r');
  expect(rolloutId({ _ng_task_index: 3 })).toBeUndefined();
});

test('a task holds its seed and expected values beside the request', () => {
  const record = { ...task('x', { initial_count: 3, _ng_task_index: 0 }), agent_ref: { name: 'a' } };
  expect(taskFields(record)).toEqual({ initial_count: 3 });
  expect(taskFields([1])).toEqual({});
});

test('a profile is joined by its sample, and statistics by the group of the task', () => {
  const profile = joinKeys({ 'mean/reward': 1, sample: task('add 1', { agent_ref: { name: 'a' } }) });
  expect(profile.agent).toBe('a');
  expect(asksTheSame(profile, joinKeys(rollout('add 1')))).toBe(true);
  expect(asksTheSame(profile, joinKeys(rollout('add 2')))).toBe(false);
  const groups = { group_level_metrics: [{ _ng_task_index: 4 }, { _ng_task_index: 5, 'mean/reward': 0 }] };
  expect(groupOf(groups, joinKeys({ _ng_task_index: 5 }))).toEqual({ _ng_task_index: 5, 'mean/reward': 0 });
  expect(groupOf(groups, joinKeys({}))).toBeUndefined();
});
