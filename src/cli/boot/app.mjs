import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, shared } from './fingerprint.mjs';
import { tool } from './processes.mjs';
import { Advice, root, say } from './project.mjs';

const folder = join(root, 'dist', 'app');
// Inside the folder, which a build empties first: the note can not outlive the build it is about.
const note = join(folder, '.built-from');

/**
 * The folder of the built app, built anew where the sources are not those it was built from.
 * @returns {Promise<string>}
 */
export async function ensureApp() {
  const published = !existsSync(join(root, 'vite.config.ts'));
  // Whoever only wants the app can do nothing about a warning of the bundler.
  if (!published && !isBuilt()) await buildApp('error');
  return folder;
}

/** @param {'error' | 'warn'} logLevel what the bundler may say */
export async function buildApp(logLevel = 'warn') {
  say('Building the app ...');
  const sources = fingerprintOfApp();
  const code = await tool('vite', 'bin/vite.js', ['build', '--logLevel', logLevel]);
  if (code !== 0) throw new Advice('The app could not be built: vite build failed, its reason is above.');
  writeFileSync(note, sources);
}

function isBuilt() {
  return existsSync(note) && readFileSync(note, 'utf8') === fingerprintOfApp();
}

function fingerprintOfApp() {
  const settings = ['index.html', 'vite.config.ts', 'src/cli/csp.ts', 'tsconfig.json', 'package-lock.json'];
  return fingerprint([...shared, 'src/app', 'public', ...settings]);
}
