import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './processes.mjs';
import { Advice, root, say } from './project.mjs';

/** Installs the packages unless `node_modules` already holds what the lock file asks for. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  say('Installing packages (npm ci) ...');
  // npm hands its own settings down; a `--no-save` or `--omit` meant for the caller is not meant for this.
  const code = await npm([
    'ci',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--include=dev',
    '--include=optional',
  ]);
  if (code !== 0)
    throw new Advice('The packages could not be installed: npm ci failed, its reason is above.');
}

/**
 * npm writes down what it installed in `node_modules/.package-lock.json`, last of all. Times say little
 * after a checkout, so the two lists are compared: every package there, in the version that is locked.
 */
export function isInstalled() {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
    if (path === '') return true;
    const found = present[path];
    // Bindings for other platforms are left out rightly.
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version && found.integrity === integrity;
  });
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockedPackage
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined}
 */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
