import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Episode, Message } from '../model';
import { callPart, episodeOf, messageOf } from '../model/episode.fixtures';
import { lossesBetween } from './losses';
import { wholeEpisodes } from './rollscope/rollscope.fixtures';

const full: Episode = {
  ...episodeOf({
    messages: [
      messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'Add 1.' }] }),
      messageOf(1, 'policy', {
        bornAtStep: 0,
        parts: [{ kind: 'reasoning', form: 'full', text: 'hm' }, callPart('c1')],
      }),
      messageOf(2, 'environment', { bornAtStep: 0, toolResultFor: ['c1'], toolName: 'add' }),
    ],
    tools: [{ name: 'add' }],
    edits: [{ step: 0, kind: 'delete', msgIds: [2], by: 1 }],
    notes: [{ step: 0, by: 1, key: 'a', change: { kind: 'remove' } }],
    samples: [{ kind: 'final', index: 0, firstStep: 0, lastStep: 0 }],
    recordedViews: [{ step: 0, keeps: 0, form: 'text', adds: '' }],
    statelm: { dialect: 'rl' },
    limits: { maxModelLength: 10 },
    task: { key: '1' },
    model: 'm',
    metrics: { turns: 1 },
  }),
  outcome: { reward: 1, components: { format: 1 }, verdict: 'v', termination: 't', error: 'e' },
  steps: [
    {
      index: 0,
      tokens: { promptIds: Int32Array.of(1), generationIds: Int32Array.of(2), logprobs: Float32Array.of(-1) },
      unfinished: 'length',
    },
  ],
};

function withMessage(index: number, given: Partial<Message>): Episode {
  return {
    ...full,
    messages: full.messages.map((each, at) => (at === index ? { ...each, ...given } : each)),
  };
}

test('nothing is lost where nothing changed', () => {
  fc.assert(
    fc.property(wholeEpisodes(), (episode) => {
      expect(lossesBetween(episode, structuredClone(episode))).toEqual([]);
    }),
  );
});

test('ids and places may be others', () => {
  const renumbered: Episode = {
    ...full,
    id: 'x',
    title: 'y',
    messages: full.messages.map((each) => ({ ...each, msgId: each.msgId + 10, raw: ['/elsewhere'] })),
    edits: full.edits.map((edit) => ({ ...edit, msgIds: [12], by: 11 })),
    notes: (full.notes ?? []).map((note) => ({ ...note, by: 11 })),
    gaps: [{ about: 'reward', reason: 'None.' }],
  };
  expect(lossesBetween(full, renumbered)).toEqual([]);
});

const step = full.steps[0] ?? { index: 0 };
const bare = { promptIds: Int32Array.of(1), generationIds: Int32Array.of(2) };

test.each<[what: RegExp, after: Episode]>([
  [
    /^3 messages become 4/,
    { ...full, messages: [...full.messages, messageOf(3, 'environment', { bornAtStep: 0 })] },
  ],
  [
    /^Text: not the same in 1 message, first in message 0\.$/,
    withMessage(0, { parts: [{ kind: 'text', text: 'x' }] }),
  ],
  [/^Thoughts/, withMessage(1, { parts: [callPart('c1')] })],
  [
    /^The order of parts/,
    withMessage(1, { parts: [callPart('c1'), { kind: 'reasoning', form: 'full', text: 'hm' }] }),
  ],
  [
    /^The order of parts, or in which form/,
    withMessage(1, { parts: [{ kind: 'reasoning', form: 'summary', text: 'hm' }, callPart('c1')] }),
  ],
  [
    /^Tool calls/,
    withMessage(1, { parts: [{ kind: 'reasoning', form: 'full', text: 'hm' }, callPart('c2')] }),
  ],
  [/^Roles/, withMessage(0, { role: 'system' })],
  [/^Whose message/, withMessage(0, { origin: 'environment' })],
  [/^Which calls/, withMessage(2, { toolResultFor: [] })],
  [/^The name of the tool/, withMessage(2, { toolName: 'other' })],
  [/^Where the history branches/, withMessage(2, { follows: null })],
  [/^1 step becomes 0/, { ...full, steps: [] }],
  [/^The token ids of 1 step/, { ...full, steps: [{ index: 0, unfinished: 'length' }] }],
  [/^Log probabilities/, { ...full, steps: [{ ...step, tokens: bare }] }],
  [
    /^Why 1 step did not finish/,
    { ...full, steps: [{ index: 0, ...(step.tokens && { tokens: step.tokens }) }] },
  ],
  [/^1 context edit is left out/, { ...full, edits: [] }],
  [/^1 change of the notes/, { ...full, notes: [] }],
  [/^1 recorded training sample/, { ...full, samples: [] }],
  [/^1 recorded view/, { ...full, recordedViews: [] }],
  [/^1 tool description/, { ...full, tools: [{ name: 'add', description: 'x' }] }],
  [/^The reward is/, { ...full, outcome: { ...full.outcome, reward: 2 } }],
  [/^The verdict/, { ...full, outcome: { ...full.outcome, verdict: 'x' } }],
  [/^How the episode ended/, { ...full, outcome: { ...full.outcome, termination: 'x' } }],
  [/^The error/, { ...full, outcome: { ...full.outcome, error: 'x' } }],
  [
    /^Components of the reward are left out: format\.$/,
    { ...full, outcome: { ...full.outcome, components: {} } },
  ],
  [/^The task/, { ...full, task: { key: '2' } }],
  [/^The model's name/, { ...full, model: 'n' }],
  [/^The limits/, { ...full, limits: {} }],
  [/^How StateLM/, { ...full, statelm: { dialect: 'inference' } }],
  [/^Metrics are left out: turns\.$/, { ...full, metrics: {} }],
])('%s', (what, after) => {
  const losses = lossesBetween(full, after);
  expect(losses).toEqual([expect.stringMatching(what)]);
  expect(losses[0]).toMatch(/\.$/);
});
