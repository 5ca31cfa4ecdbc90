import * as fc from 'fast-check';
import type { Fixture } from '../harness.fixtures';

type Row = Record<string, unknown>;

/** A turn by its number of tokens, and whether the policy made it. */
export interface Turn {
  length: number;
  isPolicy: boolean;
}

/** A row with these turns: the first token of each is the template's, and `padding` tokens follow the last. */
export function trainRow(turns: readonly Turn[], texts: readonly string[], padding = 0, more: Row = {}): Row {
  const mask = turns.flatMap(({ length, isPolicy }) => [
    0,
    ...Array.from({ length }, () => (isPolicy ? 1 : 0)),
  ]);
  const padded = [...mask, ...Array.from({ length: padding }, () => 0)];
  const over = (number: (nth: number) => number): number[][] => [
    padded.map((one, nth) => (one === 1 ? number(nth) : 0)),
  ];
  return {
    agent_ref: [{ name: 'simple_agent' }],
    content: [texts],
    rewards: [1],
    input_lengths: [mask.length],
    token_ids: [padded.map((_, nth) => (nth < mask.length ? 100 + nth : 0))],
    token_loss_mask: [padded],
    sample_loss_mask: [1],
    advantages: over(() => 0.5),
    generation_logprobs: over((nth) => -nth / 64),
    prev_logprobs: over((nth) => -nth / 32),
    idx: 3,
    ...more,
  };
}

/** A question and then, in turn, the policy and what answers it. */
export const turnLists = fc
  .record({
    prompt: fc.nat(4),
    rounds: fc.array(fc.record({ said: fc.integer({ min: 1, max: 5 }), answer: fc.nat(3) }), {
      minLength: 1,
      maxLength: 4,
    }),
    endsWithPolicy: fc.boolean(),
  })
  .map(({ prompt, rounds, endsWithPolicy }) => {
    const turns = rounds.flatMap(({ said, answer }) => [
      { length: said, isPolicy: true },
      { length: answer, isPolicy: false },
    ]);
    return [{ length: prompt, isPolicy: false }, ...(endsWithPolicy ? turns.slice(0, -1) : turns)];
  });

const user: Turn = { length: 3, isPolicy: false };
const policy: Turn = { length: 2, isPolicy: true };

const rows = {
  'texts without roles': trainRow(
    [user, policy, user, policy],
    ['2+2?', '<think>hm</think>4', 'Sure?', 'Yes.'],
    3,
  ),
  'a system prompt': trainRow([user, user, policy], ['Count.', '2+2?', '4']),
  'a last word of the environment': trainRow([user, policy, user], ['2+2?', '4', 'Right.']),
  'a rollout of NeMo Gym': trainRow([user, policy, user, policy], ['', '', '', '']),
  'texts that do not fit the mask': trainRow([user, policy], ['a', 'b', 'c', 'd', 'e']),
  'a mask without a 1': trainRow([user, { length: 2, isPolicy: false }], ['2+2?', '4'], 0, {
    sample_loss_mask: [0],
  }),
  'no content': trainRow([user, policy], [], 0, { content: undefined }),
  'a mask of another length': trainRow([user, policy], ['2+2?', '4'], 0, {
    token_loss_mask: [[0, 0, 0, 0, 0, 1, 1, 1]],
  }),
  'token ids that are none': trainRow([user, policy], ['2+2?', '4'], 0, { token_ids: [['a']] }),
  'filtered rewards': trainRow([user, policy], ['2+2?', '4'], 0, {
    rewards: [null],
    filtered_rewards: [0.5],
  }),
  validation: {
    content: [
      [
        { role: 'user', content: '2+2?' },
        { role: 'assistant', content: '4' },
        { role: 'environment', content: 'Right.' },
      ],
    ],
    rewards: [1],
    idx: 0,
  },
  'messages with their tokens': trainRow([user, policy], [], 0, {
    content: [
      [
        { role: 'user', content: '2+2?' },
        { role: 'assistant', content: '4' },
      ],
    ],
  }),
};

export type RowName = keyof typeof rows;

export const rowNamed = (name: RowName): Row => rows[name];

export const nemoRlFixtures: Fixture[] = Object.entries(rows).map(([name, value]) => ({
  name,
  format: 'nemo_rl_step_dump',
  value,
}));
