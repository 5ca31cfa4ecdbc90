import { expect, test } from './support/app';
import { dropFiles } from './support/drop';
import { rolloutFile } from './support/rollouts';

test.beforeEach(async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [{ name: 'apples.jsonl', text: rolloutFile(6) }]);
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
});

test('one registry: what the palette offers, the keys do and the help lists', async ({ page }) => {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  // In front of the page, and whole.
  await expect(palette).toBeInViewport({ ratio: 1 });
  await palette.getByRole('combobox').fill('last step');
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuenow', '2');

  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuenow', '0');

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'All keys' });
  await expect(help).toContainText('Last step');
  // Keys are the dialog's while it is open.
  await page.keyboard.press('j');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuenow', '0');
});

test('keys that come faster than episodes open are all heeded', async ({ page }) => {
  for (const key of 'JjJjJkjj') await page.keyboard.press(key);
  await expect(page).toHaveURL(/episode=3&step=2/);
  await expect(page.getByText('Question number 3?').first()).toBeVisible();
  // What was typed for an episode that is left again is void.
  for (const key of 'KjjK') await page.keyboard.press(key);
  await expect(page.getByText('Question number 1?').first()).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuenow', '0');
});

test('keys that come faster than episodes open are heeded in their order', async ({ page }) => {
  await page.evaluate(async () => {
    for (const key of ['J', 'j', '3']) {
      window.dispatchEvent(new KeyboardEvent('keydown', { key }));
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
  await expect(page).toHaveURL(/episode=1&step=1&tab=raw/);
  await page.goBack();
  await expect(page).toHaveURL(/episode=1&step=1$/);
  await page.goBack();
  await expect(page).toHaveURL(/episode=1$/);
});

test('the table is driven by keys alone: sort, move, open', async ({ page }) => {
  const table = page.getByRole('grid', { name: 'Episodes' });
  const reward = table.getByRole('columnheader', { name: /reward/i });
  await table.getByRole('button', { name: 'Episode', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(reward).toHaveAttribute('aria-sort', 'descending');
  const rows = table.getByRole('row').filter({ hasText: /task \d/ });
  await expect(rows.first()).toContainText('0.5');

  await table.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/episode=5/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/episode=4/);
  await page.keyboard.press('J');
  await expect(page).toHaveURL(/episode=3/);
});

test('columns are hidden, and stay hidden', async ({ page }) => {
  const table = page.getByRole('grid', { name: 'Episodes' });
  await expect(table.getByRole('columnheader', { name: /steps/i })).toBeVisible();
  await page.getByRole('button', { name: /columns/i }).click();
  await page.getByRole('checkbox', { name: /^steps/i }).click();
  await page.keyboard.press('Escape');
  await expect(table.getByRole('columnheader', { name: /steps/i })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: /steps/i })).toHaveCount(0);
});

test('regions close, and the theme turns', async ({ page }) => {
  await page.keyboard.press('e');
  await expect(page.getByRole('region', { name: 'Episodes' })).toHaveCount(0);
  await page.keyboard.press('i');
  await expect(page.getByRole('region', { name: 'Inspector' })).toHaveCount(0);
  await page.keyboard.press('e');
  await expect(page.getByRole('region', { name: 'Episodes' })).toBeVisible();

  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await page.keyboard.press('t');
  const first = await theme();
  await page.keyboard.press('t');
  expect(await theme()).not.toBe(first);
});

test('the timeline scrubs by key, click and wheel', async ({ page }) => {
  const slider = page.getByRole('slider', { name: 'Step' });
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await page.keyboard.press('End');
  await expect(slider).toHaveAttribute('aria-valuenow', '2');
  const box = await slider.boundingBox();
  if (box === null) throw new Error('the slider has no box');
  // The first bar stands right of the axis.
  await page.mouse.click(box.x + 52, box.y + box.height / 2);
  await expect(slider).toHaveAttribute('aria-valuenow', '0');
  await page.mouse.wheel(0, 100);
  await expect(slider).not.toHaveAttribute('aria-valuenow', '0');
});

test('what the table offers is found in the palette by its words', async ({ page }) => {
  const palette = page.getByRole('dialog', { name: 'Commands' });
  const offered = async (typed: string) => {
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill(typed);
    return palette.getByRole('option');
  };
  const region = page.getByRole('region', { name: 'Episodes' });

  await expect(await offered('lint')).toHaveText([/Check all episodes/, /Cancel checking/]);
  await page.keyboard.press('Enter');
  await expect(region).toContainText('6 checked');

  await expect(await offered('group')).toHaveText([/Group by task/]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/group=task/);
  await expect(await offered('ungr')).toHaveText([/Ungroup the episodes/]);
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/group=task/);

  await offered('sort');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/sort=-reward/);

  await expect(await offered('column')).toHaveText([/Columns/]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Columns' })).toHaveCount(0);

  await offered('histogram');
  await page.keyboard.press('Enter');
  await expect(region.getByRole('slider').first()).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/filter=reward/);
  await offered('clear filter');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/filter=/);

  await offered('filter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Filter' })).toBeFocused();

  // Also where the region is closed.
  const messages = page.getByRole('group', { name: 'Messages' });
  for (const [typed, reached] of [
    ['histogram', region.getByRole('slider').first()],
    ['column', page.getByRole('dialog', { name: 'Columns' })],
  ] as const) {
    await messages.focus();
    await page.keyboard.press('e');
    await expect(region).toHaveCount(0);
    await offered(typed);
    await page.keyboard.press('Enter');
    await expect(reached).toBeVisible();
  }
  await page.keyboard.press('Escape');

  await expect(await offered('cancel reading')).toHaveText([/Cancel reading.*Nothing is being read/]);
  await palette.getByRole('combobox').fill('prstep');
  await expect(palette).toContainText('No command of that name');
});

test('what the table cannot do is offered neither by its buttons nor by the palette', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [{ name: 'chat.json', text: '[{"messages":[{"role":"user","content":"Hello"}]}]' }]);
  const group = page.getByRole('button', { name: 'Group by task' });
  await expect(page.getByRole('button', { name: 'Check all episodes' })).toBeEnabled();
  await expect(group).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  const option = (name: string) => palette.getByRole('option', { name });
  await palette.getByRole('combobox').fill('episodes');
  await expect(option('Check all episodes')).toHaveAttribute('aria-disabled', 'false');
  await expect(option('Group by task')).toHaveAttribute('aria-disabled', 'true');
  await expect(option('Group by task')).toContainText('No episode here says which task it is of');
});
