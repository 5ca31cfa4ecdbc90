import { appendFile, mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes } from '../src/app/words/format';
import { expect, expectAccessible, test } from './support/app';
import { dropFiles } from './support/drop';
import { newFolder } from './support/folder';
import { filesOfOneName, rollout, rolloutFile } from './support/rollouts';

/** The disk is looked at every second, and large files are read. */
const patient = expect.configure({ timeout: 20_000 });

test('a dropped file that grows is followed', async ({ page }) => {
  const path = join(await newFolder(), 'growing.jsonl');
  await writeFile(path, rolloutFile(3));
  await page.goto('/');
  await dropFiles(page, [path]);
  const rows = page
    .getByRole('grid', { name: 'Episodes' })
    .getByRole('row')
    .filter({ hasText: /task \d/ });
  await patient(rows).toHaveCount(3);
  await appendFile(path, `${rollout({ task: 7, question: 'Came later?' })}\n`);
  await patient(rows).toHaveCount(4);
  await rows.filter({ hasText: 'task 7' }).click();
  await patient(page.getByText('Came later?').first()).toBeVisible();
  await page.reload();
  await patient(page.getByText('Came later?').first()).toBeVisible();
});

const lines = (rewards: readonly number[]) =>
  rewards.map((reward) => `${rollout({ task: reward, reward })}\n`).join('');

test('the arrows go on from the open episode when rows have come in before it', async ({ page }) => {
  const path = join(await newFolder(), 'sorted.jsonl');
  await writeFile(path, lines([1, 2, 3, 4, 5]));
  await page.goto('/');
  await dropFiles(page, [path]);
  const grid = page.getByRole('grid', { name: 'Episodes' });
  await patient(grid).toHaveAttribute('aria-rowcount', '6');
  await page.goto('/?source=sorted.jsonl&episode=4&sort=-reward');
  const open = grid.getByRole('row', { selected: true });
  await grid.getByRole('row').filter({ hasText: 'task 3' }).click();
  await patient(open).toContainText('task 3');
  await appendFile(path, lines([8, 9, 7]));
  await patient(grid).toHaveAttribute('aria-rowcount', '9');
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await patient(open).toContainText('task 2');
  await page.keyboard.press('ArrowUp');
  await patient(open).toContainText('task 3');
});

test('a line that is still being written is no problem, and a row once it has ended', async ({ page }) => {
  const path = join(await newFolder(), 'growing.jsonl');
  const next = rollout({ task: 7, question: 'Came later?' });
  await writeFile(path, `${rolloutFile(3)}${next.slice(0, 300)}`);
  await page.goto('/');
  await dropFiles(page, [path]);
  const grid = page.getByRole('grid', { name: 'Episodes' });
  const source = page.getByRole('list', { name: 'Sources' }).getByRole('listitem');
  const problems = page.getByRole('region', { name: 'Problems' });
  await patient(grid).toHaveAttribute('aria-rowcount', '4');
  await patient(source).toContainText('Still being written');
  await expect(source.getByTitle('line 4 · byte')).toBeVisible();
  await expect(problems).toHaveCount(0);
  await appendFile(path, `${next.slice(300)}\n`);
  await patient(grid).toHaveAttribute('aria-rowcount', '5');
  await expect(source).not.toContainText('Still being written');
  await appendFile(path, 'no rollout\n');
  await patient(problems).toContainText('line 5');
});

test('a file whose first line is still being written has not failed', async ({ page }) => {
  const path = join(await newFolder(), 'begun.jsonl');
  const first = rollout({ question: 'Came at last?' });
  await writeFile(path, first.slice(0, 300));
  await page.goto('/');
  await dropFiles(page, [path]);
  await patient(page.getByText('Its first line has not ended yet').first()).toBeVisible();
  await expect(page.getByText('Nothing in this file is JSON')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Problems' })).toHaveCount(0);
  await expectAccessible(page);
  await appendFile(path, `${first.slice(300)}\n`);
  await patient(page.getByText('Came at last?').first()).toBeVisible();
  await expect(page.getByText('Still being written')).toHaveCount(0);
});

test('a line that was cut off long ago is a problem', async ({ page }) => {
  const path = join(await newFolder(), 'crashed.jsonl');
  await writeFile(path, `${rolloutFile(3)}${rollout().slice(0, 300)}`);
  await utimes(path, 1, 1);
  await page.goto('/');
  await dropFiles(page, [path]);
  await patient(page.getByRole('region', { name: 'Problems' })).toContainText('line 4');
  await expect(page.getByText('Still being written')).toHaveCount(0);
});

test('a followed file is remembered with the size it has grown to', async ({ page }) => {
  const path = join(await newFolder(), 'growing.jsonl');
  await writeFile(path, rolloutFile(3));
  await page.goto('/');
  await dropFiles(page, [path]);
  const grid = page.getByRole('grid', { name: 'Episodes' });
  await patient(grid).toHaveAttribute('aria-rowcount', '4');
  await appendFile(path, rolloutFile(97));
  await patient(grid).toHaveAttribute('aria-rowcount', '101');
  await page.getByRole('button', { name: 'Close growing.jsonl' }).click();
  const { size } = await stat(path);
  await patient(page.getByRole('button', { name: /^growing\.jsonl/ })).toContainText(formatBytes(size));
});

test('a file too large to be kept opens again after a reload, with a click where the browser wants one', async ({
  page,
}) => {
  // Three times more than 64 MB are read.
  test.slow();
  const path = join(await newFolder(), 'large.jsonl');
  const long = `${rollout({ task: 5, answer: 'word '.repeat(400_000) })}\n`;
  await writeFile(path, `${rolloutFile(2)}${long.repeat(34)}`);
  await page.goto('/');
  await dropFiles(page, [path]);
  await patient(page.getByText('Question number 0?').first()).toBeVisible();
  await page.keyboard.press('J');
  await patient(page).toHaveURL(/episode=1/);
  await page.reload();
  await patient(page.getByText('Question number 1?').first()).toBeVisible();

  // No test can answer the browser's own question: this answers it as a person would, after a click.
  await page.addInitScript(() => {
    let allowed: PermissionState = 'prompt';
    Object.assign(FileSystemFileHandle.prototype, {
      queryPermission: async () => allowed,
      requestPermission: async () => (allowed = 'granted'),
    });
  });
  await page.reload();
  await patient(page.getByText('large.jsonl was open before')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Open it again' }).click();
  await patient(page.getByText('Question number 1?').first()).toBeVisible();
});

test('two files of one name and size are two sources; the same file again is one', async ({ page }) => {
  const paths = await filesOfOneName();
  await page.goto('/');
  const sources = page.getByRole('list', { name: 'Sources' }).getByRole('listitem');
  for (const path of paths) await dropFiles(page, [path]);
  await patient(sources).toHaveText([/run\.jsonl/, /run\.jsonl \(2\)/]);
  for (const path of paths) await dropFiles(page, [path]);
  await patient(page.getByRole('grid', { name: 'Episodes' })).toHaveAttribute('aria-rowcount', '3');
  await expect(sources).toHaveCount(2);
});

test('a file that has grown since it was dropped is the same source when it is dropped again', async ({
  page,
}) => {
  const folder = await newFolder();
  const [path, other] = [join(folder, 'growing.jsonl'), join(folder, 'other.jsonl')];
  await writeFile(path, rolloutFile(3));
  await writeFile(other, rolloutFile(1));
  await page.goto('/');
  const grid = page.getByRole('grid', { name: 'Episodes' });
  const sources = page.getByRole('list', { name: 'Sources' }).getByRole('listitem');
  await dropFiles(page, [path]);
  await patient(grid).toHaveAttribute('aria-rowcount', '4');
  await appendFile(path, rolloutFile(2));
  await patient(grid).toHaveAttribute('aria-rowcount', '6');
  // Together with another one, which tells when the drop has been taken.
  await dropFiles(page, [path, other]);
  await patient(grid).toHaveAttribute('aria-rowcount', '7');
  await expect(sources).toHaveText([/growing\.jsonl/, /other\.jsonl/]);
  await appendFile(path, rolloutFile(2));
  await patient(grid).toHaveAttribute('aria-rowcount', '9');
  await expect(sources).toHaveCount(2);
});

test('a dropped folder gives its data files, in one table', async ({ page }) => {
  const folder = join(await newFolder(), 'night');
  await mkdir(join(folder, 'deep'), { recursive: true });
  await writeFile(join(folder, 'a.jsonl'), rolloutFile(2));
  await writeFile(join(folder, 'deep', 'b.jsonl'), rolloutFile(3));
  await writeFile(join(folder, 'notes.txt'), 'nothing');
  await writeFile(join(folder, '.hidden.jsonl'), 'nothing');
  await page.goto('/');
  await dropFiles(page, [folder]);
  await patient(page.getByRole('grid', { name: 'Episodes' })).toHaveAttribute('aria-rowcount', '6');
  await patient(page.getByRole('gridcell', { name: 'night/deep/b.jsonl' }).first()).toBeVisible();
  await patient(page.getByRole('list', { name: 'Sources' }).getByRole('listitem')).toHaveCount(2);
});
