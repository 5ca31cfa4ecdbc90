import * as v from 'valibot';
import { defineEnvironment, tool } from '../environment';
import { RequestError } from '../errors';
import { episodeFields, integer, task } from './nemo';

const Operation = v.object({
  operation: v.picklist(['load', 'add', 'multiply']),
  operand: v.number(),
  before: v.number(),
});
const State = v.object({
  register: v.number(),
  /** What was done and not undone. */
  history: v.array(Operation),
  /** All operations count, undone ones and undoing too: taking back is not free. */
  operations: v.number(),
});
type State = v.InferOutput<typeof State>;
type OperationName = v.InferOutput<typeof Operation>['operation'];

const result = v.object({ register: v.number(), operations: v.number() });

function operation(
  name: OperationName,
  description: string,
  apply: (register: number, operand: number) => number,
) {
  return tool({
    name,
    description,
    parameters: v.object({ value: integer('The operand.') }),
    result,
    run: (state: State, { value }) => {
      const register = apply(state.register, value);
      if (!Number.isSafeInteger(register)) {
        throw new RequestError(422, [
          { type: 'value_error', loc: ['body', 'value'], msg: 'The register would overflow' },
        ]);
      }
      const operations = state.operations + 1;
      return {
        state: {
          register,
          history: [...state.history, { operation: name, operand: value, before: state.register }],
          operations,
        },
        result: { register, operations },
      };
    },
  });
}

const undo = tool({
  name: 'undo',
  description: 'Take back the last operation. Counts as an operation itself.',
  parameters: v.object({}),
  result: v.union([result, v.object({ error: v.string() })]),
  run: (state: State) => {
    const last = state.history.at(-1);
    if (last === undefined) return { result: { error: 'There is nothing to undo.' } };
    const operations = state.operations + 1;
    return {
      state: { register: last.before, history: state.history.slice(0, -1), operations },
      result: { register: last.before, operations },
    };
  },
});

const read = tool({
  name: 'read',
  description: 'The register, and how many operations were used.',
  parameters: v.object({}),
  result,
  readOnly: true,
  run: ({ register, operations }: State) => ({ result: { register, operations } }),
});

export const multiStepMath = defineEnvironment({
  name: 'multi_step_math',
  serverName: 'MultiStepMathResourcesServer',
  title: 'Multi-step math',
  description:
    'A register machine with a history. The verifier wants the right value within the allowed number of operations.',
  state: State,
  initial: (): State => ({ register: 0, history: [], operations: 0 }),
  seed: {
    schema: v.looseObject({ initial_value: v.optional(integer('What the register starts with.'), 0) }),
    state: ({ initial_value }) => ({ register: initial_value, history: [], operations: 0 }),
  },
  tools: [
    operation('load', 'Put a value into the register.', (_register, operand) => operand),
    operation('add', 'Add a value to the register.', (register, operand) => register + operand),
    operation('multiply', 'Multiply the register by a value.', (register, operand) => register * operand),
    undo,
    read,
  ],
  verify: {
    schema: v.looseObject({
      ...episodeFields,
      expected_value: integer('What the register should be.'),
      max_operations: v.optional(v.pipe(integer('How many operations are allowed.'), v.minValue(0))),
    }),
    judge: ({ register, operations }, { expected_value, max_operations }) => {
      const correct = register === expected_value;
      const withinLimit = operations <= (max_operations ?? Infinity);
      return {
        reward: correct && withinLimit ? 1 : 0,
        register,
        operations,
        correct,
        within_limit: withinLimit,
      };
    },
  },
  tasks: [
    task('Starting from 4, make (4 + 6) * 3 with at most 2 operations.', {
      initial_value: 4,
      expected_value: 30,
      max_operations: 2,
    }),
    task('Compute 7 * 8 - 6 with at most 3 operations.', {
      initial_value: 0,
      expected_value: 50,
      max_operations: 3,
    }),
  ],
  scripts: [
    {
      name: 'math-success',
      title: 'Two operations, in order',
      description: 'Add, then multiply: the right value within the limit.',
      task: 0,
      emissions: [
        { text: 'First the sum.', toolCalls: [{ name: 'add', arguments: { value: 6 } }] },
        { text: 'Now three times that.', toolCalls: [{ name: 'multiply', arguments: { value: 3 } }] },
        { text: '', toolCalls: [{ name: 'read', arguments: {} }] },
        { text: 'The result is 30.', toolCalls: [] },
      ],
      expect: { reward: 1 },
    },
    {
      name: 'math-over-limit',
      title: 'Right value, too many operations',
      description:
        'The policy multiplies first, sees its mistake, undoes it and gets to 30 after all. The history on the server counted every operation: reward 0.',
      task: 0,
      emissions: [
        { text: 'Multiply by 3.', toolCalls: [{ name: 'multiply', arguments: { value: 3 } }] },
        { text: 'That was the wrong order. Undo.', toolCalls: [{ name: 'undo', arguments: {} }] },
        { text: 'Add 6.', toolCalls: [{ name: 'add', arguments: { value: 6 } }] },
        { text: 'Multiply by 3.', toolCalls: [{ name: 'multiply', arguments: { value: 3 } }] },
        { text: 'The result is 30.', toolCalls: [] },
      ],
      expect: { reward: 0 },
    },
  ],
  checklist: {
    name: 'multi_step_math',
    stateful: true,
    seed: { initial_value: 3 },
    otherSeed: { initial_value: 500 },
    write: { path: '/add', body: { value: 4 } },
    read: { path: '/read', body: {}, at: 'register' },
    seen: { seeded: 3, written: 7, otherSeeded: 500, concurrent: { writes: 12, value: 51 } },
    verify: { body: { expected_value: 7 }, reward: 1 },
  },
});
