import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { expect, test } from './support/app';
import { dropFiles } from './support/drop';
import { rolloutFile } from './support/rollouts';

/** Every screen of the page, and how one gets there. */
const screens: Record<string, (page: Page) => Promise<void>> = {
  'the first screen': async (page) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  'an episode with Info': openApples,
  'an episode with Findings': async (page) => {
    await openApples(page);
    await page.keyboard.press('2');
    await expect(page.getByRole('tab', { name: /Findings/ })).toHaveAttribute('aria-selected', 'true');
  },
  'an episode with Raw': async (page) => {
    await openApples(page);
    await page.keyboard.press('3');
    await expect(page.getByRole('tab', { name: 'Raw' })).toHaveAttribute('aria-selected', 'true');
  },
  'the full history as Markdown': async (page) => {
    await openApples(page);
    await page.keyboard.press('.');
    await page.keyboard.press('m');
    await expect(page.getByText('There are seven apples.').first()).toBeVisible();
  },
  'what changed': async (page) => {
    await openApples(page);
    await page.keyboard.press('j');
    await page.keyboard.press('.');
    await page.keyboard.press('.');
    await expect(page.getByRole('radio', { name: 'What changed' })).toBeChecked();
  },
  'the choice of columns': async (page) => {
    await openApples(page);
    await page.getByRole('button', { name: 'Columns' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'the palette': async (page) => {
    await openApples(page);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'all keys': async (page) => {
    await openApples(page);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  problems: async (page) => {
    await dropFiles(page, [{ name: 'torn.jsonl', text: `${rolloutFile(2)}{"torn": \n<html>\n` }]);
    await expect(page.getByRole('region', { name: 'Problems' })).toBeVisible();
  },
  'a file that cannot be opened': async (page) => {
    await dropFiles(page, [{ name: 'empty.jsonl', text: '' }]);
    await expect(page.getByRole('region', { name: 'Episode', exact: true })).toContainText(/empty/i);
  },
  'a link that waits for its file': async (page) => {
    await page.goto('/?source=far.jsonl&episode=2&step=1');
    await expect(page.getByText('Drop far.jsonl here')).toBeVisible();
  },
};

for (const [name, reach] of Object.entries(screens)) {
  test(`${name} is accessible in both themes`, async ({ app }) => {
    // Axe looks at every element twice, once per theme.
    test.slow();
    await reach(app);
    await expectAccessible(app);
  });
}

async function openApples(page: Page): Promise<void> {
  await dropFiles(page, [{ name: 'apples.jsonl', text: rolloutFile(12) }]);
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
}
