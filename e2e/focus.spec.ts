import type { Page } from '@playwright/test';
import { expect, test } from './support/app';
import { dropFiles } from './support/drop';
import { rollout } from './support/rollouts';

const grid = (page: Page) => page.getByRole('grid', { name: 'Episodes' });
const card = (page: Page) => page.getByRole('button', { name: /counter_rollouts\.jsonl/ });

test('who opens a sample with keys goes on with keys', async ({ page }) => {
  await page.goto('/');
  await expect(card(page)).toBeVisible();
  // By Tab, as far as it takes: only then does the browser show where the focus is.
  while (!(await card(page).evaluate((own) => own === document.activeElement))) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect(grid(page)).toBeFocused();
  await expect(page.locator('main')).not.toHaveAttribute('tabindex');
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/episode=1/);

  // Back on the first screen, and to what is open.
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  const open = page.getByRole('region', { name: 'Open now' }).getByRole('button');
  await open.focus();
  await page.keyboard.press('Enter');
  await expect(grid(page)).toBeFocused();
});

test('who opens a sample with the mouse, or a link, keeps the focus where it is', async ({ page }) => {
  await page.goto('/');
  await card(page).click();
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  expect(await focused()).toBe('BODY');
  await page.reload();
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
  expect(await focused()).toBe('BODY');
  await page.goto('/');
  await dropFiles(page, [{ name: 'one.jsonl', text: rollout() }]);
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
  expect(await focused()).toBe('BODY');
});
