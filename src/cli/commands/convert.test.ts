import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exporters } from '../../formats';
import { rollscope } from '../io.fixtures';
import { folderOf, rolloutLine } from './rollout.fixtures';

const file = `${rolloutLine(0, 1)}\n${rolloutLine(1, 0.5)}\n`;

function records(out: string): unknown[] {
  return out
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

test.each(exporters.map(({ id }) => [id]))('to %s: a line per episode, which opens again', async (to) => {
  const { code, out } = await rollscope(['convert', '-', '--to', to], file);
  expect(code).toBe(0);
  expect(records(out)).toHaveLength(2);
  const summary = await rollscope(['summary', '--json', '-'], out);
  expect(JSON.parse(summary.out)).toMatchObject({
    records: 2,
    episodes: 2,
    parseErrors: 0,
    steps: 4,
    toolCalls: 2,
  });
});

test('to Rollscope and back is the same file of rollouts', async () => {
  const own = await rollscope(['convert', '-', '--to', 'rollscope'], file);
  expect(own.err).toBe('');
  const back = await rollscope(['convert', '-', '--to', 'nemo-gym'], own.out);
  const straight = await rollscope(['convert', '-', '--to', 'nemo-gym'], file);
  expect(back.out).toBe(straight.out);
});

test('one episode alone', async () => {
  const { out } = await rollscope(['convert', '-', '--to', 'rollscope', '--episode', '1'], file);
  expect(records(out)).toMatchObject([{ rollscope: 1, outcome: { reward: 0.5 } }]);
  const { code, err } = await rollscope(['convert', '-', '--to', 'rollscope', '--episode', '2'], file);
  expect(code).toBe(1);
  expect(err).toContain('There is no episode 2: - has 2 episodes, 0 to 1.');
});

test('what the target cannot hold is said, episode by episode, and is no failure', async () => {
  const { code, err } = await rollscope(['convert', '-', '--to', 'openai'], file);
  expect(code).toBe(0);
  expect(err).toContain('-: episode 0: The reward is left out');
  expect(err).toContain('-: episode 1: The reward is left out');
  const told = await rollscope(['convert', '-', '--to', 'openai', '--json'], file);
  expect(records(told.out)).toMatchObject([
    {
      episode: 0,
      losses: expect.arrayContaining([expect.stringContaining('reward')]),
      record: { messages: [{}, {}, {}, {}] },
    },
    { episode: 1 },
  ]);
});

test('what would steer the terminal is escaped, and reads back as it was', async () => {
  const { out } = await rollscope(['convert', '-', '--to', 'rollscope'], rolloutLine(0, 1, '\u009b2J\u202e'));
  expect(out).toContain(String.raw`\u009b2J\u202e`);
  expect(records(out)[0]).toMatchObject({ messages: [{}, {}, {}, { parts: [{ text: '\u009b2J\u202e' }] }] });
});

test('a flood of losses is a number', async () => {
  const { err } = await rollscope(['convert', '-', '--to', 'openai'], `${rolloutLine(0, 1)}\n`.repeat(30));
  expect(err).toContain('and 20 more episodes that OpenAI chat cannot hold');
  expect(err).not.toContain('episode 10:');
});

test('a folder is all its files, and one that can not be read fails without keeping the others back', async () => {
  const folder = await folderOf({ 'a.json': 'PAR1', 'b.jsonl': file });
  const { code, out, err } = await rollscope(['convert', folder, '--to', 'rollscope']);
  expect(code).toBe(1);
  expect(records(out)).toHaveLength(2);
  expect(err).toContain(`${join(folder, 'a.json')}: This is a Parquet file`);
});

test.each([
  [['-'], 'To which format?'],
  [['-', '--to', 'xml'], "not 'xml'"],
  [['--to', 'openai'], 'Name one file or folder'],
  [['-', '--to', 'openai', '--episode', 'x'], 'a whole number from 0'],
])('%j is an error of usage', async (args, reason) => {
  const { code, out, err } = await rollscope(['convert', ...args], file);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(reason);
});
