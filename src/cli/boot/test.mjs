import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from './app.mjs';
import { ensureBrowser } from './browser.mjs';
import { ensureInstalled } from './install.mjs';
import { npm, tool } from './processes.mjs';
import { Advice, root, script } from './project.mjs';
import { ensureRedis, redisAdvice } from './redis.mjs';
import { playwrightTally, vitestTally } from './tally.mjs';

const reports = join(root, 'test-results', 'reports');

/**
 * The stages, in order; the first that fails is the last that runs.
 * @typedef {import('./tally.mjs').Tally} Tally
 * @type {{ title: string, run: () => Promise<Tally | void> }[]}
 */
const stages = [
  { title: 'Packages', run: ensureInstalled },
  { title: 'Type check', run: () => packageScript('typecheck') },
  { title: 'Lint and format', run: () => packageScript('lint') },
  { title: 'Unit and property tests', run: unitTests },
  { title: 'Production build', run: buildApp },
  { title: 'Browser tests', run: browserTests },
];

await script(async () => {
  const total = { passed: 0, failed: 0, skipped: /** @type {string[]} */ ([]) };
  for (const { title, run } of stages) {
    console.log(`\n== ${title} ==`);
    const started = performance.now();
    const failed = await run().then(add, report);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${failed ? 'FAILED' : 'ok'}: ${title}, ${seconds} s`);
    if (failed) break;
  }

  for (const name of total.skipped) console.log(`skipped: ${name}`);
  const skipped = total.skipped.length === 0 ? '' : `, ${total.skipped.length} skipped`;
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  return total.failed === 0 ? 0 : 1;

  /** @param {Tally | void} tally */
  function add(tally) {
    total.passed += tally?.passed ?? 0;
    total.failed += tally?.failed ?? 0;
    total.skipped.push(...(tally?.skipped ?? []));
    return (tally?.failed ?? 0) > 0;
  }

  /**
   * A stage that could not be finished counts as one failure.
   * @param {unknown} error
   */
  function report(error) {
    console.log(error instanceof Advice ? error.message : error);
    total.failed++;
    return true;
  }
});

/**
 * @param {string} name
 */
async function packageScript(name) {
  if ((await npm(['run', '--silent', name], { stdout: 'inherit' })) !== 0)
    throw new Advice(`npm run ${name} failed.`);
}

async function unitTests() {
  const redis = await ensureRedis();
  console.log(redis === undefined ? redisAdvice : `Redis: ${redis.from}`);
  try {
    const file = freshReport('vitest.json');
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const env = redis === undefined ? {} : { REDIS_URL: redis.url };
    const code = await tool('vitest', 'vitest.mjs', args, { env, stdout: 'inherit' });
    return vitestTally(read(file), code);
  } finally {
    await redis?.stop();
  }
}

async function browserTests() {
  const browser = await ensureBrowser();
  console.log(`Browser: ${browser}`);
  const file = freshReport('playwright.json');
  const env = { PLAYWRIGHT_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const args = ['test', '--reporter=list,json'];
  const code = await tool('@playwright/test', 'cli.js', args, { env, stdout: 'inherit' });
  return playwrightTally(read(file), code);
}

/**
 * @param {string} name
 */
function freshReport(name) {
  mkdirSync(reports, { recursive: true });
  const file = join(reports, name);
  rmSync(file, { force: true });
  return file;
}

/**
 * @param {string} file
 */
function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
