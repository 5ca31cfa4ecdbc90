import { expect, expectAccessible, test } from './support/app';
import { dropFiles } from './support/drop';
import { rolloutFile } from './support/rollouts';

const one = { name: 'one.jsonl', text: rolloutFile(2) };
const other = { name: 'other.jsonl', text: rolloutFile(3) };
const compared = '/?source=one.jsonl&episode=1&compare=2:other.jsonl';

test('the pinned episode is there after a reload, and closing its source ends the comparison', async ({
  page,
}) => {
  await page.goto('/');
  await dropFiles(page, [one, other]);
  const sources = page.getByRole('list', { name: 'Sources' }).getByRole('listitem');
  await expect(page.getByRole('grid', { name: 'Episodes' })).toHaveAttribute('aria-rowcount', '6');
  await page.goto(compared);
  const sideBySide = page.getByRole('group', { name: 'Steps side by side' });
  await expect(sideBySide).toBeVisible();
  await expect(page).toHaveURL(/source=one\.jsonl&episode=1/);
  await expect(sources).toHaveCount(2);

  await sources.filter({ hasText: 'other.jsonl' }).getByRole('button', { name: /close/i }).click();
  await expect(sources).toHaveCount(1);
  await expect(page).not.toHaveURL(/compare=/);
  await expect(page).toHaveURL(/source=one\.jsonl&episode=1/);
  await expect(sideBySide).toBeHidden();
});

test('a comparison with a source that this browser does not have says so, and goes on once it is dropped', async ({
  page,
}) => {
  await page.goto('/');
  await dropFiles(page, [one]);
  await expect(page.getByText('Question number 0?').first()).toBeVisible();
  await page.goto(compared);
  await expect(page.getByText('The pinned episode is not there')).toBeVisible();
  await expectAccessible(page);
  await dropFiles(page, [other]);
  await expect(page.getByRole('group', { name: 'Steps side by side' })).toBeVisible();
  await expect(page).toHaveURL(/source=one\.jsonl&episode=1/);

  await page.goto('/?source=one.jsonl&episode=1&compare=7:other.jsonl');
  await expect(page.getByText('which has no such episode')).toBeVisible();
  await page.getByRole('button', { name: 'Close the comparison' }).click();
  await expect(page).not.toHaveURL(/compare=/);
  await expect(page.getByText('Question number 1?').first()).toBeVisible();
});
