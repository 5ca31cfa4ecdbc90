import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dataFileEndings, isDataFile } from '../ingest/data-files';
import { errorText } from '../model/error-text';
import { Failed } from './command';
import { temporaryFolder } from './temporary';

/** A file that was asked for, by itself or through its folder. */
export interface Input {
  /** As a person would type it; `-` is standard input. */
  path: string;
  /** What the source is called in the page and in links: `run.jsonl`, `night/run.jsonl`. */
  name: string;
  /** Why it can not be opened, where that is known already. */
  failure?: string;
}

/** The files behind paths, folders searched through all their levels. */
export async function findInputs(paths: readonly string[]): Promise<Input[]> {
  const found = (await Promise.all(paths.map(inputsAt))).flat();
  const counts = new Map<string, number>();
  for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  return found.map((input) =>
    // Two files of the same name are told apart by where they stand.
    counts.get(input.name) === 1 ? input : { ...input, name: slashes(input.path) },
  );
}

async function inputsAt(path: string): Promise<Input[]> {
  if (path === '-') return [{ path, name: 'stdin' }];
  const input = { path, name: basename(path) };
  const info = await tried(stat(path));
  if ('failure' in info) {
    const missing = info.code === 'ENOENT' || info.code === 'ENOTDIR';
    return [{ ...input, failure: missing ? `There is no file or folder '${path}'.` : info.failure }];
  }
  if (!info.value.isDirectory()) return [input];

  const folder = basename(resolve(path));
  const files = await dataFilesIn(path);
  if (files.length === 0) {
    const failure = `The folder '${path}' holds no data files (${dataFileEndings.join(', ')}).`;
    return [{ ...input, name: folder, failure }];
  }
  return files.map((file) => ({ ...file, name: slashes(join(folder, relative(path, file.path))) }));
}

/** Folders that are linked are left out, so that none is searched twice; so are pipes and devices. */
async function dataFilesIn(folder: string): Promise<Omit<Input, 'name'>[]> {
  const entries = await tried(readdir(folder, { withFileTypes: true }));
  if ('failure' in entries) return [{ path: folder, failure: entries.failure }];
  const found = await Promise.all(
    entries.value
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return dataFilesIn(path);
        if (!isDataFile(entry.name)) return [];
        const info = await tried(stat(path));
        if ('failure' in info) return [{ path, failure: info.failure }];
        return info.value.isFile() ? [{ path }] : [];
      }),
  );
  return found.flat();
}

type Tried<Value> = { value: Value } | { failure: string; code: string | undefined };

/** What the system says as a sentence: `ENOENT: no such file or directory, stat '…'.` */
async function tried<Value>(attempt: Promise<Value>): Promise<Tried<Value>> {
  try {
    return { value: await attempt };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { code }: NodeJS.ErrnoException = error;
    return { failure: `${error.message}.`, code };
  }
}

function slashes(path: string): string {
  return path.split(sep).join('/');
}

/** The bytes of an input, read piece by piece when they are asked for. */
export async function openInput(input: Input, stdin: Readable): Promise<Blob> {
  return explained(input, async () => openAsBlob(await onDisk(input, stdin)));
}

/** The file on disk. What can be read only once, as standard input and pipes, is written to a temporary one. */
export async function fileOf(input: Input, stdin: Readable): Promise<string> {
  return explained(input, () => onDisk(input, stdin));
}

async function explained<Value>({ path, failure }: Input, open: () => Promise<Value>): Promise<Value> {
  if (failure !== undefined) throw new Failed(failure);
  try {
    return await open();
  } catch (error) {
    const why = errorText(error);
    throw new Failed(`'${path}' can not be opened: ${why}`, { cause: error });
  }
}

async function onDisk({ path }: Input, stdin: Readable): Promise<string> {
  if (path !== '-' && (await stat(path)).isFile()) return path;
  // A socket behind standard input can not be opened by its path.
  const bytes = path === '-' || standardInput.test(path) ? stdin : createReadStream(path);
  const file = join(await temporaryFolder(), 'stdin');
  await pipeline(bytes, createWriteStream(file, { mode: 0o600 }));
  return file;
}

const standardInput = /^\/(dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/;
