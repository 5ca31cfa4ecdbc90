import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fingerprint, shared } from './fingerprint.mjs';
import { isInstalled } from './install.mjs';
import { Advice, root } from './project.mjs';

const day = 24 * 60 * 60 * 1000;

/**
 * The command line as one JavaScript file, whose path it gives: Node 20 runs no TypeScript. It is made from the
 * current sources and kept until they change.
 * @returns {Promise<string>}
 */
export async function bundledCommandLine() {
  const published = join(root, 'dist', 'cli', 'rollscope.js');
  if (!existsSync(join(root, 'src', 'cli', 'main.ts'))) return published;

  const version = fingerprint([...shared, 'src/cli', 'package-lock.json']);
  const cache = join(root, 'node_modules', '.cache', 'rollscope');
  const kept = join(cache, version, 'rollscope.js');
  if (existsSync(kept)) return kept;
  if (!isInstalled())
    throw new Advice('The packages are not installed, or not those of package-lock.json. Run npm ci.');

  const folder = emptyFolder(cache);
  await bundle(folder);
  if (!folder.startsWith(cache)) return join(folder, 'rollscope.js');
  forgetOld(cache);
  try {
    await rename(folder, join(cache, version));
  } catch {
    // Another process was first; its bundle is the same.
    rmSync(folder, { recursive: true, force: true });
  }
  return kept;
}

/**
 * Packages stay outside and are found in `node_modules`.
 * @param {string} folder
 * @param {Record<string, string>} input by name: the command line, unless something else is said
 */
export async function bundle(folder, input = { rollscope: join(root, 'src', 'cli', 'main.ts') }) {
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    input,
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && !/^[a-z]:[\\/]/i.test(id),
    logLevel: 'warn',
    onLog: (_level, log) => process.stderr.write(`${log.message}\n`),
  });
  await made.write({ dir: folder, format: 'esm', sourcemap: 'inline', entryFileNames: '[name].js' });
  await made.close();
}

/**
 * In the cache, or where the project can not be written to, a folder for this process alone.
 * @param {string} cache
 */
function emptyFolder(cache) {
  try {
    mkdirSync(cache, { recursive: true });
    return mkdtempSync(join(cache, 'making-'));
  } catch {
    const folder = mkdtempSync(join(tmpdir(), 'rollscope-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    return folder;
  }
}

/**
 * Bundles of earlier sources. Young ones may still be starting somewhere.
 * @param {string} cache
 */
function forgetOld(cache) {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > day) rmSync(path, { recursive: true, force: true });
  }
}
