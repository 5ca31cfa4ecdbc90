import { expect, test } from 'vitest';
import { lintEpisode, type Finding } from '../../model';
import { formats } from '../../formats';
import { lineWithSessions } from '../../formats/rollscope/sessions.fixtures';
import { rollscope } from '../io.fixtures';
import { rolloutLine } from './rollout.fixtures';

const good = rolloutLine(0, 1);
/** No reward, and a result that no call asked for. */
const bad = good.replace('"call_id":"c1","name"', '"call_id":"c2","name"').replace(/,"reward":1\}$/, '}');

function findingsOf(line: string): Finding[] {
  const value: unknown = JSON.parse(line);
  const format = formats.find(({ id }) => id === 'nemo_gym_rollout');
  if (format === undefined) throw new Error('no format');
  return lintEpisode(format.episode({ value, text: line, index: 0, line: 1 }, 0));
}

test('findings are those of the model, each with its file, episode and place', async () => {
  const { code, out, err } = await rollscope(['lint', '--json', '-'], `${good}\n${bad}\n`);
  const told = out
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const found = [good, bad].flatMap((line, episode) =>
    findingsOf(line).map((finding) => ({ path: '-', episode, ...finding, explanation: undefined })),
  );
  expect(found.length).toBeGreaterThan(0);
  expect(told).toEqual(found);
  expect(code).toBe(1);
  expect(err).toMatch(/^2 episodes: \d+ errors?, \d+ warnings?, \d+ info$/m);
});

test('nothing, or nothing but info, is 0', async () => {
  expect(findingsOf(good).filter(({ severity }) => severity !== 'info')).toEqual([]);
  const { code, err } = await rollscope(['lint', '-'], good);
  expect(code).toBe(0);
  expect(err).toContain('1 episode: 0 errors, 0 warnings');
});

test('for people, a line each', async () => {
  const { out } = await rollscope(['lint', '-'], `${good}\n${bad}\n`);
  expect(out).toMatch(/^-: episode 1.*: (error|warning): .* \([a-z-]+(\/[a-z-]+)?\)$/m);
});

test('a file that can not be read is a failure', async () => {
  const { code, err } = await rollscope(['lint', '-'], 'PAR1');
  expect(code).toBe(1);
  expect(err).toContain('Parquet');
});

test('a line that can not be read is a failure, among good ones too', async () => {
  const { code, out, err } = await rollscope(['lint', '--json', '-'], `${good}\n{"cut":\n${good}\n`);
  expect(code).toBe(1);
  expect(out).not.toContain('cut');
  expect(err).toMatch(/^-: line 2: /m);
  expect(err).toContain('2 episodes: 0 errors, 0 warnings, 0 info, 1 line could not be read');
});

test('without a file it is an error of usage', async () => {
  expect((await rollscope(['lint'])).code).toBe(2);
});

test('a session that two episodes share is told of each', async () => {
  const lines = [
    lineWithSessions('a', 's1'),
    lineWithSessions('b', 's2'),
    lineWithSessions('c', 's1'),
    lineWithSessions('d', 's1'),
  ];
  const { out } = await rollscope(['lint', '-'], lines.join('\n'));
  expect(out.split('\n').filter((each) => each.includes('(session-shared)'))).toEqual([
    '-: episode 0, step 0: error: Session s1 was used by episode 2 of -, too (session-shared)',
    '-: episode 2, step 0: error: Session s1 was used by episode 0 of -, too (session-shared)',
    '-: episode 3, step 0: error: Session s1 was used by episode 0 of -, too (session-shared)',
  ]);
});
