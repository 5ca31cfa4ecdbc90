import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findInputs } from '../inputs';
import { watching } from './watching';

test('files that come into a folder are added at the end, and none twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollscope-watching-'));
  const night = join(folder, 'night');
  await mkdir(night);
  await writeFile(join(night, 'b.jsonl'), '{}\n');
  const sources = (await findInputs([night])).map(({ name, path }) => ({ name, file: path }));
  const look = watching([night, '-', join(folder, 'missing.jsonl')], sources);
  const names = async (): Promise<string[]> => (await look()).map(({ name }) => name);

  expect(await names()).toEqual(['night/b.jsonl']);
  await writeFile(join(night, 'a.jsonl'), '{}\n');
  await writeFile(join(folder, 'missing.jsonl'), '{}\n');
  expect(await names()).toEqual(['night/b.jsonl', 'night/a.jsonl', 'missing.jsonl']);
  await rm(join(night, 'b.jsonl'));
  // The page knows them by their place.
  expect(await names()).toEqual(['night/b.jsonl', 'night/a.jsonl', 'missing.jsonl']);
  await rm(folder, { recursive: true });
});
