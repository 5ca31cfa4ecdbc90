import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { expect, test } from './support/app';
import { dropFiles } from './support/drop';
import { rolloutFile } from './support/rollouts';

const panel = (page: Page) => page.getByRole('tabpanel');
const tokens = (page: Page) => page.getByRole('region', { name: 'Tokens of the sample' });
const step = (page: Page) => page.getByRole('slider', { name: 'Step' });

/** Reading and drawing it takes a while on a busy machine. */
async function openAt(page: Page, place: string): Promise<void> {
  await page.goto(place);
  await expect(step(page)).toBeVisible({ timeout: 30_000 });
}

async function choose(page: Page, tab: string): Promise<void> {
  await page.getByRole('tab', { name: tab }).click();
  await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
}

test('a mask that outgrew its context is seen at once, and what aligned samples would train', async ({
  page,
}) => {
  test.slow();
  await openAt(page, '/?source=sample/outgrown&episode=0&tab=samples');
  const lanes = page.getByRole('list', { name: 'Samples' });
  await expect(lanes.getByRole('listitem').last()).toContainText('0 trained');
  await expect(lanes.getByRole('listitem').last()).toContainText('aligned 99');
  await expect(panel(page).getByText('The final sample trains nothing')).toBeVisible();
  await expect(panel(page).getByText('99 emitted tokens are trained in no sample')).toBeVisible();
  await expect(
    lanes.getByRole('img', { name: 'final, steps 4 to 4: 0 tokens trained, 99 dropped', exact: true }),
  ).toBeVisible();
  await expectAccessible(page);

  await panel(page).getByRole('radio', { name: 'Aligned' }).click();
  await expect(lanes.getByRole('listitem').last()).toContainText('99 trained');
  await expect(panel(page).getByText('each of 5 turns is trained in exactly one sample')).toBeVisible();
});

test('each turn leads to its step, and a sample to its tokens', async ({ page }) => {
  await openAt(page, '/?source=sample/outgrown&episode=0&tab=samples');
  await panel(page).getByRole('button', { name: 'step 3', exact: true }).first().click();
  await expect(step(page)).toHaveAttribute('aria-valuenow', '3');
  await panel(page).getByRole('button', { name: 'final' }).click();
  await expect(page.getByLabel('Sample', { exact: true })).toHaveValue('1');
  await expect(panel(page).getByText('99 ones of the mask lie past the last token')).toBeVisible();
});

test('the cursor walks over tokens and says what each of them is', async ({ page }) => {
  test.slow();
  await openAt(page, '/?source=sample/deletes&episode=0&step=3&tab=tokens');
  const said = panel(page).locator('[aria-live="polite"]');
  await expect(said).toContainText('step 3, id 84, “T”, trained, logprob');
  await expectAccessible(page);

  await tokens(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(said).toContainText('“h”, trained');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(said).toContainText('“↵”, masked');
  await page.keyboard.press('Control+Home');
  await expect(said).toContainText('token 0, prompt');
  await panel(page).getByRole('button', { name: 'Next trained run' }).click();
  await expect(said).toContainText('step 2, id 73, “I”, trained');

  await page.getByLabel('Colour by').selectOption('logprob');
  await expect(panel(page).locator('[data-level="5"]').nth(1)).toBeVisible();
  await expectAccessible(page);
});

test('selected tokens are copied as the text that stood there', async ({ page }) => {
  await openAt(page, '/?source=sample/deletes&episode=0&step=0&tab=tokens');
  await expect(tokens(page)).toBeVisible();
  await tokens(page).focus();
  await page.keyboard.press('Control+Home');
  await expect(tokens(page).getByText('prompt', { exact: true })).toBeVisible();
  const copied = await page.evaluate(() => {
    const runs = [...document.querySelectorAll<HTMLElement>('[data-start]')].slice(0, 4);
    const [from, to] = [runs[0]?.firstChild, runs[3]?.firstChild];
    if (!(from instanceof Text) || !(to instanceof Text)) return undefined;
    window.getSelection()?.setBaseAndExtent(from, 0, to, to.length);
    let text: string | undefined;
    window.addEventListener('copy', (event) => (text = event.clipboardData?.getData('text/plain')), {
      once: true,
    });
    document.execCommand('copy');
    return text;
  });
  expect(copied).toMatch(/^<\|im_start\|>user\nWhich ship/);
  expect(copied).not.toContain('↵');
});

test('a snapshot opens as it was, and two can be compared', async ({ page }) => {
  test.slow();
  await openAt(page, '/?source=sample/deletes&episode=0&tab=snapshots');
  await expect(panel(page).getByText('3 snapshots, each taken just before an edit')).toBeVisible();
  await panel(page).getByRole('button', { name: 'snapshot 2' }).click();
  await expect(panel(page).getByText('The edit after it took 2 messages: 5, 6.')).toBeVisible();
  await expect(panel(page).getByText('deleted by this edit')).toHaveCount(2);
  await expect(panel(page).getByText('deleted at step 1')).toHaveCount(1);
  await panel(page).getByLabel('Compare to').selectOption('the end');
  await expect(panel(page).getByText(/8 added, 3 deleted; context/)).toBeVisible();
  await expectAccessible(page);
  await panel(page).getByRole('button', { name: 'Go to step 7' }).click();
  await expect(step(page)).toHaveAttribute('aria-valuenow', '7');
});

test('notes are those that the step found, with what changed', async ({ page }) => {
  test.slow();
  await openAt(page, '/?source=sample/deletes&episode=0&step=7&tab=notes');
  await expect(panel(page).getByText('2 notes when step 7 was called')).toBeVisible();
  await expect(panel(page).getByText('+ new')).toHaveCount(2);
  await expectAccessible(page);
  await page.keyboard.press('k');
  await expect(panel(page).getByText('1 note when step 6 was called.')).toBeVisible();
});

test('two hundred thousand tokens are a few rows on the page, and the last is one key away', async ({
  app,
}) => {
  test.slow();
  await dropFiles(app, [{ name: 'long.jsonl', text: longRollout(200_000) }]);
  await expect(step(app)).toBeVisible();
  await choose(app, 'Tokens');
  await tokens(app).focus();
  await app.keyboard.press('Control+End');
  await expect(panel(app).locator('[aria-live="polite"]')).toContainText('token 199,999');
  await expect(tokens(app).locator('[data-cursor]')).toBeInViewport();
  expect(await tokens(app).locator('*').count()).toBeLessThan(2_000);
});

test('what has no tokens says so in every tab', async ({ app }) => {
  await dropFiles(app, [{ name: 'apples.jsonl', text: rolloutFile(1) }]);
  await expect(step(app)).toBeVisible();
  await choose(app, 'Tokens');
  await expect(panel(app).getByText('No token ids', { exact: true })).toBeVisible();
  await choose(app, 'Samples');
  await expect(panel(app).getByText('? trained')).toBeVisible();
  await choose(app, 'Snapshots');
  await expect(panel(app).getByText('No snapshots', { exact: true })).toBeVisible();
  await choose(app, 'Notes');
  await expect(panel(app).getByText('No notes', { exact: true })).toBeVisible();
});

const ids = (length: number) => Array.from({ length }, (_, at) => (at * 7919) % 50_000);

/** One call with as many tokens, of which every tenth was generated. */
function longRollout(count: number): string {
  const generated = count / 10;
  return JSON.stringify({
    responses_create_params: { input: [{ role: 'user', content: 'Go on.' }] },
    response: {
      id: 'resp_long',
      model: 'counter-7b',
      object: 'response',
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'On and on.' }],
          prompt_token_ids: ids(count - generated),
          generation_token_ids: ids(generated),
          generation_log_probs: Array.from({ length: generated }, (_, at) => -(at % 100) / 50),
        },
      ],
    },
    reward: 1,
    _ng_task_index: 0,
    _ng_rollout_index: 0,
  });
}

const emitted = (at: number) => at >= 4 && at < 10;
const over = (value: (at: number) => number) => [Array.from({ length: 12 }, (_, at) => value(at))];
/** Of a trainer that keeps what both made of each token. */
const trained = {
  content: [
    [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
    ],
  ],
  rewards: [1],
  input_lengths: [12],
  token_ids: over((at) => 100 + at),
  token_loss_mask: over((at) => (emitted(at) ? 1 : 0)),
  sample_loss_mask: [1],
  advantages: over(() => 0.5),
  generation_logprobs: over((at) => (emitted(at) ? -0.5 : 0)),
  prev_logprobs: over((at) => -0.5 - (at % 6) / 8),
  idx: 0,
};

test('the gap between trainer and server is a colour, with its legend and its words', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [{ name: 'train_data_step1.jsonl', text: JSON.stringify(trained) }]);
  await expect(step(page)).toBeVisible({ timeout: 30_000 });
  await choose(page, 'Tokens');
  await page.getByLabel('Colour by').selectOption('train-inference gap');
  await expect(panel(page).getByText(/train-inference gap, either way 0.*0\.625/)).toBeVisible();
  const said = panel(page).locator('[aria-live="polite"]');
  await expect(said).toContainText('trained, logprob −0.5');
  await expect(said).toContainText('train-inference gap −0.5');
  // Only what was emitted has one.
  await expect(tokens(page).locator('[data-level]').first()).toContainText('104');
  await expect(panel(page).getByRole('columnheader', { name: 'Σ train-inference gap' })).toBeVisible();
  await expectAccessible(page);
});
