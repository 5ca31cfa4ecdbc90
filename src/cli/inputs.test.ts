import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findInputs, openInput } from './inputs';
import { removeTemporaryFolders } from './temporary';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollscope-inputs-'));
  for (const inner of ['a/deep', 'b', '.hidden', 'node_modules/x', 'empty']) {
    await mkdir(join(folder, inner), { recursive: true });
  }
  const files = ['a/deep/two.json.gz', 'a/run.jsonl', 'b/run.jsonl', 'a/notes.txt', 'c.TRAJ'];
  for (const file of [...files, '.hidden/x.json', 'node_modules/x/package.json']) {
    await writeFile(join(folder, file), file);
  }
  await symlink(join(folder, 'a'), join(folder, 'b/again'));
});

afterAll(() => rm(folder, { recursive: true }));

test('a folder is its data files through all levels, hidden ones and packages apart', async () => {
  const paths = (await findInputs([folder])).map(({ path }) => path);
  expect(paths).toEqual(
    ['a/deep/two.json.gz', 'a/run.jsonl', 'b/run.jsonl', 'c.TRAJ'].map((file) => join(folder, file)),
  );
});

test('files are called by their name, or by their path where two have the same', async () => {
  const names = async (...paths: string[]) =>
    (await findInputs(paths.map((path) => join(folder, path)))).map(({ name }) => name);
  expect(await names('a/run.jsonl', 'c.TRAJ')).toEqual(['run.jsonl', 'c.TRAJ']);
  expect(await names('a')).toEqual(['a/deep/two.json.gz', 'a/run.jsonl']);
  expect(await names('a/run.jsonl', 'b/run.jsonl')).toEqual([
    `${folder}/a/run.jsonl`,
    `${folder}/b/run.jsonl`,
  ]);
});

test('a file that is named is taken whatever it is called', async () => {
  expect(await findInputs([join(folder, 'a/notes.txt')])).toHaveLength(1);
});

test('a folder without data says what was looked for', async () => {
  const path = join(folder, 'empty');
  const failure = expect.stringMatching(/holds no data files \(json, jsonl/);
  expect(await findInputs([path])).toEqual([{ path, name: 'empty', failure }]);
});

test('what can not be opened stands among the rest, with the reason', async () => {
  const mixed = join(folder, 'mixed');
  await mkdir(join(mixed, 'folder.jsonl'), { recursive: true });
  await writeFile(join(mixed, 'folder.jsonl/in.json'), '{}');
  await writeFile(join(mixed, 'good.jsonl'), '{}');
  await symlink('nowhere.jsonl', join(mixed, 'dangling.jsonl'));
  await symlink('loop.jsonl', join(mixed, 'loop.jsonl'));
  await symlink('folder.jsonl', join(mixed, 'linked.jsonl'));
  await symlink('good.jsonl', join(mixed, 'same.jsonl'));
  const found = await findInputs([join(mixed, 'missing.jsonl'), mixed]);
  expect(found.map(({ name, failure }) => [name, failure])).toEqual([
    ['missing.jsonl', expect.stringContaining('There is no file or folder')],
    ['mixed/dangling.jsonl', expect.stringContaining('ENOENT')],
    ['mixed/folder.jsonl/in.json', undefined],
    ['mixed/good.jsonl', undefined],
    ['mixed/loop.jsonl', expect.stringContaining('ELOOP')],
    ['mixed/same.jsonl', undefined],
  ]);
  for (const input of found.filter(({ failure }) => failure !== undefined)) {
    await expect(openInput(input, Readable.from([]))).rejects.toThrow(input.failure);
  }
});

test('a pipe that is named is read like standard input', async () => {
  const path = join(folder, 'pipe.jsonl');
  execFileSync('mkfifo', [path]);
  const [input] = await findInputs([path]);
  if (input === undefined) throw new Error('no input');
  const [blob] = await Promise.all([openInput(input, Readable.from([])), writeFile(path, 'one\ntwo\n')]);
  expect(await blob.text()).toBe('one\ntwo\n');
  expect(await blob.slice(4, 7).text()).toBe('two');
  // Searching a folder does not wait for whoever writes into a pipe.
  expect((await findInputs([folder])).map(({ name }) => name)).not.toContain('pipe.jsonl');
  await rm(path);
  removeTemporaryFolders();
});

test('standard input can be read more than once', async () => {
  const [input] = await findInputs(['-']);
  if (input === undefined) throw new Error('no input');
  const blob = await openInput(input, Readable.from(['one\n', 'two\n']));
  expect(await blob.text()).toBe('one\ntwo\n');
  expect(await blob.slice(4, 7).text()).toBe('two');
  removeTemporaryFolders();
  await expect(blob.text()).rejects.toThrow();
});
