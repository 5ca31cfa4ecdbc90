import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { dropFiles, expect, expectAccessible, test } from './support/app';
import { serveGym, serveModel } from './support/endpoint';

// Several transitions, screens and looks of axe each.
test.slow();

interface Choice {
  environment: string;
  script?: string;
  mistakes?: readonly string[];
  store?: 'Memory' | 'IndexedDB';
  byHand?: boolean;
}

/** Sets a run up on its page and starts it, standing still. */
async function start(page: Page, choice: Choice): Promise<void> {
  await page.goto('/?page=live');
  await page.getByRole('radio', { name: new RegExp(`^${choice.environment}`) }).check();
  if (choice.byHand === true) await page.getByRole('radio', { name: 'By hand' }).click();
  else if (choice.script !== undefined)
    await page.getByRole('combobox', { name: 'Script' }).selectOption({ label: choice.script });
  if (choice.store !== undefined) await page.getByRole('radio', { name: choice.store }).click();
  if (choice.mistakes !== undefined) {
    await page.getByText('Mistakes on purpose').click();
    for (const name of choice.mistakes)
      await page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).check();
  }
  await page.getByRole('button', { name: 'Start, step by step' }).click();
  await expect(page.getByRole('region', { name: 'Run' })).toBeVisible({ timeout: 30_000 });
}

const control = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Run' }).getByRole('button', { name, exact: true });

const statusOf = (page: Page) => page.getByRole('region', { name: 'Run' }).getByRole('status');

async function runToTheEnd(page: Page): Promise<void> {
  await control(page, 'Run').click();
  await expect(statusOf(page)).toContainText(/Finished/, { timeout: 30_000 });
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' });

test('a document episode with three deletes: stubs, snapshots, samples, state and reward', async ({
  page,
}) => {
  await start(page, { environment: 'Document QA', script: 'Read through, delete as you go' });
  await control(page, 'Step').click();
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuetext', 'Step 0 of 1');
  await runToTheEnd(page);
  await expect(statusOf(page)).toContainText('reward 1');
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuetext', 'Step 8 of 9');

  // To the first delete, and to the call after it.
  for (const key of ['g', 'g', ']', 'j']) await page.keyboard.press(key);
  await expect(page).toHaveURL(/step=3/);
  await expect(page.getByRole('article', { name: 'tool, message 4' })).toContainText('deleted');
  await page.keyboard.press('G');
  await tab(page, 'Snapshots').click();
  await expect(inspector(page)).toContainText('3 snapshots');
  await tab(page, 'Samples').click();
  await expect(inspector(page)).toContainText('4 samples');
  await tab(page, 'State').click();
  await expect(inspector(page)).toContainText('First lit on the night');
  await tab(page, 'Exchanges').click();
  await expect(inspector(page)).toContainText('/verify');
  await expectAccessible(page);
});

test('a run is kept over a reload, and goes on where it stopped', async ({ page }) => {
  await start(page, { environment: 'Stateful counter', script: 'Two steps, one counter' });
  await control(page, 'Step').click();
  await expect(statusOf(page)).toContainText(/Paused.*step 1/);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Run' })).toContainText('Interrupted');
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuetext', 'Step 0 of 1');
  await control(page, 'Go on').click();
  await runToTheEnd(page);
  await expect(statusOf(page)).toContainText('reward 1');
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuetext', 'Step 2 of 3');
});

test('with dropped cookies the exchange where the session changed is pointed at', async ({ page }) => {
  await start(page, {
    environment: 'Stateful counter',
    script: 'Two steps, one counter',
    mistakes: ['drop_cookies'],
  });
  await runToTheEnd(page);
  await expect(statusOf(page)).toContainText('reward 0');
  // The table has it, too: nothing more is drawn by itself.
  await expect(page.getByRole('grid', { name: 'Episodes' })).toContainText('0.00');
  await tab(page, 'Exchanges').click();
  await expect(inspector(page).getByRole('note')).toContainText('carried no cookie');
  await expect(
    inspector(page)
      .getByRole('listitem')
      .filter({ hasText: /session \S+ → \S+/ })
      .first(),
  ).toContainText('/increment_counter');
});

test('a fork with another tool result: compare shows the first difference, the origin is untouched', async ({
  page,
}) => {
  await start(page, { environment: 'Stateful counter', script: 'Two steps, one counter' });
  await runToTheEnd(page);
  await page.getByRole('slider', { name: 'Step' }).press('Home');
  await page.getByRole('slider', { name: 'Step' }).press('ArrowRight');
  await expect(page).toHaveURL(/step=1/);
  await control(page, 'Fork').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'As it went on before' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Fork here' }).click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  await expect(page).toHaveURL(/episode=1/);
  await control(page, 'Edit results').click();
  await page.getByRole('textbox', { name: /Result 0/ }).fill('{"count": 99}');
  await page.getByRole('button', { name: 'Replace them' }).click();
  await runToTheEnd(page);
  await expect(page.getByRole('grid', { name: 'Episodes' }).getByRole('row')).toHaveCount(3);

  await page.keyboard.press('c');
  await expect(page.getByText('Pinned for comparing')).toBeVisible();
  await page.keyboard.press('K');
  await expect(page.getByText(/the result of get_counter_value differs/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('article', { name: /tool/ }).last()).not.toContainText('99');
});

test('written by hand, with a breakpoint and the state changed under way', async ({ page }) => {
  await start(page, { environment: 'Stateful counter', byHand: true });
  await page.getByRole('button', { name: 'Breakpoints' }).click();
  await page.getByRole('combobox', { name: 'Kind of breakpoint' }).selectOption({ value: 'condition' });
  await page.getByRole('textbox', { name: 'Condition' }).fill('/count >');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Pause when' })).toContainText(/condition|expected|value/i);
  await page.getByRole('textbox', { name: 'Condition' }).fill('/count > 4');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.keyboard.press('Escape');
  await control(page, 'Run').click();
  const turn = page.getByRole('form', { name: /waits for your turn/ });
  await turn.getByRole('combobox', { name: 'Add a call' }).selectOption('increment_counter');
  await turn.getByRole('textbox', { name: 'Arguments of call 0' }).fill('{"count": 2}');
  await turn.getByRole('button', { name: 'Emit' }).click();
  await expect(page.getByText('Breakpoint.')).toBeVisible();
  await control(page, 'Edit state').click();
  await page.getByRole('textbox', { name: 'State as JSON' }).fill('{"count": 41}');
  await page.getByRole('button', { name: 'Set it' }).click();
  await tab(page, 'State').click();
  await expect(inspector(page)).toContainText('changed by hand');
  await expect(inspector(page)).toContainText('41');
  await control(page, 'Run').click();
  await turn.getByRole('textbox', { name: 'Text' }).fill('It is 41.');
  await turn.getByRole('button', { name: 'Emit' }).click();
  await expect(statusOf(page)).toContainText('Finished');
  await expect(statusOf(page)).toContainText('reward 0');
});

const asked = (task: number, add: number) => ({
  responses_create_params: {
    input: [{ role: 'user', content: `Add ${add} and tell me the value (${task}).` }],
  },
});

const call = (id: string, name: string, args: object) => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: JSON.stringify(args),
});

const answer = (id: string, output: object) => ({
  type: 'function_call_output',
  call_id: id,
  output: JSON.stringify(output),
});

/** A rollout as NeMo Gym writes one, of the counter: the seed is in the task's row alone. */
function rollout(task: number, add: number, seen: number, reward: number): object {
  const said = { type: 'output_text', text: `The counter is at ${seen}.`, annotations: [] };
  return {
    ...asked(task, add),
    response: {
      output: [
        call('a', 'increment_counter', { count: add }),
        answer('a', { success: true }),
        call('b', 'get_counter_value', {}),
        answer('b', { count: seen }),
        { type: 'message', role: 'assistant', content: [said] },
      ],
    },
    reward,
  };
}

const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

test('rollouts dropped with their task inputs are replayed, and the state after each step is there', async ({
  app,
}) => {
  await dropFiles(app, [
    { name: 'rollouts.jsonl', text: linesOf([rollout(0, 2, 5, 1), rollout(1, 4, 9, 1)]) },
    {
      name: 'inputs.jsonl',
      text: linesOf([
        { ...asked(0, 2), initial_count: 3, expected_count: 5 },
        { ...asked(1, 4), initial_count: 6, expected_count: 10 },
      ]),
    },
  ]);
  await expect(app.getByRole('grid', { name: 'Episodes' })).toBeVisible();
  await expect(app).toHaveURL(/source=rollouts.jsonl/);
  await tab(app, 'State').click();
  await expect(app.getByText('No session state')).toBeVisible();
  await app.keyboard.press('R');
  const dialog = app.getByRole('dialog');
  await dialog.getByRole('radio', { name: /^All 2/ }).click();
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await expect(dialog.getByRole('status')).toContainText(
    '1 episode reproduced, 1 diverged, 0 cannot be replayed.',
    { timeout: 30_000 },
  );
  await expect(dialog.getByRole('row').nth(2)).toContainText('diverged at step');
  await expectAccessible(app);
  await dialog.getByRole('row').nth(1).getByRole('button').click();
  await expect(inspector(app)).toContainText(/count\s*5/);
});

test('saved, opened again and compared, a run is the same', async ({ page }) => {
  await start(page, { environment: 'Document QA', script: 'Read through, delete as you go' });
  await runToTheEnd(page);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('radio', { name: 'Rollscope' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Save/ }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  await page.keyboard.press('c');
  await dropFiles(page, [{ name: 'saved.jsonl', text: file }]);
  await expect(page).toHaveURL(/source=saved.jsonl/);
  await expect(page.getByText('The two are the same, in every step, state and reward.')).toBeVisible();
});

test('a model behind an endpoint plays against a server on a port, both through the local proxy', async ({
  page,
  serveFiles,
}) => {
  const gym = await serveGym('stateful_counter');
  const model = await serveModel([
    { text: 'Adding.', call: { name: 'increment_counter', arguments: { count: 2 } } },
    { text: 'The counter is at 5.' },
  ]);
  try {
    const { url } = await serveFiles();
    await page.goto(url);
    await expect(page.getByRole('heading', { name: /See what really happened/ })).toBeVisible();
    await page.getByRole('button', { name: 'Run an episode' }).click();
    await page.getByRole('radio', { name: /^Stateful counter/ }).check();
    await page.getByRole('radio', { name: 'Endpoint' }).click();
    await page.getByRole('textbox', { name: 'Address', exact: true }).fill(model.url);
    await page.getByRole('textbox', { name: 'Model' }).fill('small');
    await page.getByLabel('Key').fill('secret-of-the-test');
    await page.getByRole('radio', { name: 'By address' }).click();
    await page.getByRole('textbox', { name: /Address of the resources server/ }).fill(gym.url);
    await page.getByRole('button', { name: 'Start, step by step' }).click();
    await expect(page.getByRole('region', { name: 'Run' })).toBeVisible({ timeout: 30_000 });
    await runToTheEnd(page);
    await expect(statusOf(page)).toContainText('reward 1');
    expect(model.requests.map(({ authorization }) => authorization)).toEqual(
      Array.from({ length: 2 }, () => 'Bearer secret-of-the-test'),
    );
    await tab(page, 'State').click();
    await expect(inspector(page)).toContainText('cannot be seen');
    // The key is in nothing that stays.
    const stored = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    expect(stored).not.toContain('secret-of-the-test');
    await tab(page, 'Raw').click();
    await expect(inspector(page)).not.toContainText('secret-of-the-test');
  } finally {
    await model.close();
    await gym.kill();
  }
});

test.describe('a server that dies', () => {
  // The proxy says that it cannot reach it.
  test.use({ expectedErrors: /502 \(Bad Gateway\)/ });

  test('in the middle of a run leaves the finished steps', async ({ page, serveFiles }) => {
    const gym = await serveGym('stateful_counter');
    const { url } = await serveFiles();
    await page.goto(url);
    await page.getByRole('button', { name: 'Run an episode' }).click();
    await page.getByRole('radio', { name: /^Stateful counter/ }).check();
    await page.getByRole('radio', { name: 'By address' }).click();
    await page.getByRole('textbox', { name: /Address of the resources server/ }).fill(gym.url);
    await page.getByRole('button', { name: 'Start, step by step' }).click();
    await expect(page.getByRole('region', { name: 'Run' })).toBeVisible({ timeout: 30_000 });
    await control(page, 'Step').click();
    await expect(statusOf(page)).toContainText(/Paused.*step 1/);
    await gym.kill();
    await control(page, 'Step').click();
    await expect(statusOf(page)).toContainText('Failed', { timeout: 30_000 });
    await expect(page.getByRole('region', { name: 'Run' }).getByRole('alert')).toContainText('not answered');
    await page.reload();
    await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuetext', /of [12]$/);
    await expect(page.getByText('I will add 2 first.')).toBeVisible();
  });
});

test('a fork that goes on as recorded goes on after a reload, and the keyboard stays on its control', async ({
  page,
}) => {
  await start(page, { environment: 'Stateful counter', script: 'Two steps, one counter' });
  await runToTheEnd(page);
  await page.getByRole('slider', { name: 'Step' }).press('Home');
  await control(page, 'Fork').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'As it went on before' }).click();
  await dialog.getByRole('button', { name: 'Fork here' }).click();
  await expect(page).toHaveURL(/episode=1/, { timeout: 30_000 });
  await page.reload();
  await control(page, 'Go on').click();
  await expect(statusOf(page)).toContainText(/Paused.*step 1/, { timeout: 30_000 });
  await control(page, 'Step').focus();
  await page.keyboard.press('Enter');
  await expect(statusOf(page)).toContainText(/Paused.*step 2/);
  await page.keyboard.press('Enter');
  await expect(statusOf(page)).toContainText('reward 1');
  await expect(control(page, 'Step')).toBeFocused();
});
