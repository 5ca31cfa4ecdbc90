import { expect, test } from './support/app';

test('every bundled sample opens from the first screen', async ({ app }) => {
  const cards = app.getByRole('list').last().getByRole('button');
  const count = await cards.count();
  expect(count).toBeGreaterThanOrEqual(4);
  for (let index = 0; index < count; index++) {
    await app.goto('/');
    await cards.nth(index).click();
    await expect(app).toHaveURL(/source=sample\//);
    await expect(app.getByRole('slider', { name: 'Step' })).toBeVisible();
  }
});

test('a link into a sample opens by itself', async ({ page }) => {
  await page.goto('/?source=sample/counter&episode=1&step=1');
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuenow', '1');
});
