import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './project.mjs';

const windows = process.platform === 'win32';

/**
 * Runs a program in the project's folder and gives its exit code; 1 where it could not be started or took
 * too long. What it prints goes to standard error unless `stdout` says otherwise.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, timeout?: number, stdout?: 'inherit' }} [options]
 * @returns {Promise<number>}
 */
export function run(program, args, { env = {}, timeout, stdout } = {}) {
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', stdout ?? 2, 2],
      ...(timeout === undefined ? {} : { timeout }),
    });
    child.on('error', () => done(1));
    child.on('close', (code) => done(code ?? 1));
  });
}

/**
 * Runs npm, which is a script and not a program everywhere.
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, stdout?: 'inherit' }} [options]
 */
export function npm(args, options) {
  const script = process.env.npm_execpath;
  if (script !== undefined && /\.c?js$/.test(script))
    return run(process.execPath, [script, ...args], options);
  return windows ? run('cmd', ['/c', 'npm', ...args], options) : run('npm', args, options);
}

/**
 * Runs the program of an installed package: `tool('vite', 'bin/vite.js', ['build'])`.
 * @param {string} name
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, timeout?: number, stdout?: 'inherit' }} [options]
 */
export function tool(name, file, args, options) {
  return run(process.execPath, [join(root, 'node_modules', name, file), ...args], options);
}

/**
 * The full path of a program on the PATH.
 * @param {string} name
 * @returns {string | undefined}
 */
export function onPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, windows ? `${name}.exe` : name);
    if (folder !== '' && isProgram(file)) return file;
  }
  return undefined;
}

/**
 * @param {string} file
 */
export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether a program starts at all: a browser without its libraries does not, nor does a stub that only
 * says where to get the real one.
 * @param {string} file
 */
export function starts(file) {
  // Chrome on Windows opens a window instead of printing its version.
  if (windows) return true;
  return spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}
