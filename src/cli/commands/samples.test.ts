import { expect, test } from 'vitest';
import { rollscope } from '../io.fixtures';
import { rolloutLine } from './rollout.fixtures';

/** Three calls: the third got a context that was rendered anew. */
const withTokens = JSON.stringify({
  responses_create_params: { input: 'Count.' },
  response: {
    output: [
      turn('one', [1, 2, 3], [4, 5]),
      { type: 'message', role: 'user', content: 'and' },
      turn('two', [1, 2, 3, 4, 5, 6], [7]),
      { type: 'message', role: 'user', content: 'and' },
      turn('three', [1, 9], [10, 11]),
    ],
  },
  reward: 1,
});

function turn(text: string, prompt: number[], generation: number[]): object {
  return {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text }],
    prompt_token_ids: prompt,
    generation_token_ids: generation,
    generation_log_probs: generation.map(() => -1),
  };
}

async function told(args: string[], text: string): Promise<unknown[]> {
  const { code, out } = await rollscope(['samples', '-', '--json', ...args], text);
  expect(code).toBe(0);
  return out
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

test('aligned: what came since the last render, and every emitted token trained', async () => {
  expect(await told([], withTokens)).toEqual([
    {
      episode: 0,
      index: 0,
      kind: 'snapshot',
      firstStep: 0,
      lastStep: 1,
      promptTokens: 3,
      responseTokens: 4,
      maskLength: 4,
      trainedTokens: 3,
      slicing: 'aligned',
      truth: 'derived',
    },
    expect.objectContaining({
      index: 1,
      kind: 'final',
      firstStep: 2,
      lastStep: 2,
      promptTokens: 2,
      trainedTokens: 2,
    }),
  ]);
});

test('tail: the mask goes on growing over the new context', async () => {
  expect(await told(['--slicing', 'tail'], withTokens)).toMatchObject([
    { slicing: 'tail', promptTokens: 3, responseTokens: 4, maskLength: 4 },
    { slicing: 'tail', responseTokens: 4, maskLength: 6 },
  ]);
});

test('where nothing was recorded the sizes are null', async () => {
  expect(await told(['--episode', '1'], `${withTokens}\n${rolloutLine(0, 1)}\n`)).toMatchObject([
    {
      episode: 1,
      index: 0,
      kind: 'final',
      firstStep: 0,
      lastStep: 1,
      promptTokens: null,
      trainedTokens: null,
    },
  ]);
});

test('for people, a table', async () => {
  const { out } = await rollscope(['samples', '-'], withTokens);
  expect(out).toMatch(
    /^episode +sample +kind +steps +prompt +response +mask +trained\n0 +0 +snapshot +0-1 +3 +4 +4 +3 +derived\n/,
  );
});

test.each([
  [['--slicing', 'head'], "not 'head'"],
  [['--episode', '-1'], '--episode'],
])('%j is an error of usage', async (args, reason) => {
  const { code, err } = await rollscope(['samples', '-', ...args], withTokens);
  expect(code).toBe(2);
  expect(err).toContain(reason);
});
