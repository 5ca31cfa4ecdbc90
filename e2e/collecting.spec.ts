import { expect, test } from './support/app';
import { dropFiles } from './support/drop';
import { rolloutFile } from './support/rollouts';

test.use({
  launchOptions: async ({ launchOptions }, provide) => {
    const args = [...(launchOptions.args ?? []), '--js-flags=--expose-gc'];
    await provide({ ...launchOptions, args });
  },
});

test('a file is read and searched whatever the browser takes for garbage meanwhile', async ({ page }) => {
  const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto('/')]);
  const done = new AbortController();
  const collecting = (async () => {
    while (!done.signal.aborted) await worker.evaluate('gc()');
  })();
  try {
    await dropFiles(page, [{ name: 'many.jsonl', text: rolloutFile(20_000) }]);
    await expect(page.getByRole('grid', { name: 'Episodes' })).toHaveAttribute('aria-rowcount', '20001');
    await page.keyboard.press('s');
    await page.keyboard.type('There are seven apples.');
    const search = page.getByRole('search', { name: 'All records' });
    await expect(search).toContainText('20,000 places in 20,000 episodes');
  } finally {
    done.abort();
    await collecting;
  }
});
