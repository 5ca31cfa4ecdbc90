import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/app';
import { dropFiles } from './support/drop';
import { newFolder } from './support/folder';
import { rollout, rolloutFile } from './support/rollouts';

const grid = (page: Page) => page.getByRole('grid', { name: 'Episodes' });
const rows = (page: Page) =>
  grid(page)
    .getByRole('row')
    .filter({ hasText: /task \d/ });
const region = (page: Page) => page.getByRole('region', { name: 'Episodes' });
const filterBox = (page: Page) => page.getByRole('combobox', { name: 'Filter' });

/** Twelve rollouts of three tasks with rewards 0, 0.1 ... 1.1. */
async function openTwelve(page: Page): Promise<void> {
  await page.goto('/');
  await dropFiles(page, [{ name: 'apples.jsonl', text: rolloutFile(12) }]);
  // The first rows wait for the worker to start.
  await expect(rows(page)).toHaveCount(12, { timeout: 15_000 });
}

test('a filter is written with what is offered, kept in the link, and undone with back', async ({ page }) => {
  await openTwelve(page);
  await page.keyboard.press('f');
  await expect(filterBox(page)).toBeFocused();
  await page.keyboard.type('rew');
  const list = page.getByRole('listbox', { name: 'Completions' });
  await expect(list.getByRole('option', { name: /^reward/ })).toBeVisible();
  // A name that is only begun is not looked for as a text.
  await expect(rows(page)).toHaveCount(12);
  await page.keyboard.press('Tab');
  await page.keyboard.type('< 0.35');
  await expect(rows(page)).toHaveCount(4);
  await expect(region(page)).toContainText('4 of 12 episodes');
  await expect(page).toHaveURL(/filter=reward\+%3C\+0\.35/);

  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('steps > 100');
  await expect(page.getByText('No episode is left')).toBeVisible();
  await page.goBack();
  await expect(rows(page)).toHaveCount(4);
  await expect(filterBox(page)).toHaveValue('reward < 0.35');
  await page.goBack();
  await expect(rows(page)).toHaveCount(12);
  await page.goForward();
  await expect(rows(page)).toHaveCount(4);

  const link = page.url();
  await page.reload();
  await expect(rows(page)).toHaveCount(4);
  expect(page.url()).toBe(link);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(rows(page)).toHaveCount(12);
  await expect(filterBox(page)).toBeFocused();
});

test('a filter that is wrong says what and where, and changes nothing', async ({ page }) => {
  await openTwelve(page);
  await filterBox(page).fill('reward < 0.35');
  await expect(rows(page)).toHaveCount(4);
  await filterBox(page).fill('reward < 0.35 and rewrd > 1');
  await page.keyboard.press('Enter');
  await expect(region(page).getByRole('alert')).toHaveText(/There is no column rewrd. Do you mean reward\?/);
  await expect(filterBox(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(region(page).locator('[data-wrong]', { hasText: /^rewrd$/ })).toBeVisible();
  await expect(rows(page)).toHaveCount(4);
  await page.keyboard.press('Escape');
  await expect(filterBox(page)).toHaveValue('reward < 0.35');
  await expect(grid(page)).toBeFocused();
});

test('no rows left is a place to go on from', async ({ page }) => {
  test.slow();
  await openTwelve(page);
  await filterBox(page).fill('reward > 7');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No episode is left')).toBeVisible();
  await expectAccessible(page);
  await region(page).getByRole('button', { name: 'Clear the filter' }).last().click();
  await expect(rows(page)).toHaveCount(12);
});

test('columns sort one after another, by click and by key, and the link keeps it', async ({ page }) => {
  await openTwelve(page);
  const header = (name: string) => grid(page).getByRole('columnheader', { name, exact: true });
  const button = (name: string) => grid(page).getByRole('button', { name, exact: true });
  await button('Steps').click();
  await button('Reward').click({ modifiers: ['Shift'] });
  await button('Reward').focus();
  await page.keyboard.press('Shift+Enter');
  await expect(header('Steps')).toHaveAttribute('aria-sort', 'ascending');
  await expect(header('Reward')).toHaveAttribute('aria-sort', 'descending');
  await expect(button('Steps')).toHaveText(/1$/);
  await expect(button('Reward')).toHaveText(/2$/);
  await expect(rows(page).first()).toContainText('1.10');
  await expect(page).toHaveURL(/sort=steps&sort=-reward/);
  await page.reload();
  await expect(rows(page).first()).toContainText('1.10');
});

test('a brushed histogram writes the filter; sliders do the same with keys', async ({ page }) => {
  await openTwelve(page);
  const bars = page.getByRole('group', { name: /^reward from 0 to 1.1/ });
  const box = await bars.boundingBox();
  if (box === null) throw new Error('the histogram has no box');
  await page.mouse.move(box.x + box.width * 0.25, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 10);
  await page.mouse.move(box.x + box.width * 0.5, box.y + 10);
  await page.mouse.up();
  await expect(filterBox(page)).toHaveValue(/^reward >= 0\.2\d* and reward <= 0\.5\d*$/);
  await expect(rows(page)).toHaveCount(3);
  await expect(region(page)).toContainText(/0\.2\d to 0\.5\d · 3 episodes/);
  // The bars are of what the rest of the filter leaves, not of the range alone.
  await expect(bars).toBeVisible();
  await page.getByRole('button', { name: 'Clear the range of rewards' }).click();
  await expect(rows(page)).toHaveCount(12);

  const lowest = page.getByRole('slider', { name: 'Lowest reward' });
  await lowest.focus();
  for (let press = 0; press < 5; press++) await page.keyboard.press('PageUp');
  await expect(lowest).toHaveAttribute('aria-valuenow', '0.55');
  await expect(rows(page)).toHaveCount(6);
  await page.getByRole('slider', { name: 'Highest reward' }).focus();
  await page.keyboard.press('PageDown');
  await expect(rows(page)).toHaveCount(4);
  await page.keyboard.press('Escape');
  await expect(filterBox(page)).toHaveValue('');
  await expect(rows(page)).toHaveCount(12);
});

test('what is in a column is told, and chosen', async ({ page }) => {
  test.slow();
  await openTwelve(page);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: /^What is in Task/ }).click();
  const values = page.getByRole('list', { name: 'Values of Task' });
  await expect(values.getByRole('button')).toHaveCount(3);
  await expectAccessible(page);
  await values.getByRole('button', { name: /^1/ }).click();
  await expect(filterBox(page)).toHaveValue('task = 1');
  await expect(rows(page)).toHaveCount(4);
  // The other values can still be chosen.
  await values.getByRole('button', { name: /^2/ }).click();
  await expect(filterBox(page)).toHaveValue('task = 2');
  await page.getByRole('button', { name: 'Back to all columns' }).click();
  await page.getByRole('button', { name: /^What is in difficulty/ }).click();
  await expect(page.getByRole('slider', { name: 'Lowest difficulty' })).toBeVisible();
});

test('a search over all records marks rows, and leads from episode to episode', async ({ page }) => {
  test.slow();
  const text = [
    rollout({ rollout: 0 }),
    rollout({ rollout: 1, answer: 'The needle is here.' }),
    rollout({ rollout: 2 }),
    rollout({ rollout: 3, question: 'A Needle? A needle?', answer: 'None.' }),
  ].join('\n');
  await page.goto('/');
  await dropFiles(page, [{ name: 'hay.jsonl', text }]);
  await expect(rows(page)).toHaveCount(4);
  await page.keyboard.press('s');
  const field = page.getByRole('textbox', { name: 'Search all records' });
  await expect(field).toBeFocused();
  await page.keyboard.type('needle');
  await expect(region(page)).toContainText('3 places in 2 episodes');
  await expect(rows(page).nth(3)).toContainText('2 found');
  await expect(rows(page).nth(0)).not.toContainText('found');

  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/episode=1/);
  const find = page.getByRole('textbox', { name: 'Find in this episode' });
  await expect(find).toHaveValue('needle');
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuenow', '2');
  await expect(page.getByText('The needle is here.')).toBeInViewport();
  await expect(field).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/episode=3/);
  await expect(page.getByText('1 of 2', { exact: true })).toBeVisible();
  await expect(page.getByText('2 of 2', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Shift+Enter');
  await expect(page).toHaveURL(/episode=1/);

  await page.getByRole('button', { name: 'Match case' }).first().click();
  await expect(region(page)).toContainText('2 places in 2 episodes');
  await field.fill('no such text');
  await expect(region(page)).toContainText('Nothing found');
  await field.fill('');
  await expect(region(page)).not.toContainText('Nothing found');
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(rows(page).nth(3)).not.toContainText('found');
});

test('a search looks again where a source is opened or closed', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [{ name: 'one.jsonl', text: rollout({ answer: 'A needle.' }) }]);
  await expect(rows(page)).toHaveCount(1, { timeout: 15_000 });
  await page.keyboard.press('s');
  await page.keyboard.type('needle');
  await expect(region(page)).toContainText('1 place in 1 episode');
  await dropFiles(page, [{ name: 'two.jsonl', text: rollout({ answer: 'A needle, another needle.' }) }]);
  await expect(region(page)).toContainText('3 places in 2 episodes');
  await page.getByRole('button', { name: 'Close one.jsonl' }).click();
  await expect(region(page)).toContainText('2 places in 1 episode');
});

test('a search can be made again where a file has grown, and is where it is opened anew', async ({
  page,
}) => {
  const path = join(await newFolder(), 'growing.jsonl');
  await writeFile(path, `${rollout({ answer: 'A needle.' })}\n`);
  await page.goto('/');
  await dropFiles(page, [path]);
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('s');
  await page.keyboard.type('needle');
  await expect(region(page)).toContainText('1 place in 1 episode');
  await appendFile(path, `${rollout({ task: 1, answer: 'Another needle.' })}\n`);
  await region(page).getByRole('button', { name: 'Search again' }).click();
  await expect(region(page)).toContainText('2 places in 2 episodes');

  await writeFile(path, `${rollout({ answer: 'Only straw, but more of it than there was before.' })}\n`);
  await page.getByRole('button', { name: 'Open again' }).click();
  await expect(region(page)).toContainText('Nothing found');
});

test('a search can be stopped, and keeps what it found', async ({ page }) => {
  test.slow();
  const filler = 'needle '.repeat(20_000);
  await page.goto('/');
  await dropFiles(page, [
    {
      name: 'much.jsonl',
      text: Array.from({ length: 300 }, (_, nth) => rollout({ rollout: nth, answer: filler })).join('\n'),
    },
  ]);
  await expect(region(page)).toContainText('300');
  await page.keyboard.press('s');
  await page.keyboard.type('needle');
  await page.keyboard.press('Enter');
  await region(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(region(page)).toContainText(/stopped at \d+%/);
});

test('find reaches what is not on the screen, and gives the focus back', async ({ page }) => {
  test.slow();
  const long = `${'One line after another.\n'.repeat(60)}the hidden apple\n${'More lines.\n'.repeat(60)}`;
  await page.goto('/');
  await dropFiles(page, [
    { name: 'long.jsonl', text: rollout({ question: long, answer: 'No Apple at all.' }) },
  ]);
  const messages = page.getByRole('group', { name: 'Messages' });
  await messages.focus();
  await page.keyboard.press('/');
  const field = page.getByRole('textbox', { name: 'Find in this episode' });
  await expect(field).toBeFocused();
  await page.keyboard.type('apple');
  // One is folded away, two stand in tool results of later steps, one in the last answer.
  await expect(page.getByText('1 of 4', { exact: true })).toBeVisible();
  await expect(page.getByText('the hidden apple')).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 of 4', { exact: true })).toBeVisible();
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await expect(page.getByText('4 of 4', { exact: true })).toBeVisible();
  await expect(page.getByText('No Apple at all.')).toBeInViewport();
  const marked = () => page.evaluate(() => CSS.highlights.get('rollscope-found-now')?.size);
  await expect.poll(marked).toBe(1);

  await page.getByRole('button', { name: 'Next match' }).focus();
  await page.keyboard.press('n');
  await expect(page.getByText('1 of 4', { exact: true })).toBeVisible();

  await field.fill('"basket": "right"');
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible();
  await expect(page.getByRole('article', { name: 'assistant, message 4' })).toBeInViewport();
  await expectAccessible(page);
  await field.fill('nowhere at all');
  await expect(page.getByText('Not in the messages')).toBeVisible();
  await field.focus();
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(messages).toBeFocused();
  await expect.poll(marked).toBe(0);
});

test('find looks at what is read: in Markdown at its words, in text at the text', async ({ page }) => {
  const question =
    'A **bold zebra** text, a [link zebra](https://x.example/zebra), then `code zebra`.\n\n# Head zebra\n';
  await page.goto('/');
  await dropFiles(page, [{ name: 'marked.jsonl', text: rollout({ question }) }]);
  const count = page.locator('search[aria-label="This episode"] output');
  const marks = () => page.evaluate(() => CSS.highlights.get('rollscope-found')?.size ?? 0);
  await expect(page.getByRole('radio', { name: 'Markdown', exact: true })).toBeVisible();
  for (const { mode, places } of [
    { mode: 'Markdown', places: { zebra: 4, 'bold zebra text': 1, '**bold': 0 } },
    { mode: 'Text', places: { zebra: 5, 'bold zebra text': 0, '**bold': 1 } },
  ]) {
    await page.getByRole('radio', { name: mode, exact: true }).click();
    for (const [text, times] of Object.entries(places)) {
      await page.getByRole('group', { name: 'Messages' }).focus();
      await page.keyboard.press('/');
      await page.getByRole('textbox', { name: 'Find in this episode' }).fill(text);
      await expect(count).toHaveText(times === 0 ? 'Not in the messages' : `1 of ${times}`);
      await expect.poll(marks).toBe(times);
    }
  }
});

test('find works in the full history and in what changed, too', async ({ page }) => {
  await page.goto('/?source=sample/deletes&episode=0&step=0');
  const slider = page.getByRole('slider', { name: 'Step' });
  await expect(slider).toBeVisible();
  const counts: (string | null)[] = [];
  await page.keyboard.press('/');
  await page.keyboard.type('chunk');
  const count = page.locator('search[aria-label="This episode"] output');
  for (let mode = 0; mode < 3; mode++) {
    await expect(count).toHaveText(/^\d+ of \d+$/);
    counts.push(await count.textContent());
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(count).toHaveText(/^\d+ of \d+$/);
    await expect.poll(() => page.evaluate(() => CSS.highlights.get('rollscope-found-now')?.size)).toBe(1);
    await page.getByRole('group', { name: 'Messages' }).focus();
    await page.keyboard.press('.');
    await page.getByRole('textbox', { name: 'Find in this episode' }).focus();
  }
  expect(counts).toHaveLength(3);
});

test('several sources are one table, with a column that tells them apart', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [
    { name: 'one.jsonl', text: rolloutFile(3) },
    { name: 'two.jsonl', text: rolloutFile(2) },
  ]);
  await expect(rows(page)).toHaveCount(5);
  await expect(grid(page).getByRole('columnheader', { name: 'Source' })).toBeVisible();
  await filterBox(page).fill('source:two');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('two.jsonl');
  await grid(page).focus();
  await page.keyboard.press('Home');
  await expect(page).toHaveURL(/source=two.jsonl&episode=0/);
});

test('the mean of the rewards says of how many it is, where not of all', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [{ name: 'same.jsonl', text: `${rollout()}\n${rollout({ task: 1 })}` }]);
  await expect(region(page)).toContainText('reward 1.00 in all 2 episodes');
  const without = rollout({ task: 2 }).replace('"reward":1', '"reward":null');
  await dropFiles(page, [{ name: 'some.jsonl', text: `${rollout({ reward: 0.4 })}\n${without}` }]);
  await expect(region(page)).toContainText('mean reward 0.80 of 3');
  await expect(page.getByTitle('3 of 4 episodes have a number as reward')).toBeVisible();
  await filterBox(page).fill('reward > 0.4');
  await expect(region(page)).toContainText('above 0.40 · 2 episodes');
});

test('all episodes are checked, and those with findings are a click away', async ({ page }) => {
  await openTwelve(page);
  await page.getByRole('button', { name: 'Check all episodes' }).click();
  await expect(region(page)).toContainText('12 checked, no findings');
  await expect(grid(page).getByRole('columnheader', { name: 'Findings' })).toBeVisible();
  await page.goto('/?source=sample/outgrown&episode=0');
  await page.getByRole('button', { name: 'Check all episodes' }).click();
  await page.getByRole('button', { name: '1 with findings' }).click();
  await expect(filterBox(page)).toHaveValue('findings >= 1');
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '2');
});

test('the table with its completions and its help is accessible', async ({ page }) => {
  test.slow();
  await openTwelve(page);
  await filterBox(page).pressSequentially('re');
  await expect(page.getByRole('listbox', { name: 'Completions' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'How to filter' }).click();
  await expect(page.getByRole('dialog', { name: 'How to filter' })).toBeVisible();
  await expectAccessible(page);
});

test('at 1024 by 700 nothing overflows', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await openTwelve(page);
  const overflow = await region(page).evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(overflow).toBe(0);
  for (const name of ['Check all episodes', 'Search all records', 'Group by task', 'Columns']) {
    await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  }
});
