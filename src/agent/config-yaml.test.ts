import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_CONFIG, type LoopConfig } from './config';
import { readConfig, writeConfig } from './config-yaml';

const lengths = fc.integer({ min: 1, max: 1_000_000 });
const configs: fc.Arbitrary<LoopConfig> = fc.record({
  statelm_enabled: fc.boolean(),
  dialect: fc.constantFrom('rl', 'inference'),
  delete_assistant_tool_call_only: fc.boolean(),
  max_model_length: lengths,
  context_length_penalty: fc.double({ noNaN: true, noDefaultInfinity: true }),
  prompt_length: lengths,
  response_length: lengths,
  max_assistant_turns: fc.option(lengths),
  max_user_turns: fc.option(lengths),
  max_parallel_calls: lengths,
  max_tool_response_length: lengths,
  tool_response_truncate_side: fc.constantFrom('left', 'right', 'middle'),
});

test('what is written is read', async () => {
  await fc.assert(
    fc.asyncProperty(configs, async (config) => {
      const { context_length_penalty, ...rest } = { ...config };
      const read = await readConfig(writeConfig(config));
      expect(read.problems).toEqual([]);
      expect(read.config).toEqual({ ...rest, context_length_penalty: context_length_penalty + 0 });
      expect(read.given).toEqual(read.config);
    }),
  );
});

test("the seed's file is read as it stands, and the rest of it left alone", async () => {
  const yaml = `
actor_rollout_ref:
  model: { path: somewhere }
  rollout:
    name: sglang
    max_model_length: 8192  # New: maximum context length
    multi_turn:
      enable: true
      statelm_enabled: true  # New: enable StateLM features
      context_length_penalty: -0.5
trainer: [1, 2]
`;
  const { config, given, problems } = await readConfig(yaml);
  expect(problems).toEqual([]);
  expect(given).toEqual({ max_model_length: 8192, statelm_enabled: true, context_length_penalty: -0.5 });
  expect(config).toEqual({ ...DEFAULT_CONFIG, ...given });
});

test('what is wrong is told with its place, and stays as it was', async () => {
  const yaml = `actor_rollout_ref:
  rollout:
    max_model_length: -1
    response_length: 100
    multi_turn:
      statelm_enabled: "yes"
      max_user_turns: null
      max_parallel_calls: [3]
      tool_response_truncate_side: both
`;
  const { config, problems } = await readConfig(yaml);
  expect(problems).toEqual([
    {
      line: 3,
      path: 'actor_rollout_ref.rollout.max_model_length',
      message: 'max_model_length must be a whole number from 1.',
    },
    {
      line: 6,
      path: 'actor_rollout_ref.rollout.multi_turn.statelm_enabled',
      message: 'statelm_enabled must be true or false.',
    },
    {
      line: 8,
      path: 'actor_rollout_ref.rollout.multi_turn.max_parallel_calls',
      message: 'max_parallel_calls must be a whole number from 1.',
    },
    {
      line: 9,
      path: 'actor_rollout_ref.rollout.multi_turn.tool_response_truncate_side',
      message: 'tool_response_truncate_side must be left, right, middle.',
    },
  ]);
  expect(config).toEqual({ ...DEFAULT_CONFIG, response_length: 100, max_user_turns: null });
});

test.each([
  ['a: [', /^This is not YAML/],
  ['just text', /no actor_rollout_ref\.rollout/],
  ['', /no actor_rollout_ref\.rollout/],
  [
    'a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]',
    /alias/,
  ],
])('%j is no configuration', async (yaml, message) => {
  const { config, given, problems } = await readConfig(yaml);
  expect(config).toEqual(DEFAULT_CONFIG);
  expect(given).toEqual({});
  expect(problems[0]?.message).toMatch(message);
});
