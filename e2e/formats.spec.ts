import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { dropFiles, expect, expectAccessible, test } from './support/app';

function lines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

const ask = (text: string, more: object): object => ({
  responses_create_params: { input: [{ role: 'user', content: text }] },
  ...more,
});

// Every screen is looked at in both themes, which takes its time on a busy machine.
test.describe.configure({ timeout: 90_000 });

const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };

const rollouts = lines(
  [0, 1].map((rollout) =>
    ask('Count to six.', {
      response: { id: 'r', object: 'response', model: 'm', output: [answer] },
      reward: rollout,
      _ng_task_index: 0,
      _ng_rollout_index: rollout,
    }),
  ),
);
const inputs = lines([
  ask('Count to six.', { expected_count: 6, initial_count: 3, _ng_task_index: 0, _ng_rollout_index: 0 }),
]);

async function info(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Info' }).click();
}

test('files of one run: what the input knows stands beside the rollout, and what is missing is said', async ({
  app: page,
}) => {
  await dropFiles(page, [
    { name: 'run.jsonl', text: rollouts },
    { name: 'run_materialized_inputs.jsonl', text: inputs },
  ]);
  await info(page);
  const inspector = page.getByRole('region', { name: 'Inspector' });
  await expect(inspector.getByText('Joined files')).toBeVisible();
  await expect(inspector.getByText('expected_count')).toBeVisible();
  await inspector.scrollIntoViewIfNeeded();
  await expectAccessible(page);
  await page.keyboard.press('J');
  await expect(inspector.getByText('No task input for task 0 · rollout 1')).toBeVisible();
  await page.keyboard.press('K');
  await inspector.getByRole('button', { name: /in run_materialized_inputs/ }).click();
  await expect(page).toHaveURL(/run_materialized_inputs/);
  await expect(inspector.getByRole('button', { name: /in run\.jsonl/ }).first()).toBeVisible();
});

function dump(step: number, scores: readonly number[]): { name: string; text: string } {
  const rows = scores.map((score, nth) => ({
    input: `system\nBe brief.\nuser\nQuestion ${nth}?\nassistant\n`,
    output: 'Perhaps.',
    gts: '1',
    score,
    step,
  }));
  return { name: `${step}.jsonl`, text: lines(rows) };
}

test('dumps of several training steps: the score of a prompt over time, by mouse and as a table', async ({
  app: page,
}) => {
  await dropFiles(page, [dump(1, [0, 0.2]), dump(2, [0.5, 0.1]), dump(3, [1, 0.9])]);
  await info(page);
  const inspector = page.getByRole('region', { name: 'Inspector' });
  await expect(inspector.getByRole('button', { name: /^Training step/ })).toHaveCount(3);
  await inspector.getByText('As a table').click();
  await expect(inspector.getByRole('row')).toHaveCount(4);
  await expectAccessible(page);
  await inspector.getByRole('button', { name: 'Training step 3, score 1' }).click();
  await expect(page).toHaveURL(/source=3\.jsonl/);
});

test('inferred messages can be read as the text they were cut out of', async ({ app: page }) => {
  await dropFiles(page, [dump(1, [0])]);
  const first = page.getByRole('article').first();
  await expect(first).toContainText('inferred');
  await page.keyboard.press('u');
  await expect(first).toContainText('raw text');
  await expect(first).toContainText('system');
  await page.keyboard.press('u');
  await expect(first).toContainText('inferred');
});

test('export: losses first, then the file: one page to read anywhere', async ({ app: page, browser }) => {
  await dropFiles(page, [{ name: 'run.jsonl', text: rollouts }]);
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog).toContainText('Nothing is lost.');
  await dialog.getByRole('radio', { name: 'OpenAI chat' }).click();
  await expect(dialog.getByRole('region', { name: 'What is lost' })).toContainText('left out');
  await expectAccessible(page);

  await dialog.getByRole('radio', { name: 'HTML page' }).click();
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: /^Save/ }).click();
  const html = await readFile(await (await saved).path(), 'utf8');
  expect(html).toContain('Count to six.');
  const elsewhere = await browser.newContext();
  const offline = await elsewhere.newPage();
  const requests: string[] = [];
  offline.on('request', (request) => requests.push(request.url()));
  await offline.setContent(html);
  await expect(offline.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(offline);
  expect(requests).toEqual([]);
  await elsewhere.close();
});

test('export of all that the table shows: one line each, and no more than the filter leaves', async ({
  app: page,
}) => {
  await dropFiles(page, [{ name: 'run.jsonl', text: rollouts }]);
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
  for (const [filter, count] of [
    ['', 2],
    ['reward >= 1', 1],
  ] as const) {
    await page.getByRole('combobox', { name: 'Filter' }).fill(filter);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByRole('radio', { name: `All ${count} in the table` }).click();
    await dialog.getByRole('radio', { name: 'OpenAI chat' }).click();
    await dialog.getByRole('button', { name: 'Write' }).click();
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: /^Save/ }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    const records = text.split('\n').filter((line) => line !== '');
    expect(records).toHaveLength(count);
    for (const record of records) expect(JSON.parse(record)).toHaveProperty('messages');
    await expect(dialog).toHaveCount(0);
  }
});
