import { createServer, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/app';
import { rolloutFile } from './support/rollouts';

const count = 2000;
const plain = Buffer.from(rolloutFile(count));
const packed = gzipSync(plain, { level: 0 });
/** More than a reader wants to see before it shows rows. */
const sentAtFirst = 1_000_000;

/** A host whose connection stands still or breaks off in the middle, until it does not. */
class Host {
  trouble: 'stalls' | 'breaks' | undefined;
  plain = plain;
  etag: string | undefined;
  asked: string[] = [];
  private readonly server: Server;
  private sent = 0;

  constructor() {
    this.server = createServer((request, response) => {
      const body = request.url?.endsWith('.gz') === true ? packed : this.plain;
      const { range = '' } = request.headers;
      const [start = 0, last = body.length - 1] = /\d+-\d+/.exec(range)?.[0].split('-').map(Number) ?? [];
      this.asked.push(range);
      response.setHeader('Content-Range', `bytes ${start}-${last}/${body.length}`);
      response.setHeader('Content-Length', last + 1 - start);
      if (this.etag !== undefined) response.setHeader('ETag', this.etag);
      response.writeHead(206);
      this.send(response, body.subarray(start, last + 1));
    });
  }

  private send(response: ServerResponse, bytes: Buffer): void {
    // A single record always comes.
    const isAll = this.trouble === undefined || bytes.length < 10_000;
    const most = sentAtFirst - this.sent;
    if (isAll) response.end(bytes);
    else {
      this.sent = sentAtFirst;
      response.write(bytes.subarray(0, most), () => {
        // Not before it has arrived.
        if (this.trouble === 'breaks') setTimeout(() => response.destroy(), 500);
      });
    }
  }

  async start(): Promise<string> {
    await new Promise<void>((done) => {
      this.server.listen(0, '127.0.0.1', () => done());
    });
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

let host: Host;
let origin = '';
test.beforeEach(async () => {
  host = new Host();
  origin = await host.start();
});
test.afterEach(() => host.stop());

async function openUrl(page: Page, path: string): Promise<Locator> {
  await page.getByLabel('URL of a file').fill(`${origin}${path}`);
  await page.getByLabel('URL of a file').press('Enter');
  return page.getByRole('list', { name: 'Sources' }).getByRole('listitem');
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Episodes' });
const rowCount = async (page: Page) => Number(await grid(page).getAttribute('aria-rowcount')) - 1;

test('a reading that was stopped goes on where it stopped, and the place stays', async ({
  page,
  serveFiles,
}) => {
  await page.goto((await serveFiles()).url);
  host.trouble = 'stalls';
  const source = await openUrl(page, '/run.jsonl');
  await expect.poll(() => rowCount(page)).toBeGreaterThan(0);
  await page.keyboard.press('J');
  await source.getByRole('button', { name: 'Cancel' }).click();
  await expect(source).toContainText(/Stopped at \d+%: the first [\d,]+ episodes are here/);
  expect(await rowCount(page)).toBeLessThan(count);
  await expectAccessible(page);

  host.trouble = undefined;
  host.asked = [];
  await source.getByRole('button', { name: 'Read on' }).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(count + 1));
  await expect(source).not.toContainText('Stopped');
  await expect(source.getByRole('button', { name: 'Read on' })).toHaveCount(0);
  await expect(page).toHaveURL(/episode=1\b/);
  await expect(page.getByText('Question number 1?').first()).toBeVisible();
  // Its edges, and from there on.
  const starts = host.asked.map((range) => Number(/\d+/.exec(range)?.[0]));
  expect(Math.max(...starts)).toBeGreaterThan(500_000);
  await grid(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Question number ${count - 1}?`).first()).toBeVisible();
});

test('a reading whose connection broke off goes on when the host is back', async ({ page, serveFiles }) => {
  await page.goto((await serveFiles()).url);
  host.trouble = 'breaks';
  const source = await openUrl(page, '/run.jsonl');
  await expect(source).toContainText('Reading stopped');
  await expect(source).toContainText('What was read stays');
  // The host is still away.
  await source.getByRole('button', { name: 'Read on' }).click();
  await expect(source).toContainText('Reading stopped');
  expect(await rowCount(page)).toBeLessThan(count);

  host.trouble = undefined;
  await source.getByRole('button', { name: 'Read on' }).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(count + 1));
  await expect(source).not.toContainText('Reading stopped');
  await expect(page.getByRole('region', { name: 'Problems' })).toHaveCount(0);
});

const isEdge = (range: string): boolean => {
  const [start = 0, last = 0] = /\d+-\d+/.exec(range)?.[0].split('-').map(Number) ?? [];
  return last + 1 - start === 512;
};

for (const etags of [['"one"', '"two"'], []]) {
  const named = etags.length > 0 ? 'says' : 'does not say';
  test(`a file that is another one by now can be opened again, where the host ${named} so`, async ({
    page,
    serveFiles,
  }) => {
    await page.goto((await serveFiles()).url);
    host.trouble = 'stalls';
    host.etag = etags[0];
    const source = await openUrl(page, '/run.jsonl');
    await expect(page.getByText('Question number 0?').first()).toBeVisible();
    host.asked = [];
    await source.getByRole('button', { name: 'Cancel' }).click();
    // Its first bytes and its last, by which it is known again.
    await expect.poll(() => host.asked.filter(isEdge)).toHaveLength(2);
    host.trouble = undefined;
    host.etag = etags[1];
    host.plain = Buffer.from(plain.toString().replaceAll('Question number', 'Another number!'));
    await source.getByRole('button', { name: 'Read on' }).click();
    await expect(source).toContainText('The file was replaced');
    await source.getByRole('button', { name: 'Open again' }).click();
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(count + 1));
    await expect(source).not.toContainText('The file was replaced');
    await expect(page.getByText('Another number! 0?').first()).toBeVisible();
  });
}

test('the keyboard stays on the button that stops a reading and takes it up', async ({
  page,
  serveFiles,
}) => {
  await page.goto((await serveFiles()).url);
  host.trouble = 'stalls';
  const source = await openUrl(page, '/run.jsonl');
  await expect.poll(() => rowCount(page)).toBeGreaterThan(0);
  await source.getByRole('button', { name: 'Cancel' }).focus();
  for (const next of ['Read on', 'Cancel', 'Read on']) {
    await page.keyboard.press('Enter');
    await expect(source.getByRole('button', { name: next })).toBeFocused();
  }
});

test('what can only be read from its start is read again', async ({ page, serveFiles }) => {
  await page.goto((await serveFiles()).url);
  host.trouble = 'stalls';
  const source = await openUrl(page, '/run.jsonl.gz');
  await expect.poll(() => rowCount(page)).toBeGreaterThan(0);
  await source.getByRole('button', { name: 'Cancel' }).click();
  host.trouble = undefined;
  await source.getByRole('button', { name: 'Read again' }).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(count + 1));
  await expect(source).toHaveCount(1);
});
