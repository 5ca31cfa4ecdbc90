import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/app';
import { dropFiles } from './support/drop';
import { rollout } from './support/rollouts';

const region = (page: Page) => page.getByRole('region', { name: 'Episodes' });
const chosen = (page: Page) => region(page).locator('tr[aria-selected="true"]');

/** Nine rollouts of three tasks, rewards 0 to 0.8; the needle stands in 1, 2, 4, 6 and, twice, in 7. */
async function searchForNeedle(page: Page): Promise<void> {
  const needles = new Map([1, 2, 4, 6].map((nth) => [nth, 'A needle.']));
  needles.set(7, 'A needle, another needle.');
  const lines = Array.from({ length: 9 }, (_, nth) =>
    rollout({ task: nth % 3, rollout: nth, reward: nth / 10, answer: needles.get(nth) ?? 'Hay.' }),
  );
  await page.goto('/');
  await dropFiles(page, [{ name: 'hay.jsonl', text: lines.join('\n') }]);
  await expect(page.getByRole('grid', { name: 'Episodes' }).getByRole('row')).toHaveCount(10);
  await page.keyboard.press('s');
  await page.keyboard.type('needle');
  await expect(region(page)).toContainText('6 places in 5 episodes');
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Search all records' });

async function expectWalk(page: Page, key: string, episodes: readonly number[]): Promise<void> {
  for (const [nth, episode] of episodes.entries()) {
    await field(page).press(key);
    await expect(page).toHaveURL(new RegExp(`episode=${episode}\\b`));
    const place = key === 'Enter' ? nth + 1 : episodes.length - nth;
    await expect(region(page)).toContainText(`${place} of ${episodes.length}`);
    await expect(chosen(page)).toHaveCount(1);
    await expect(chosen(page)).toBeInViewport();
    await expect(chosen(page)).toContainText('found');
  }
}

test('results are walked as the table is sorted', async ({ page }) => {
  await searchForNeedle(page);
  const reward = region(page).getByRole('button', { name: 'Reward', exact: true });
  await reward.click();
  await reward.click();
  await expect(page).toHaveURL(/sort=-reward/);
  await expectWalk(page, 'Enter', [7, 6, 4, 2, 1]);
  await field(page).press('Enter');
  await expect(page).toHaveURL(/episode=7/);
  await expectWalk(page, 'Shift+Enter', [1, 2, 4, 6, 7]);
});

test('results that the filter hides are counted, and passed over', async ({ page }) => {
  await searchForNeedle(page);
  const filter = page.getByRole('combobox', { name: 'Filter' });
  await filter.fill('reward > 0.3 and reward < 0.7');
  await expect(region(page)).toContainText('6 places in 5 episodes, 3 of them hidden by the filter');
  await expectWalk(page, 'Enter', [4, 6]);
  await expectAccessible(page);
  await field(page).press('Enter');
  await expect(page).toHaveURL(/episode=4/);

  await filter.fill('reward = 0.3');
  await expect(region(page)).toContainText('all of them hidden by the filter');
  await expect(page.getByRole('button', { name: 'Next result' })).toBeDisabled();
  await filter.fill('');
  await expect(region(page)).not.toContainText('hidden by the filter');
  // On from where it was.
  await field(page).press('Enter');
  await expect(page).toHaveURL(/episode=6/);
});

test('results are walked group by group, and say where they are in closed groups', async ({ page }) => {
  await searchForNeedle(page);
  await page.getByRole('button', { name: 'Group by task' }).click();
  const groups = page.getByRole('treegrid', { name: 'Episodes' }).getByRole('row', { level: 1 });
  await expect(groups).toHaveCount(3);
  await expect(groups.nth(0)).toContainText('1 found');
  await expect(groups.nth(1)).toContainText('4 found');
  await expect(groups.nth(2)).toContainText('1 found');
  // By the mean of the rewards, which rises with the task: the last task first.
  await page.getByRole('button', { name: 'mean', exact: true }).click();
  await expect(page).toHaveURL(/groupsort=-mean/);
  await expect(page.getByRole('treegrid').getByRole('row', { level: 2 })).toHaveCount(0);
  await expectWalk(page, 'Enter', [2, 1, 4, 7, 6]);
  await expect(page.getByRole('treegrid').getByRole('row', { level: 2 })).toHaveCount(9);
  await expectAccessible(page);
});

test('the focus goes to the table when the search is closed, by a key or by the command', async ({
  page,
}) => {
  const table = page.getByRole('grid', { name: 'Episodes' });
  await searchForNeedle(page);
  await field(page).press('Escape');
  await expect(table).toBeFocused();
  await page.keyboard.press('s');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('close the search');
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveCount(0);
  await expect(table).toBeFocused();
});

test('results can be walked while the search goes on', async ({ page }) => {
  test.slow();
  const filler = 'needle '.repeat(20_000);
  const lines = Array.from({ length: 300 }, (_, nth) =>
    rollout({ rollout: nth, reward: nth / 1000, answer: filler }),
  );
  await page.goto('/?sort=-reward');
  await dropFiles(page, [{ name: 'much.jsonl', text: lines.join('\n') }]);
  await expect(region(page)).toContainText('300 episodes');
  await page.keyboard.press('s');
  await page.keyboard.type('needle');
  await page.keyboard.press('Enter');
  const next = page.getByRole('button', { name: 'Next result' });
  await expect(next).toBeEnabled();
  await next.click();
  await expect(chosen(page)).toContainText('found');
});
