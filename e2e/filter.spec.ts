import { expect, test } from './support/app';
import { dropFiles } from './support/drop';
import { rolloutFile } from './support/rollouts';

test('a filter in the words of other languages says how it is written here', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [{ name: 'apples.jsonl', text: rolloutFile(12) }]);
  const region = page.getByRole('region', { name: 'Episodes' });
  const rows = page.getByRole('grid', { name: 'Episodes' }).getByRole('row');
  await expect(rows).toHaveCount(13);
  const box = page.getByRole('combobox', { name: 'Filter' });

  await box.fill('Tool calls > 5');
  await box.press('Enter');
  await expect(region.getByRole('alert')).toHaveText('The column Tool calls is written toolCalls');
  await expect(region.locator('[data-wrong]', { hasText: /^Tool calls$/ })).toBeVisible();

  await box.fill('reward between 0.2 and 0.5');
  await box.press('Enter');
  const alert = region.getByRole('alert');
  await expect(alert).toHaveText('This is no way to compare. Write reward >= 0.2 reward <= 0.5');
  await expect(rows).toHaveCount(13);
  await box.fill('reward >= 0.2 reward <= 0.5');
  await box.press('Enter');
  await expect(rows).toHaveCount(5);

  await box.fill('reward');
  await box.press('Enter');
  await expect(region.getByRole('alert')).toHaveCount(0);
  await expect(region).toContainText('This looks for the word reward. To compare, write reward > 0');
  await expect(box).toHaveAccessibleDescription(/looks for the word reward/);
  await box.fill('"reward"');
  await box.press('Enter');
  await expect(region).not.toContainText('looks for the word');
});
