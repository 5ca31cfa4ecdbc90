import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isProgram, onPath, starts, tool } from './processes.mjs';
import { Advice, say } from './project.mjs';
import { installFromSystem } from './system-packages.mjs';

const patience = 5 * 60 * 1000;

/** How the tests start a browser: it fetches nothing on its own account. */
export const launchArguments = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Chromium's sandbox refuses to run as root, which is what containers are.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/**
 * A Chromium that starts: the one the person names, Playwright's own, or one that is installed.
 * @returns {Promise<string | undefined>}
 */
export async function findBrowser() {
  const named = process.env.PLAYWRIGHT_CHROMIUM;
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named;
    throw new Advice(`PLAYWRIGHT_CHROMIUM names ${named}, which does not exist.`);
  }
  const { chromium } = await import('playwright');
  const candidates = [chromium.executablePath(), ...usualNames.map(onPath), ...usualPlaces()];
  return candidates.find((file) => file !== undefined && isProgram(file) && starts(file));
}

/**
 * Finds a browser or installs one.
 * @returns {Promise<string>}
 */
export async function ensureBrowser() {
  const ways = [
    async () => {},
    () => playwright('install', 'chromium'),
    () => installFromSystem('chromium'),
    // Playwright's download is there by now, or never will be; it may lack the system's libraries.
    () => playwright('install-deps', 'chromium'),
  ];
  for (const way of ways) {
    await way();
    const found = await findBrowser();
    if (found !== undefined) return found;
  }
  throw new Advice(
    [
      'The browser tests need Chromium. None was found, and none could be installed. Do one of these:',
      '  npx playwright install --with-deps chromium',
      "  install Chromium or Chrome with the system's package manager, so that it is on the PATH",
      '  PLAYWRIGHT_CHROMIUM=/path/to/chromium npm test',
    ].join('\n'),
  );
}

/**
 * @param {string[]} args
 */
async function playwright(...args) {
  if (args[0] === 'install-deps' && process.platform !== 'linux') return;
  say(`Installing Chromium: npx playwright ${args.join(' ')}`);
  await tool('playwright', 'cli.js', args, { timeout: patience });
}

const usualNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

function usualPlaces() {
  if (process.platform === 'darwin') {
    return ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  }
  if (process.platform !== 'win32') return [];
  const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => process.env[name]);
  return folders.flatMap((folder) =>
    folder === undefined ? [] : [join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')],
  );
}
