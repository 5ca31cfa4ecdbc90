import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './project.mjs';

/** The folders that the app and the command line share. */
export const shared = ['model', 'formats', 'ingest', 'tokens', 'agent', 'gym', 'live'].map(
  (layer) => `src/${layer}`,
);

/**
 * A short name for the content of files and folders of the project, given by path: it changes when a file is
 * added, removed, renamed or edited, and not when it is only touched. Tests and benches do not count.
 * @param {readonly string[]} paths
 */
export function fingerprint(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const file of paths.flatMap((path) => filesOf(join(root, path)))) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return [path];
    return [];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) return entry.name === 'bench' ? [] : filesOf(inner);
      return /\.test\.tsx?$|\.md$/.test(entry.name) ? [] : [inner];
    });
}
