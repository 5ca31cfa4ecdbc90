import type { Page } from '@playwright/test';
import { longEpisode } from '../src/app/episode/bench/long-episode';
import { inOneFile, linear } from '../src/formats/atif/run.fixtures';
import { lineWithSessions } from '../src/formats/rollscope/sessions.fixtures';
import { dropFiles, expect, expectAccessible, test } from './support/app';

const panel = (page: Page) => page.getByRole('tabpanel');
const step = (page: Page) => page.getByRole('slider', { name: 'Step' });

/** Reading and drawing it takes a while on a busy machine. */
async function openAt(page: Page, place: string): Promise<void> {
  await page.goto(place);
  await expect(step(page)).toBeVisible({ timeout: 30_000 });
}

const timeline = (page: Page) => page.getByRole('region', { name: 'Timeline' });

/** A tokenizer whose tokens are single characters, as Hugging Face writes such files. */
function characterTokenizer(): string {
  const letters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: { type: 'Fuse' },
    model: {
      type: 'BPE',
      unk_token: '~',
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(letters.map((letter, id) => [letter, id])),
      merges: [],
    },
  });
}

test('opening an episode whose last sample trains nothing says so, why, and what would', async ({ page }) => {
  await openAt(page, '/?source=sample/outgrown&episode=0');
  await expect(panel(page).getByText('The final sample trains nothing')).toBeVisible();
  await expect(panel(page).getByText('sliced at the last render it would train 99')).toBeVisible();
  await panel(page).getByRole('button', { name: 'See all samples' }).click();
  await expect(page.getByRole('tab', { name: 'Samples' })).toHaveAttribute('aria-selected', 'true');
});

test('context is measured in tokens, and a dropped tokenizer counts from then on', async ({ page }) => {
  test.slow();
  await openAt(page, '/?source=sample/research&episode=0&step=1');
  await expect(timeline(page)).toContainText('tokens in context');
  const choice = timeline(page).getByRole('combobox', { name: 'Tokenizer' });
  await expect(choice).toHaveValue('bundled');
  const article = page.getByRole('article', { name: /^assistant, message/ }).first();
  await expect(article).not.toContainText('≈');

  await choice.selectOption('none');
  await expect(article).toContainText('≈');

  await dropFiles(page, [
    { name: 'tokenizer.json', text: characterTokenizer() },
    { name: 'tokenizer_config.json', text: '{"chat_template": "{{ messages[0].content }}"}' },
  ]);
  await expect(choice.locator('option:checked')).toContainText('tokenizer.json with its template');
  await expect(article).not.toContainText('≈');

  // It is kept.
  await page.reload();
  await expect(choice.locator('option:checked')).toContainText('tokenizer.json with its template');
  await expect(article).not.toContainText('≈');
  await expectAccessible(page);
});

test('a finding leads to its message and to its tokens', async ({ page }) => {
  await openAt(page, '/?source=sample/outgrown&episode=0&tab=findings');
  await panel(page).getByRole('button', { name: 'message 0', exact: true }).click();
  await expect(page.getByRole('article', { name: 'user, message 0' })).toBeVisible();

  await panel(page).getByRole('button', { name: 'tokens 0 to 33' }).click();
  await expect(page.getByRole('tab', { name: 'Tokens' })).toHaveAttribute('aria-selected', 'true');
  await expect(step(page)).toHaveAttribute('aria-valuenow', '4');
  await expect(panel(page).locator('[aria-live="polite"]')).toContainText('token 0, prompt');
});

test('a prompt that does not continue the call before it is shown with both readings', async ({ page }) => {
  await openAt(page, '/?source=sample/outgrown&episode=0&step=4&tab=tokens');
  const breaks = panel(page).getByText('1 prompt of 4 does not continue the call before');
  await expect(breaks).toBeVisible();
  await expect(panel(page).locator('del')).toContainText("I read the keeper's copy");
  await expect(panel(page).locator('ins')).toContainText('Content has been deleted');
});

test('10,000 messages and 1,000 deletes open, and open again', async ({ page }) => {
  test.slow();
  await page.goto('/');
  const file = { name: 'long.json', text: longEpisode(10_000) };
  for (let time = 0; time < 2; time++) {
    await dropFiles(page, [file]);
    // Reading it takes a while on a busy machine.
    await expect(step(page)).toHaveAttribute('aria-valuemax', '4999', { timeout: 30_000 });
    await step(page).press('End');
    await expect(step(page)).toHaveAttribute('aria-valuenow', '4999', { timeout: 30_000 });
    await expect(page.getByRole('article', { name: 'assistant, message 9999' })).toBeVisible();
    await page.getByRole('button', { name: 'Rollscope, first screen' }).click();
  }
});

test('the wheel scrubs, and keys jump from delete to delete', async ({ page }) => {
  await openAt(page, '/?source=sample/deletes&episode=0');
  await step(page).hover();
  await page.mouse.wheel(0, 120);
  await expect(step(page)).toHaveAttribute('aria-valuenow', '2');
  await page.keyboard.press(']');
  await expect(step(page)).toHaveAttribute('aria-valuenow', '4');
  await expect(page.getByText('snapshot 2 taken, mask cleared').first()).toBeVisible();
});

test('more steps than browsers take changes of the URL are all made', async ({ page }) => {
  test.slow();
  await openAt(page, '/?source=sample/deletes&episode=0');
  await step(page).evaluate(async (slider) => {
    for (let nth = 0; nth < 251; nth++) {
      const key = nth % 2 === 0 ? 'ArrowRight' : 'ArrowLeft';
      slider.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, repeat: true }));
      await new Promise((resolve) => {
        setTimeout(resolve);
      });
    }
  });
  await expect(step(page)).toHaveAttribute('aria-valuenow', '1');
  await expect(page).toHaveURL(/step=1/);
});

const filesOf = (files: Readonly<Record<string, unknown>>) =>
  Object.entries(files).map(([name, value]) => ({ name, text: JSON.stringify(value) }));
const row = (page: Page, nth: number) =>
  page.getByRole('region', { name: 'Episodes' }).getByRole('row').nth(nth);

test('a run in several files shows where its context was summed up, as any compaction', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, filesOf(linear));
  await expect(step(page)).toBeVisible({ timeout: 30_000 });
  await row(page, 2).click();
  // Two of its steps stand in the file before it.
  await expect(step(page)).toHaveAttribute('aria-valuetext', 'Step 0 of 4');
  await page.keyboard.press(']');
  await expect(step(page)).toHaveAttribute('aria-valuenow', '1');
  await expect(page.getByText('compacts 6 messages').first()).toBeVisible();
  await page.keyboard.press('j');
  const episode = page.getByRole('region', { name: 'Episode', exact: true });
  await expect(episode.getByText('6 messages compacted at step 1')).toBeVisible();
  await expect(episode.getByText('You pick up where another left')).toBeVisible();
  await expect(episode.getByText('Making a folder.')).toBeHidden();
  await episode.getByRole('button', { name: 'show what stood here' }).click();
  await expect(episode.getByText('Making a folder.')).toBeVisible();
  await expect(panel(page)).toContainText('Steps 0 to 1 are read from trajectory.json');
  await expectAccessible(page);

  await panel(page)
    .getByRole('button', { name: /in trajectory\.json$/ })
    .click();
  await expect(step(page)).toHaveAttribute('aria-valuetext', 'Step 0 of 2');
});

test('a file of a run that is missing is named, and joins when it comes', async ({ page }) => {
  await page.goto('/');
  const [main, questions] = filesOf(inOneFile);
  if (main === undefined || questions === undefined) throw new Error('two files');
  await dropFiles(page, [main]);
  await expect(step(page)).toHaveAttribute('aria-valuetext', 'Step 0 of 4', { timeout: 30_000 });
  await expect(panel(page)).toContainText('trajectory.summarization-1-questions.json: open it together');
  await step(page).press('End');
  const article = page.getByRole('article').filter({ hasText: 'You pick up where another left' });
  await expect(article).toHaveCount(0);
  await dropFiles(page, [questions]);
  await expect(row(page, 2)).toBeVisible();
  await row(page, 1).click();
  await step(page).press('End');
  await expect(article).toBeVisible();
  await expect(panel(page)).not.toContainText('open it together');
});

test('a session that two episodes share is found: in the tab, on the timeline, in the table', async ({
  page,
}) => {
  const text = [
    lineWithSessions('one', 'aaa'),
    lineWithSessions('two', 'bbb'),
    lineWithSessions('three', 'aaa'),
  ].join('\n');
  await page.goto('/');
  await dropFiles(page, [{ name: 'shared.jsonl', text }]);
  await expect(step(page)).toBeVisible({ timeout: 30_000 });
  await page.getByRole('tab', { name: 'Findings' }).click();
  await expect(panel(page)).toContainText('Session aaa was used by episode 2 of shared.jsonl, too');
  await expect(panel(page)).toContainText('session-shared');
  await step(page).hover();
  await expect(timeline(page).getByText(/finding/)).toBeVisible();

  await page.getByRole('button', { name: 'Check all episodes' }).click();
  const filter = page.getByRole('combobox', { name: /Filter/ });
  await filter.fill('finding:session-shared');
  await filter.press('Enter');
  await expect(row(page, 1)).toContainText('one');
  await expect(row(page, 2)).toContainText('three');
  await expect(row(page, 3)).toHaveCount(0);
});
