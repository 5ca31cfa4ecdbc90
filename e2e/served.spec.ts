import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/app';
import { newFolder } from './support/folder';
import { rollout, rolloutFile } from './support/rollouts';

const rows = (page: Page) =>
  page
    .getByRole('grid', { name: 'Episodes' })
    .getByRole('row')
    .filter({ hasText: /task \d/ });

/** Files are looked at every second. */
const patient = expect.configure({ timeout: 20_000 });

async function fileWith(text: string, name = 'given.jsonl'): Promise<string> {
  const path = join(await newFolder(), name);
  await writeFile(path, text);
  return path;
}

test('files given to the command line open by themselves, and after a reload', async ({
  page,
  serveFiles,
}) => {
  const { url } = await serveFiles(await fileWith(rolloutFile(3)));
  const asked: { range: string | undefined; status: number }[] = [];
  page.on('response', (response) => {
    if (!/api\/sources\/\d/.test(response.url())) return;
    asked.push({ range: response.request().headers()['range'], status: response.status() });
  });
  await page.goto(url);
  const slider = page.getByRole('slider', { name: 'Step' });
  await expect(slider).toBeVisible();
  await page.keyboard.press('j');
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await page.reload();
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await expect(page.getByText('given.jsonl').first()).toBeVisible();
  // In parts, so that a file need not fit into the page.
  expect(asked.length).toBeGreaterThan(0);
  for (const { range, status } of asked) {
    expect(range).toMatch(/^bytes=/);
    expect(status).toBe(206);
  }
});

test('a file of the command line that was closed is there again with back', async ({ page, serveFiles }) => {
  const { url } = await serveFiles(
    await fileWith(rolloutFile(3), 'one.jsonl'),
    await fileWith(rolloutFile(2), 'two.jsonl'),
  );
  await page.goto(url);
  await patient(rows(page)).toHaveCount(5);
  await page.getByRole('button', { name: 'Close one.jsonl' }).click();
  await patient(rows(page)).toHaveCount(2);
  await page.goBack();
  await patient(rows(page)).toHaveCount(5);
  await patient(page.getByRole('slider', { name: 'Step' })).toBeVisible();
});

test('--watch adds rows as a file grows, and keeps the place', async ({ page, serveFiles }) => {
  const path = await fileWith(rolloutFile(3));
  const { url } = await serveFiles('--watch', path);
  await page.goto(url);
  await patient(rows(page)).toHaveCount(3);
  await patient(page.getByRole('slider', { name: 'Step' })).toBeVisible();
  await page.keyboard.press('J');
  await page.keyboard.press('j');
  await patient(page).toHaveURL(/episode=1.*step=1/);

  // A line comes in two pieces, as a writer's buffer ends where it ends.
  const line = `${rollout({ task: 7, question: 'Came later?' })}\n`;
  await appendFile(path, line.slice(0, 100));
  await patient(page.getByText('Still being written')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Problems' })).toHaveCount(0);
  await patient(rows(page)).toHaveCount(3);
  await appendFile(path, line.slice(100));
  await patient(rows(page)).toHaveCount(4);
  await patient(page.getByRole('region', { name: 'Problems' })).toBeHidden();
  await patient(page).toHaveURL(/episode=1.*step=1/);
  await patient(page.getByText('Question number 1?').first()).toBeVisible();

  await rows(page).filter({ hasText: 'task 7' }).click();
  await patient(page.getByText('Came later?').first()).toBeVisible();
});

test('--watch says that a file was replaced, and opens the new one on request', async ({
  page,
  serveFiles,
}) => {
  test.slow();
  const path = await fileWith(rolloutFile(3));
  const { url } = await serveFiles('--watch', path);
  await page.goto(url);
  await patient(rows(page)).toHaveCount(3);
  await writeFile(path, rollout({ task: 9, question: 'Another run?' }));
  await patient(page.getByText('The file was replaced, shortened or removed')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Open again' }).click();
  await patient(rows(page)).toHaveCount(1);
  await patient(page.getByText('The file was replaced, shortened or removed')).toBeHidden();
  await patient(page.getByText('Another run?').first()).toBeVisible();
});

test('--watch opens files that come into a folder, in one table', async ({ page, serveFiles }) => {
  const folder = await newFolder();
  await mkdir(join(folder, 'night'));
  await writeFile(join(folder, 'night', 'a.jsonl'), rolloutFile(2));
  const { url } = await serveFiles('--watch', join(folder, 'night'));
  await page.goto(url);
  await patient(rows(page)).toHaveCount(2);
  await writeFile(join(folder, 'night', 'b.jsonl'), rolloutFile(3));
  await patient(rows(page)).toHaveCount(5);
  await patient(page.getByRole('columnheader', { name: 'Source' })).toBeVisible();
  await patient(page.getByRole('gridcell', { name: 'night/b.jsonl' }).first()).toBeVisible();
});

test.describe('a URL', () => {
  let host: Server;
  let url = '';

  test.beforeAll(async () => {
    host = createServer((request, response) => {
      if (request.url === '/run.jsonl') response.end(rolloutFile(4));
      // A host that never answers.
      else if (request.url === '/run.jsonl.slow') return;
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => {
      host.listen(0, '127.0.0.1', () => done());
    });
    const address = host.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/run.jsonl`;
  });

  test.afterAll(() => {
    host.close();
    host.closeAllConnections();
  });

  test('is fetched by the local server, and opens again after a reload', async ({ page, serveFiles }) => {
    await page.goto((await serveFiles()).url);
    await page.getByLabel('URL of a file').fill(url);
    await page.getByLabel('URL of a file').press('Enter');
    await expect(rows(page)).toHaveCount(4);
    await page.keyboard.press('J');
    await expect(page).toHaveURL(/source=.*run\.jsonl.*episode=1/);
    await page.reload();
    await expect(rows(page)).toHaveCount(4);
    await expect(page.getByText('Question number 1?').first()).toBeVisible();
  });

  test('of a host that does not answer is given up on request', async ({ page, serveFiles }) => {
    await page.goto((await serveFiles()).url);
    const field = page.getByLabel('URL of a file');
    await field.fill(`${url}.slow`);
    await field.press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Open URL' })).toBeEnabled();
    await field.fill(url);
    await field.press('Enter');
    await patient(rows(page)).toHaveCount(4);
  });

  test('of a link that was never opened here is asked for only on request', async ({ page, serveFiles }) => {
    const local = new URL((await serveFiles()).url);
    local.searchParams.set('source', url);
    local.searchParams.set('episode', '2');
    await page.goto(local.href);
    await expect(page.getByText('This link names a URL')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open it' }).click();
    await expect(page.getByText('Question number 2?').first()).toBeVisible();
  });

  test.describe('that cannot be had', () => {
    // The browser notes what the local server answers for others.
    test.use({ expectedErrors: /status of (404|502)/ });

    test('is said to be, with the reason', async ({ page, serveFiles }) => {
      await page.goto((await serveFiles()).url);
      const field = page.getByLabel('URL of a file');
      for (const [text, reason] of [
        ['not a url', 'This is no URL of a file'],
        [`${url}.gone`, 'answered 404'],
        ['http://127.0.0.1:1/run.jsonl', '127.0.0.1:1 cannot be reached'],
      ] as const) {
        await field.fill(text);
        await field.press('Enter');
        await expect(page.getByRole('alert')).toContainText(reason);
      }
      await expectAccessible(page);
    });
  });

  test('is not fetched by a copy of the page without a local server', async ({ app }) => {
    await app.getByLabel('URL of a file').fill(url);
    await app.getByRole('button', { name: 'Open URL' }).click();
    await expect(app.getByRole('alert')).toContainText('This copy of the page cannot fetch from other hosts');
  });
});
