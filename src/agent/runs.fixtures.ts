import * as fc from 'fast-check';
import type { JsonObject } from '../model';
import type { LoopConfig } from './config';
import type { ScriptedEmission } from './policies/scripted';
import { STATELM } from './loop.fixtures';

/** Random runs: scripts with calls that succeed, fail and delete, and configurations that let them run to some end. */
export interface PlannedRun {
  script: ScriptedEmission[];
  config: LoopConfig;
  /** Steps that the environment answers with a user turn, by number; others end the run. */
  userTurns: boolean;
  prompt: { role: 'system' | 'user'; text: string }[];
}

const texts = fc.constantFrom(
  '',
  'think',
  '  spaced \n',
  'é中😀\u3000',
  '<|im_end|>',
  '{"a": 1.0}',
  '\ud800',
);

const args = (value: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject | string> => value;

const calls = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant('read'),
      arguments: args(fc.record({ n: fc.nat(9), text: texts }, { noNullPrototype: true })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constant('note'),
      arguments: args(
        fc.record({ key: fc.constantFrom('a', 'b'), summary: texts, content: fc.constant('c') }),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant('deleteContext'),
      arguments: args(
        fc.oneof(
          fc
            .array(fc.integer({ min: -2, max: 14 }), { maxLength: 3 })
            .map((message_ids) => ({ message_ids })),
          fc.integer({ min: -2, max: 14 }).map((msg_id) => ({ msg_id })),
          fc.constant({ message_ids: 'none' }),
        ),
      ),
    }),
  },
  fc.record({
    name: fc.constantFrom('checkBudget', 'getContextStats', 'nobody', 'fail', 'finish'),
    arguments: fc.constantFrom<JsonObject | string>({}, '{', '[]', ''),
  }),
);

const emissions: fc.Arbitrary<ScriptedEmission> = fc.record({
  text: texts,
  toolCalls: fc.array(calls, { minLength: 1, maxLength: 4 }),
});

export const plannedRuns: fc.Arbitrary<PlannedRun> = fc.record({
  script: fc.array(fc.oneof({ weight: 6, arbitrary: emissions }, fc.constant({ text: 'so' })), {
    minLength: 1,
    maxLength: 7,
  }),
  config: fc
    .record(
      {
        statelm_enabled: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
        dialect: fc.oneof(
          { weight: 3, arbitrary: fc.constant('rl' as const) },
          fc.constant('inference' as const),
        ),
        delete_assistant_tool_call_only: fc.boolean(),
        max_model_length: fc.constantFrom(100_000, 9_000),
        response_length: fc.constantFrom(50_000, 3_000, 900),
        max_assistant_turns: fc.constantFrom(null, 5),
        max_user_turns: fc.constantFrom(null, 4),
        max_tool_response_length: fc.constantFrom(2000, 25),
        tool_response_truncate_side: fc.constantFrom('left' as const, 'right' as const, 'middle' as const),
      },
      { noNullPrototype: true },
    )
    .map((given) => ({ ...STATELM, ...given })),
  userTurns: fc.boolean(),
  prompt: fc.constantFrom(
    [{ role: 'user', text: 'Where is it?' }],
    [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Where is it?' },
    ],
  ),
});
