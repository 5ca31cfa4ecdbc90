import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './support/app';
import { rolloutFile } from './support/rollouts';

test('files given to the command line open by themselves, and after a reload', async ({
  page,
  serveFiles,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'rollscope-served-'));
  const path = join(folder, 'given.jsonl');
  await writeFile(path, rolloutFile(3));
  const { url } = await serveFiles(path);
  await page.goto(url);
  const slider = page.getByRole('slider', { name: 'Step' });
  await expect(slider).toBeVisible();
  await page.keyboard.press('j');
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await page.reload();
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await expect(page.getByText('given.jsonl').first()).toBeVisible();
});
