import { createWriteStream, openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failed } from './command';
import { temporaryFolder } from './temporary';

/** A file that was asked for, by itself or through its folder. */
export interface Input {
  /** As a person would type it; `-` is standard input. */
  path: string;
  /** What the source is called in the page and in links: `run.jsonl`, `night/run.jsonl`. */
  name: string;
}

/** What a folder is searched for. A file named by itself is opened whatever it is called. */
const extensions = ['json', 'jsonl', 'ndjson', 'traj', 'eval', 'zip', 'tgz', 'gz', 'zst'];
const dataFile = new RegExp(`\\.(${extensions.join('|')})$`, 'i');

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
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const missing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
    throw new Failed(missing ? `There is no file or folder '${path}'.` : error.message);
  });
  if (!info.isDirectory()) return [{ path, name: basename(path) }];

  const folder = basename(resolve(path));
  const files = await dataFilesIn(path);
  if (files.length === 0) {
    throw new Failed(`The folder '${path}' holds no data files (${extensions.join(', ')}).`);
  }
  return files.map((file) => ({ path: file, name: slashes(join(folder, relative(path, file))) }));
}

async function dataFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return dataFilesIn(path);
        return dataFile.test(entry.name) ? [path] : [];
      }),
  );
  return found.flat();
}

function slashes(path: string): string {
  return path.split(sep).join('/');
}

/** The bytes of an input, read piece by piece when they are asked for. */
export async function openInput(input: Input, stdin: Readable): Promise<Blob> {
  try {
    return await openAsBlob(await fileOf(input, stdin));
  } catch (error) {
    throw new Failed(
      `'${input.path}' can not be opened: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * The file on disk. Standard input, which can be read only once, is written to a temporary one.
 */
export async function fileOf({ path }: Input, stdin: Readable): Promise<string> {
  if (path !== '-') return path;
  const file = join(await temporaryFolder(), 'stdin');
  await pipeline(stdin, createWriteStream(file, { mode: 0o600 }));
  return file;
}
