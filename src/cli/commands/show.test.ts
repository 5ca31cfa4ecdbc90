import { expect, test } from 'vitest';
import { rollscope } from '../io.fixtures';
import { rolloutLine } from './rollout.fixtures';

const file = `${rolloutLine(0, 1)}\nnot json\n${rolloutLine(1, 0, 'Five \u001b[2J\u202e.')}\n`;

async function shown(...options: string[]): Promise<unknown[]> {
  const { code, out } = await rollscope(['show', '-', '--json', ...options], file);
  expect(code).toBe(0);
  return out
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

const prompt = { role: 'user', content: 'What is two and two?' };
const call = {
  role: 'assistant',
  content: null,
  reasoning_content: 'Better ask the tool.',
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":2,"b":2}' } }],
};
const result = { role: 'tool', content: '4', tool_call_id: 'c1' };

test('a step is what the model saw before it answered', async () => {
  expect(await shown('--episode', '0', '--step', '0')).toEqual([
    { episode: 0, step: 0, steps: 2, messages: [prompt] },
  ]);
  expect(await shown('--episode', '0', '--step', '1')).toEqual([
    { episode: 0, step: 1, steps: 2, messages: [prompt, call, result] },
  ]);
});

test('all steps are the same steps, one after another', async () => {
  const single = [await shown('--episode', '1', '--step', '0'), await shown('--episode', '1', '--step', '1')];
  expect(await shown('--episode', '1', '--step', 'all')).toEqual(single.flat());
});

test('without a step it is the whole episode', async () => {
  const answer = { role: 'assistant', content: 'Four.' };
  expect(await shown('--episode', '0')).toEqual([
    { episode: 0, step: null, steps: 2, messages: [prompt, call, result, answer] },
  ]);
});

test('for people, text that can not steer the terminal', async () => {
  const { code, out } = await rollscope(['show', '-', '--episode', '1'], file);
  expect(code).toBe(0);
  expect(out).toContain('── user, message 0\nWhat is two and two?\n');
  expect(out).toContain('(reasoning) Better ask the tool.\n-> add({"a":2,"b":2})');
  expect(out).toContain('Five ␛[2J\ufffd.');
});

test.each([
  [['--episode', '2'], 'There is no episode 2: - has 2 episodes, 0 to 1.'],
  [['--episode', '0', '--step', '2'], 'There is no step 2: episode 0 has 2 steps, 0 to 1.'],
])('%j says what there is', async (options, reason) => {
  const { code, out, err } = await rollscope(['show', '-', ...options], file);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(reason);
});

test('a file that can not be read says why', async () => {
  const { code, err } = await rollscope(['show', '-', '--episode', '0'], 'PAR1');
  expect(code).toBe(1);
  expect(err).toContain('Parquet');
});

test('what would steer the terminal is escaped in JSON', async () => {
  const { out } = await rollscope(['show', '-', '--json', '--episode', '1'], file);
  expect(out).toContain(String.raw`Five \u001b[2J\u202e.`);
});
