import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/app';
import { dropFiles } from './support/drop';
import { newFolder } from './support/folder';
import { rollout } from './support/rollouts';

const tree = (page: Page) => page.getByRole('treegrid', { name: 'Episodes' });
const groups = (page: Page) => tree(page).getByRole('row', { level: 1 });
const members = (page: Page) => tree(page).getByRole('row', { level: 2 });
const allTasks = (page: Page) => tree(page).getByRole('row', { name: /^All tasks/ });
const region = (page: Page) => page.getByRole('region', { name: 'Episodes' });
const kField = (page: Page) => page.getByRole('textbox', { name: /^k of pass@k/ });

/** Rollouts of a task, one for each reward. */
const taskOf = (task: number, rewards: readonly number[]) =>
  rewards.map((reward, nth) => rollout({ task, rollout: nth, reward }));

async function openGrouped(page: Page, files: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await page.goto('/');
  await dropFiles(
    page,
    Object.entries(files).map(([name, lines]) => ({ name, text: lines.join('\n') })),
  );
  await page.getByRole('button', { name: 'Group by task' }).click();
  await expect(page).toHaveURL(/group=task/);
}

test('rollouts are grouped by task, judged, and opened from their group', async ({ page }) => {
  test.slow();
  await openGrouped(page, { 'tasks.jsonl': [...taskOf(1, [0, 1, 0, 1]), ...taskOf(2, [1, 1])] });
  await expect(groups(page)).toHaveCount(2);
  // n, mean, pass@1, pass@4, best, worst, variance
  await expect(groups(page).first()).toHaveText(/^1.*4.*0\.50.*0\.50.*1\.00.*1\.00.*0\.00.*0\.25/);
  await expect(groups(page).last()).toContainText('no variance');
  await expect(region(page)).toContainText('2 groups by Task');

  await kField(page).fill('2, 3');
  await expect(tree(page).getByRole('columnheader', { name: 'pass@2' })).toBeVisible();
  // 1 - C(2,2) / C(4,2)
  await expect(groups(page).first()).toContainText('0.83');
  await tree(page).getByRole('button', { name: 'mean' }).click();
  await expect(tree(page).getByRole('columnheader', { name: 'mean' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await expect(groups(page).first()).toContainText('no variance');
  await expect(page).toHaveURL(/groupsort=-mean/);

  await tree(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await expect(members(page)).toHaveCount(4);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/episode=1/);
  await expectAccessible(page);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(members(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Group by task' }).click();
  await expect(page.getByRole('grid', { name: 'Episodes' }).getByText(/task \d/)).toHaveCount(6);
});

test('all tasks have a line of their own, which says what its numbers are of', async ({ page }) => {
  await openGrouped(page, { 'tasks.jsonl': [...taskOf(1, [0, 1, 0, 1]), ...taskOf(2, [1, 1])] });
  // Six rollouts, their mean; the mean of 0.5 and 1; of the one task that has four.
  await expect(allTasks(page)).toHaveText(/^All tasks1 no variance.*6.*0\.67.*0\.75.*1\.00/);
  await expect(allTasks(page).getByTitle('mean over all 2 tasks')).toHaveText(/^0\.75/);
  await expect(
    allTasks(page).getByTitle('mean over the 1 of 2 tasks with at least 4 rewarded rollouts'),
  ).toHaveText(/^1\.00/);
  await expect(groups(page).last().getByTitle('fewer than 4 rewarded rollouts')).toBeVisible();
  // It stays where it is, however the groups are sorted.
  await tree(page).getByRole('button', { name: 'mean' }).click();
  await expect(page).toHaveURL(/groupsort=-mean/);
  await expect(tree(page).getByRole('row').nth(1)).toHaveText(/^All tasks/);

  await page.getByRole('combobox', { name: 'Filter' }).fill('reward = 1');
  await expect(region(page)).toContainText('2 groups by Task, of the 4 episodes the filter leaves');
  await expect(allTasks(page)).toHaveText(/^All tasks2 no variance.*4.*1\.00/);
  const pass = tree(page).getByRole('button', { name: 'pass@1' });
  await expect(pass).toHaveAttribute('title', /from the rollouts that the filter leaves/);
});

test('a k that makes no sense is said to, in words', async ({ page }) => {
  await openGrouped(page, { 'tasks.jsonl': taskOf(1, [0, 1]) });
  await expect(groups(page)).toHaveCount(1);
  await kField(page).fill('1, 1.5');
  await expect(page.getByRole('alert')).toHaveText('“1.5” is not a whole number from 1 on.');
  await expect(kField(page)).toHaveAccessibleDescription(/whole number/);
  await expectAccessible(page);
  await kField(page).fill('1, 2');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(tree(page).getByRole('columnheader', { name: 'pass@2' })).toBeVisible();
});

test('equal tasks of different files are apart, unless they are pooled', async ({ page }) => {
  test.slow();
  await openGrouped(page, {
    'math.jsonl': taskOf(7, [1, 1]),
    'code.jsonl': [...taskOf(7, [0, 0, 0]), ...taskOf(8, [0, 1])],
  });
  await expect(groups(page)).toHaveCount(3);
  await expect(region(page)).toContainText('3 groups by Task and file');
  await expect(groups(page).nth(0)).toHaveText(/^7math.*no variance.*2.*1\.00/);
  await expect(groups(page).nth(1)).toHaveText(/^7code.*no variance.*3.*0\.00/);
  await expect(groups(page).nth(2)).toHaveText(/^8code/);

  // Each opens its own rollouts, though both are called the same.
  await groups(page).nth(1).click();
  await expect(members(page)).toHaveCount(3);
  await members(page).nth(2).click();
  await expect(page).toHaveURL(/source=code.jsonl&episode=2/);
  await groups(page).nth(0).click();
  await expect(members(page)).toHaveCount(5);
  await members(page).nth(1).click();
  await expect(page).toHaveURL(/source=math.jsonl&episode=1/);
  await expect(tree(page).getByRole('row', { selected: true })).toHaveCount(1);
  // The next episode is the first of the next group.
  await page.keyboard.press('Shift+J');
  await expect(page).toHaveURL(/source=code.jsonl/);
  await page.keyboard.press('Shift+K');
  await expect(page).toHaveURL(/source=math.jsonl&episode=1/);
  await expectAccessible(page);

  await page.getByRole('checkbox', { name: 'Pool files' }).check();
  await expect(page).toHaveURL(/pool=files/);
  await expect(groups(page)).toHaveCount(2);
  await expect(groups(page).first()).toHaveText(/^7.*5.*0\.40/);
  await expect(groups(page).first()).not.toContainText('math');
  await groups(page).first().click();
  await expect(members(page)).toHaveCount(5);
  await page.goBack();
  await expect(groups(page)).toHaveCount(3);
});

for (const [width, height] of [
  [1440, 900],
  [1024, 700],
] as const) {
  test(`at ${width} pixels tasks, rollouts, means and pass@k are seen at once`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openGrouped(page, {
      'math.jsonl': taskOf(7, [1, 1, 0, 1]),
      'code.jsonl': [...taskOf(7, [0, 0, 0, 0]), ...taskOf(8, [0, 1])],
    });
    await expect(groups(page)).toHaveCount(3);
    const frame = await region(page).boundingBox();
    for (const name of ['Task', 'n', 'mean', 'pass@1', 'pass@4']) {
      const box = await tree(page).getByRole('columnheader', { name, exact: true }).boundingBox();
      expect(box?.width).toBeGreaterThan(20);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
    }
    for (const cell of await allTasks(page).getByRole('gridcell').all()) {
      expect(await cell.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    }
  });
}

/** The disk is looked at every second. */
const patient = expect.configure({ timeout: 20_000 });

test('groups stay open, and the arrows go on from the open episode, when a file brings more of both', async ({
  page,
}) => {
  const path = join(await newFolder(), 'growing.jsonl');
  const later = [...taskOf(1, [1]), ...taskOf(2, [0, 0]), ...taskOf(3, [1])];
  await writeFile(path, `${[...taskOf(2, [0, 1]), ...taskOf(4, [0, 1, 1])].join('\n')}\n`);
  await page.goto('/');
  await dropFiles(page, [path]);
  await patient(page.getByRole('grid', { name: 'Episodes' })).toHaveAttribute('aria-rowcount', '6');
  await page.goto('/?source=growing.jsonl&episode=0&group=task&groupsort=key');
  await groups(page).last().click();
  await groups(page).first().click();
  await patient(members(page)).toHaveCount(5);
  await members(page).nth(3).click();
  await patient(page).toHaveURL(/episode=3/);

  await appendFile(path, `${later.join('\n')}\n`);
  await patient(members(page)).toHaveCount(7);
  await patient(groups(page)).toHaveCount(4);
  await expect(tree(page).getByRole('row', { selected: true })).toHaveAttribute('data-active');
  await tree(page).focus();
  await page.keyboard.press('ArrowDown');
  await patient(page).toHaveURL(/episode=4/);
});
