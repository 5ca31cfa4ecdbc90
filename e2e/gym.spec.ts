import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/app';
import { newFolder } from './support/folder';

/** Answers of 4xx and 5xx that a test asks for are errors to the browser's console. */
const FAILED_ANSWERS = /Failed to load resource: the server responded with a status of/;

async function openGym(page: Page, more = ''): Promise<void> {
  await page.goto(`/?page=gym${more}`);
  await expect(page.getByText('behind a service worker')).toBeVisible({ timeout: 30_000 });
}

/** Chooses an endpoint, fills in its fields, sends, and gives what came back. */
async function ask(page: Page, endpoint: string, fields: Record<string, string> = {}): Promise<string> {
  await page.getByLabel('Endpoint').selectOption(endpoint);
  const form = page.getByRole('form', { name: 'Request' });
  for (const [name, value] of Object.entries(fields)) await form.getByLabel(name).fill(value);
  const sent = page.getByText(/^\d+ requests?,/);
  const before = (await sent.count()) === 0 ? '' : await sent.innerText();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(sent).not.toHaveText(before === '' ? '0' : before);
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  return page.getByRole('region', { name: 'Response' }).innerText();
}

async function count(page: Page): Promise<number> {
  const answer = await ask(page, 'get_counter_value');
  return Number(/"count": (-?\d+)/.exec(answer)?.[1]);
}

// Each waits for a service worker to take the page over, which is the browser's to time.
test.describe.configure({ timeout: 90_000 });

test('the page is found by button, by keys and by its link, and left again', async ({ app }) => {
  await app.getByRole('button', { name: 'Environments' }).click();
  await expect(app).toHaveURL(/\?page=gym$/);
  await expect(app.getByText('behind a service worker')).toBeVisible({ timeout: 30_000 });
  await expect(app.getByRole('navigation', { name: 'Environments' }).getByRole('listitem')).toHaveCount(6);
  await app.goBack();
  await expect(app.getByRole('heading', { name: /See what really happened/ })).toBeVisible();
  await app.keyboard.press('g');
  await app.keyboard.press('e');
  // The worker was stopped when the page was left, and takes requests again.
  await expect(app.getByText('behind a service worker')).toBeVisible({ timeout: 30_000 });
  expect(await ask(app, 'seed_session')).toContain('200');
});

test('seeded with 3 and incremented by 2, the counter is 5 and the reward 1', async ({ page }) => {
  await openGym(page);
  const intercepted = page.waitForResponse((response) =>
    response.url().endsWith('/gym/stateful_counter/seed_session'),
  );
  const seeded = await ask(page, 'seed_session', { initial_count: '3' });
  expect((await intercepted).fromServiceWorker()).toBe(true);
  expect(seeded).toContain('new session');
  expect(seeded).toMatch(/set-cookie\s+StatefulCounterResourcesServer___stateful_counter=/);
  const added = await ask(page, 'increment_counter', { count: '2' });
  expect(added).toMatch(/count\s+3\s+→\s+5/);
  expect(await count(page)).toBe(5);
  expect(await ask(page, 'verify', { expected_count: '5' })).toContain('"reward": 1');
  await expect(page.getByRole('table', { name: 'Sessions' })).toContainText('{count: 5}');
});

test('two clients have a session each', async ({ page }) => {
  await openGym(page);
  await ask(page, 'seed_session', { initial_count: '3' });
  await page.getByRole('button', { name: 'New client' }).click();
  await expect(page.getByRole('textbox', { name: 'Cookie' })).toHaveValue('');
  await ask(page, 'seed_session', { initial_count: '40' });
  await ask(page, 'increment_counter', { count: '1' });
  expect(await count(page)).toBe(41);
  await page.getByLabel('Client', { exact: true }).selectOption('Client 1');
  expect(await count(page)).toBe(3);
  await expect(page.getByRole('table', { name: 'Sessions' }).getByRole('row')).toHaveCount(3);
});

test('memory loses the session with a restart and among instances', async ({ page }) => {
  await openGym(page);
  await ask(page, 'seed_session', { initial_count: '3' });
  await page.getByRole('button', { name: 'Restart the server' }).click();
  await expect(page.getByText('None yet.')).toBeVisible();
  expect(await count(page)).toBe(0);

  await page.getByRole('button', { name: 'Add an instance' }).click();
  expect(await ask(page, 'seed_session', { initial_count: '3' })).toContain('instance 1');
  const answer = await ask(page, 'get_counter_value');
  expect(answer).toContain('instance 2');
  expect(answer).toContain('"count": 0');
});

test('IndexedDB keeps the session over a restart, among instances, over a reload and in another tab', async ({
  page,
  context,
}) => {
  await openGym(page);
  await page.getByRole('radio', { name: 'IndexedDB' }).click();
  await page.getByRole('button', { name: 'Add an instance' }).click();
  await ask(page, 'seed_session', { initial_count: '3' });
  expect(await count(page)).toBe(3);
  await page.getByRole('button', { name: 'Restart the server' }).click();
  expect(await count(page)).toBe(3);

  await page.reload();
  await expect(page.getByText('behind a service worker')).toBeVisible({ timeout: 30_000 });
  await ask(page, 'increment_counter', { count: '2' });
  expect(await count(page)).toBe(5);

  const other = await context.newPage();
  await openGym(other);
  await expect(other.getByRole('table', { name: 'Sessions' })).toContainText('{count: 5}');
  await ask(other, 'increment_counter', { count: '10' });
  await expect(page.getByRole('table', { name: 'Sessions' })).toContainText('{count: 15}');
  expect(await count(page)).toBe(15);
});

async function check(page: Page): Promise<Record<string, string>> {
  await page.getByRole('tab', { name: 'Checklist' }).click();
  const run = page.getByRole('button', { name: 'Run the checklist' });
  await run.click();
  await expect(page.getByRole('button', { name: 'Checking' })).toBeVisible();
  await expect(run).toBeVisible({ timeout: 60_000 });
  const checks = page.locator('[data-check]');
  const found: Record<string, string> = {};
  for (const one of await checks.all()) {
    const id = (await one.getAttribute('data-check')) ?? '';
    found[id] = await one.getByRole('heading').locator('span').innerText();
  }
  return found;
}

const ALL_PASS = {
  isolation: 'pass',
  persistence: 'pass',
  'missing-state': 'pass',
  verification: 'pass',
  cleanup: 'pass',
};

test('the checklist passes, with proof; global state breaks isolation and verification', async ({ page }) => {
  test.slow();
  await openGym(page);
  expect(await check(page)).toEqual(ALL_PASS);
  await page
    .getByText(/^Proof: \d+ exchanges$/)
    .first()
    .click();
  await expect(page.getByText('POST /seed_session').first()).toBeVisible();

  await page.getByRole('checkbox', { name: 'global_state' }).check();
  await expect(page.getByRole('alert')).toContainText('on purpose');
  expect(await check(page)).toEqual({ ...ALL_PASS, isolation: 'fail', verification: 'fail' });
  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

/** `rollscope gym` on a free port, all environments. */
async function gymOnPort(...args: string[]): Promise<{ url: string; stop: () => Promise<void> }> {
  const program = fileURLToPath(new URL('../src/cli/boot/rollscope.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, 'gym', '--quiet', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  for await (const url of createInterface(child.stdout)) {
    return {
      url,
      stop: async () => {
        child.kill();
        await ended;
      },
    };
  }
  throw new Error('The environment server ended before it said where it is.');
}

test('the checklist runs against a real server, through the local one', async ({ page, server }) => {
  test.slow();
  const gym = await gymOnPort('--idle', '2', '--mistake', 'seed_setdefault');
  await page.goto(server.url);
  // The page has taken the token in, and keeps it when it is left.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('rollscope.token'))).toBe(server.token);
  await openGym(page, '&env=stateful_counter&panel=checklist');
  await page.getByRole('radio', { name: 'By address' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill(`${gym.url}/stateful_counter`);
  expect(await check(page)).toEqual({ ...ALL_PASS, persistence: 'fail' });
  await expect(page.getByText(`4 passed, 1 failed (${gym.url}/stateful_counter)`)).toBeVisible();
  await gym.stop();
});

test.describe('with a clipboard', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  test('copied curl lines, run one after the other against a server on a port, are one session', async ({
    page,
  }) => {
    const gym = await gymOnPort();
    const folder = await newFolder();
    await openGym(page);
    const line = async (endpoint: string, fields: Record<string, string>): Promise<string> => {
      await ask(page, endpoint, fields);
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      // The port that the page names is one that this machine may use for something else.
      const { stdout } = await promisify(execFile)(
        'sh',
        ['-c', copied.replace('http://127.0.0.1:8000', gym.url)],
        { cwd: folder },
      );
      return stdout;
    };
    await page.getByLabel('Endpoint').selectOption('seed_session');
    await page.getByRole('form').getByLabel('initial_count').fill('3');
    expect(await line('seed_session', { initial_count: '3' })).toContain('200 OK');
    expect(await line('increment_counter', { count: '2' })).toContain('"success":true');
    expect(await line('verify', { expected_count: '5' })).toContain('"reward":1');
    await expect(page.getByText('rollscope gym --port 8000')).toBeVisible();
    await gym.stop();
  });
});

test('the link says which environment and which panel', async ({ page }) => {
  await openGym(page, '&env=multi_step_math&panel=tools');
  await expect(page.getByRole('heading', { name: 'Multi-step math' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Tools and schemas' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: /Per-user assistant/ }).click();
  await expect(page).toHaveURL(/\?page=gym&env=per_user_assistant&panel=tools$/);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Multi-step math' })).toBeVisible();
});

test('OpenAPI names the address that the page uses', async ({ page, baseURL }) => {
  await openGym(page);
  expect(await ask(page, 'openapi.json')).toContain(`"url": "${baseURL}/gym/stateful_counter"`);
});

test('the stores are tried: memory loses a session, IndexedDB keeps it', async ({ page }) => {
  await openGym(page, '&panel=stores');
  await page.getByRole('button', { name: 'Try them here' }).click();
  const row = (name: string) => page.getByRole('table', { name: 'Stores' }).getByRole('row', { name });
  await expect(row('memory').getByText('3 → 0 lost')).toHaveCount(2);
  await expect(row('indexeddb').getByText('3 → 3 kept')).toHaveCount(2);
});

test('what a client called itself cannot pass for something else', async ({ page }) => {
  await openGym(page, '&env=per_user_assistant');
  await page.getByRole('textbox', { name: 'Cookie' }).fill('nat-session=al\u00adice');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Sessions' })).toContainText('U+00AD');
});

test('the same script with and without a mistake: the first exchange that differs is pointed at', async ({
  page,
}) => {
  await openGym(page);
  await page.getByRole('tab', { name: 'Side by side' }).click();
  await page.getByLabel('with', { exact: true }).selectOption('drop_cookies');
  await page.getByRole('button', { name: 'Play both' }).click();
  await expect(
    page.getByText('The first exchange that differs is number 3, /get_counter_value.'),
  ).toBeVisible();
  await expect(page.getByText('first difference', { exact: true })).toHaveCount(2);
});

test.describe('what is wrong', () => {
  test.use({ expectedErrors: FAILED_ANSWERS });

  test('is answered with its status, and a form says which field', async ({ page }) => {
    await openGym(page);
    await page.getByLabel('Endpoint').selectOption('increment_counter');
    await page.getByRole('form').getByLabel('count').fill('two');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByText('A whole number is wanted.')).toBeVisible();
    await page.getByRole('radio', { name: 'Raw JSON' }).click();
    await page.getByLabel('Raw JSON body').fill('{"count": "two"}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Response' })).toContainText('422');
    await page.getByLabel('Raw JSON body').fill('{"count": ');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Response' })).toContainText('400');
  });
});

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' });

  test('the server is called directly, and the page says so', async ({ page, baseURL }) => {
    await page.goto('/?page=gym');
    await expect(page.getByText('No service worker: the server is called directly.')).toBeVisible({
      timeout: 30_000,
    });
    await ask(page, 'seed_session', { initial_count: '3' });
    await ask(page, 'increment_counter', { count: '2' });
    expect(await count(page)).toBe(5);
    expect(await ask(page, 'verify', { expected_count: '5' })).toContain('"reward": 1');
    expect(await ask(page, 'openapi.json')).toContain(`"url": "${baseURL}/gym/stateful_counter"`);
  });
});

test('outside of a secure context it works as well, and the page says what is missing', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false });
    for (const name of ['subtle', 'randomUUID']) Reflect.deleteProperty(Crypto.prototype, name);
  });
  await page.goto('/?page=gym');
  await expect(page.getByText('The page is not in a secure context')).toBeVisible({ timeout: 30_000 });
  await ask(page, 'seed_session', { initial_count: '3' });
  await ask(page, 'increment_counter', { count: '2' });
  expect(await count(page)).toBe(5);
});

for (const tab of ['Console', 'Tools and schemas', 'Checklist', 'Side by side', 'Stores']) {
  test(`${tab} is accessible in both themes`, async ({ page }) => {
    test.slow();
    await openGym(page);
    await page.getByRole('checkbox', { name: 'lost_update' }).check();
    await ask(page, 'seed_session');
    await page.getByRole('tab', { name: tab }).click();
    if (tab === 'Side by side') {
      await page.getByRole('button', { name: 'Play both' }).click();
      await expect(page.getByText('The first exchange that differs')).toBeVisible();
    }
    await expectAccessible(page);
  });
}

test('the first screen loads nothing of it', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Environments' })).toBeVisible();
  expect(asked.filter((url) => /Gym|mockServiceWorker|browser-/.test(url))).toEqual([]);
});
