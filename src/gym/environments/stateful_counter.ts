import * as v from 'valibot';
import { defineEnvironment, tool } from '../environment';
import { RequestError } from '../errors';
import { episodeFields, integer, task } from './nemo';

const State = v.object({ count: v.number() });
type State = v.InferOutput<typeof State>;

const increment = tool({
  name: 'increment_counter',
  description: 'Add an amount to the counter.',
  parameters: v.object({ count: integer('How much to add.') }),
  result: v.object({ success: v.boolean() }),
  run: (state: State, { count }) => {
    const sum = state.count + count;
    if (!Number.isSafeInteger(sum)) {
      throw new RequestError(422, [
        { type: 'value_error', loc: ['body', 'count'], msg: 'The counter would overflow' },
      ]);
    }
    return { state: { count: sum }, result: { success: true } };
  },
});

const read = tool({
  name: 'get_counter_value',
  description: 'The value of the counter.',
  parameters: v.object({}),
  result: v.object({ count: v.number() }),
  readOnly: true,
  run: (state: State) => ({ result: { count: state.count } }),
});

export const statefulCounter = defineEnvironment({
  name: 'stateful_counter',
  serverName: 'StatefulCounterResourcesServer',
  title: 'Stateful counter',
  description:
    'A counter that lives on the server. The seed sets it, the policy adds to it, the verifier looks at it.',
  state: State,
  initial: () => ({ count: 0 }),
  seed: {
    schema: v.looseObject({ initial_count: integer('Where the counter starts.') }),
    state: ({ initial_count }) => ({ count: initial_count }),
  },
  tools: [increment, read],
  verify: {
    schema: v.looseObject({
      ...episodeFields,
      expected_count: integer('What the counter should be at the end.'),
    }),
    judge: (state, { expected_count }) => ({ reward: state.count === expected_count ? 1 : 0 }),
  },
  tasks: [
    task('Add 2 to the counter and tell me its value.', { initial_count: 3, expected_count: 5 }),
    task('Add 7, then add 8, then tell me the count.', { initial_count: 9, expected_count: 24 }),
    task('Take 4 away from the counter, then read it.', { initial_count: 10, expected_count: 6 }),
  ],
  scripts: [
    {
      name: 'counter-success',
      title: 'Two steps, one counter',
      description:
        'The policy increments, reads the value back and reports it. The server kept the count between the calls.',
      task: 0,
      emissions: [
        { text: 'I will add 2 first.', toolCalls: [{ name: 'increment_counter', arguments: { count: 2 } }] },
        { text: '', toolCalls: [{ name: 'get_counter_value', arguments: {} }] },
        { text: 'The counter is now 5.', toolCalls: [] },
      ],
      expect: { reward: 1 },
    },
    {
      name: 'counter-double-increment',
      title: 'Added twice',
      description:
        'The policy is not sure that its first call worked and adds again. It reports what the task asked for, but the counter on the server says otherwise: reward 0.',
      task: 0,
      emissions: [
        { text: 'Adding 2.', toolCalls: [{ name: 'increment_counter', arguments: { count: 2 } }] },
        {
          text: 'To be safe, I add it again.',
          toolCalls: [{ name: 'increment_counter', arguments: { count: 2 } }],
        },
        { text: '', toolCalls: [{ name: 'get_counter_value', arguments: {} }] },
        { text: 'The counter is now 5.', toolCalls: [] },
      ],
      expect: { reward: 0 },
    },
  ],
  checklist: {
    name: 'stateful_counter',
    stateful: true,
    seed: { initial_count: 3 },
    otherSeed: { initial_count: 100 },
    write: { path: '/increment_counter', body: { count: 2 } },
    read: { path: '/get_counter_value', body: {}, at: 'count' },
    seen: { seeded: 3, written: 5, otherSeeded: 100, concurrent: { writes: 12, value: 27 } },
    verify: { body: { expected_count: 5 }, reward: 1 },
  },
});
