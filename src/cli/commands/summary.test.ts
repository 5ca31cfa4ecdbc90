import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rollscope } from '../io.fixtures';
import { folderOf, rolloutLine } from './rollout.fixtures';

const good = `${rolloutLine(0, 1)}\n${rolloutLine(1, 0.5)}\n`;
const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';

test('a file is one line of JSON with everything that is counted', async () => {
  const folder = await folderOf({ 'run.jsonl': good });
  const path = join(folder, 'run.jsonl');
  const { code, out, err } = await rollscope(['summary', '--json', path]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(out)).toEqual({
    path,
    format: 'nemo_gym_rollout',
    container: 'plain',
    records: 2,
    episodes: 2,
    parseErrors: 0,
    messages: 2,
    toolCalls: 2,
    toolResults: 2,
    reasoning: 2,
    inputMessages: 2,
    inputToolCalls: 0,
    inputToolResults: 0,
    inputReasoning: 0,
    rewards: { count: 2, sum: 1.5, mean: 0.75, min: 0.5, max: 1 },
    steps: 4,
    edits: 0,
    samples: expect.any(Number),
    gaps: expect.arrayContaining(['tokens']),
  });
});

test('lines that are not JSON are named, and the rest is counted', async () => {
  const text = `${rolloutLine(0, 1)}\nnot json\n${rolloutLine(1, 0)}\n{"cut":\n[1,\n`;
  const { code, out, err } = await rollscope(['summary', '--json', '-'], text);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ path: '-', records: 2, episodes: 2, parseErrors: 3 });
  expect(err.match(/^-: line \d+/gm)).toEqual(['-: line 2', '-: line 4', '-: line 5']);
});

test('a flood of bad lines is a number', async () => {
  const { err } = await rollscope(['summary', '-'], `${good}${'bad\n'.repeat(50)}`);
  expect(err.split('\n')).toHaveLength(12);
  expect(err).toContain('and 40 more parse errors');
});

test('a file that can not be read fails, and does not keep the others from being counted', async () => {
  const folder = await folderOf({ 'a.json': pointer, 'b.jsonl': good });
  const { code, out, err } = await rollscope(['summary', '--json', folder]);
  expect(code).toBe(1);
  const [first, second] = out
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(first).toMatchObject({
    format: null,
    records: 0,
    failure: { what: expect.stringContaining('Git LFS pointer') },
  });
  expect(second).toMatchObject({ records: 2 });
  expect(err).toContain('a.json: This is a Git LFS pointer');
});

test('a file of no JSON is explained without speaking of the page', async () => {
  const { code, err } = await rollscope(['summary', '-'], 'a note\nanother\n');
  expect(code).toBe(1);
  expect(err).toMatch(/^-: line 1: /m);
  expect(err).toContain('Nothing in this file is JSON.');
  expect(err).not.toContain('Problems');
});

test('what can not be opened is named, and the rest is counted', async () => {
  const folder = await folderOf({ 'b.jsonl': good });
  await symlink('nowhere.jsonl', join(folder, 'a.jsonl'));
  const missing = join(folder, 'missing.jsonl');
  const { code, out, err } = await rollscope(['summary', '--json', missing, folder]);
  expect(code).toBe(1);
  const lines = out.trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { path: missing, failure: { what: expect.stringContaining('no file'), next: expect.any(String) } },
    {
      path: join(folder, 'a.jsonl'),
      failure: { what: expect.stringContaining('ENOENT'), next: expect.any(String) },
    },
    expect.objectContaining({ path: join(folder, 'b.jsonl'), records: 2 }),
  ]);
  expect(err.trim().split('\n')).toEqual([
    expect.stringContaining('missing.jsonl: '),
    expect.stringContaining('a.jsonl: '),
  ]);
  const text = await rollscope(['summary', missing, folder]);
  expect(text).toMatchObject({ code: 1, err });
  expect(text.out).toMatch(/^.*b\.jsonl\n {2}format/);
});

test('a compressed file is counted like a plain one, and says what it came in', async () => {
  const folder = await folderOf({ 'run.jsonl.gz': gzipSync(good) });
  const { out } = await rollscope(['summary', '--json', folder]);
  expect(JSON.parse(out)).toMatchObject({
    container: 'gzip',
    format: 'nemo_gym_rollout',
    records: 2,
    episodes: 2,
  });
});

test('where there are no rewards there is no mean', async () => {
  const { out } = await rollscope(['summary', '--json', '-'], '{"a":1}');
  expect(JSON.parse(out)).toMatchObject({ rewards: { count: 0, sum: 0, mean: null, min: null, max: null } });
});

test('for people, the same as text', async () => {
  const { out } = await rollscope(['summary', '-'], good);
  expect(out).toMatch(/^-\n {2}format +NeMo Gym rollout\n {2}records +2\n/);
  expect(out).toMatch(/messages +2 and 2 in the request/);
  expect(out).toMatch(/rewards +2: sum 1.5, mean 0.75, from 0.5 to 1/);
});
