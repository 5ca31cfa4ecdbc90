import { stat } from 'node:fs/promises';
import { findInputs } from '../inputs';
import type { ServedSource } from './app';

/** Looks again at what was named, and adds the files that have come since. */
export function watching(
  paths: readonly string[],
  sources: readonly ServedSource[],
): () => Promise<readonly ServedSource[]> {
  // What can be read only once has been.
  const files = paths.filter((path) => path !== '-');
  const known = [...sources];
  return async () => {
    const served = new Set(known.map(({ file }) => file));
    const found = (await findInputs(files)).filter(({ failure }) => failure === undefined);
    const names = new Set(known.map(({ name }) => name));
    for (const { path, name } of found) {
      if (served.has(path) || names.has(name)) continue;
      const info = await stat(path).catch(() => undefined);
      if (info?.isFile() === true) known.push({ name, file: path });
    }
    return known;
  };
}
