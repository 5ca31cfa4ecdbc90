import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureApp } from './app.mjs';
import { bundledCommandLine } from './bundle.mjs';
import { root } from './project.mjs';

/**
 * The `rollscope` command, from the current sources. Gives its exit code.
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export async function rollscope(args) {
  const { INIT_CWD: typedIn, npm_lifecycle_event: npmScript } = process.env;
  // npm runs its scripts in the project's folder; the paths are meant from where the person is.
  if (typedIn !== undefined && (npmScript === 'start' || npmScript === 'rollscope')) process.chdir(typedIn);
  const { main } = await import(pathToFileURL(await bundledCommandLine()).href);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return main(args, { version, ensureApp });
}
