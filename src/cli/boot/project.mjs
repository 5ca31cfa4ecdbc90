import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = resolve(fileURLToPath(import.meta.url), '../../../..');

/**
 * For the person; standard output is kept for data.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Something the person has to do; printed without a stack.
 */
export class Advice extends Error {}

/**
 * Runs a script's body and turns what it throws into a message and an exit code.
 * @param {() => Promise<number>} body
 */
export async function script(body) {
  try {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    if (major < 20 || (major === 20 && minor < 19)) {
      throw new Advice(`Rollscope needs Node 20.19 or later; this is ${process.versions.node}.`);
    }
    process.exitCode = await body();
  } catch (error) {
    say(error instanceof Advice ? error.message : String(error instanceof Error ? error.stack : error));
    process.exitCode = 1;
  }
}
