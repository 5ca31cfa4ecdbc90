import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/app';
import { dropFiles } from './support/drop';
import { filesOfOneName, rollout, rolloutFile } from './support/rollouts';

test('a dropped file shows its rows, opens an episode, and steps from first to last', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [{ name: 'apples.jsonl', text: rolloutFile(6) }]);

  const table = page.getByRole('grid', { name: 'Episodes' });
  await expect(table.getByRole('row').filter({ hasText: /task \d/ })).toHaveCount(6);

  const slider = page.getByRole('slider', { name: 'Step' });
  await expect(slider).toHaveAttribute('aria-valuenow', '0');
  await expect(slider).toHaveAttribute('aria-valuetext', 'Step 0 of 3');
  const episode = page.getByRole('region', { name: 'Episode', exact: true });
  await expect(episode.getByRole('article', { name: 'user, message 1' })).toContainText('Question number 0?');
  await expect(episode.getByRole('article', { name: 'assistant, message 2' })).toContainText('look');
  // What comes later is not in what the model saw at the first call.
  await expect(episode.getByText('There are seven apples.')).toHaveCount(0);

  await page.keyboard.press('j');
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await expect(episode.getByRole('article', { name: 'tool, message 3' })).toContainText('3');
  await page.keyboard.press('j');
  await expect(slider).toHaveAttribute('aria-valuenow', '2');
  await expect(episode.getByRole('article', { name: 'assistant, message 6' })).toContainText(
    'There are seven apples.',
  );
  await page.keyboard.press('j');
  await expect(slider).toHaveAttribute('aria-valuenow', '2');
  await page.keyboard.press('k');
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
});

test('a link opens the same step again, and back and forward walk the steps', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [{ name: 'apples.jsonl', text: rolloutFile(6) }]);
  const slider = page.getByRole('slider', { name: 'Step' });
  await expect(slider).toBeVisible();
  await page.keyboard.press('J');
  await expect(page).toHaveURL(/episode=1/);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('3');
  await expect(page.getByRole('tab', { name: 'Raw' })).toHaveAttribute('aria-selected', 'true');
  const link = page.url();

  await page.reload();
  await expect(slider).toHaveAttribute('aria-valuenow', '2');
  await expect(page.getByRole('tab', { name: 'Raw' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('Question number 1?').first()).toBeVisible();
  expect(page.url()).toBe(link);

  await page.goBack();
  await page.goBack();
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await page.goForward();
  await expect(slider).toHaveAttribute('aria-valuenow', '2');
});

test('a link to a file this browser does not have says what to drop, and goes there when it comes', async ({
  page,
}) => {
  await page.goto('/?source=far.jsonl&episode=2&step=1');
  await expect(page.getByText('Drop far.jsonl here')).toBeVisible();
  await dropFiles(page, [{ name: 'far.jsonl', text: rolloutFile(4) }]);
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuenow', '1');
  await expect(page.getByText('Question number 2?').first()).toBeVisible();
});

test('three bad lines among good ones are named, and the good ones open', async ({ page }) => {
  const text = [
    rollout({ rollout: 0 }),
    '{"responses_create_params": {"input": [',
    rollout({ rollout: 1 }),
    '<PLACEHOLDER ROW>',
    '',
    rollout({ rollout: 2 }),
    'null,',
  ].join('\n');
  await page.goto('/');
  await dropFiles(page, [{ name: 'torn.jsonl', text }]);
  const table = page.getByRole('grid', { name: 'Episodes' });
  await expect(table.getByRole('row').filter({ hasText: /task \d/ })).toHaveCount(3);
  const problems = page.getByRole('region', { name: 'Problems' });
  for (const line of [2, 4, 7]) await expect(problems).toContainText(new RegExp(`line ${line}\\b`, 'i'));
});

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

test('files come by the button and by paste, too', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Open files').setInputFiles({
    name: 'chosen.jsonl',
    mimeType: 'application/json',
    buffer: Buffer.from(rolloutFile(2)),
  });
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();

  await page.goto('/');
  await paste(page, rollout({ question: 'Pasted?' }));
  await expect(page.getByText('Pasted?').first()).toBeVisible();
});

for (const { name, text, says } of [
  { name: 'empty.jsonl', text: '', says: /empty/i },
  {
    name: 'pointer.json',
    text: 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
    says: /LFS/,
  },
  { name: 'words.txt', text: 'these are\nno records\n', says: /Nothing in this file is JSON/ },
]) {
  test(`${name} ends in a message that says what it is`, async ({ page }) => {
    await page.goto('/');
    await dropFiles(page, [{ name, text }]);
    await expect(page.getByRole('region', { name: 'Episode', exact: true })).toContainText(says);
  });
}

test('a drop is taken, though the page is redrawn under it', async ({ page, context }) => {
  await page.goto('/');
  await page.evaluate(() => {
    const layer = document.createElement('div');
    layer.style.cssText = 'position: fixed; inset: 0; z-index: 40';
    const frame = document.createElement('div');
    frame.append(layer.cloneNode());
    document.body.append(frame);
    const redraw = ({ target }: Event) => {
      if (target === frame.firstChild) frame.replaceChildren(layer.cloneNode());
    };
    for (const type of ['dragenter', 'dragover']) window.addEventListener(type, redraw);
  });
  await dropFiles(page, [{ name: 'apples.jsonl', text: rolloutFile(2) }]);
  await expect(page.getByRole('grid', { name: 'Episodes' })).toHaveAttribute('aria-rowcount', '3');
  // Else the browser would have opened it.
  expect(context.pages()).toHaveLength(1);
});

test('what is dragged over the page and away again leaves nothing behind', async ({ page }) => {
  await page.goto('/');
  // No browser test can drag something away: these are the events that the browser then makes.
  const transfer = await page.evaluateHandle(() => {
    const made = new DataTransfer();
    made.items.add(new File(['{}'], 'apples.jsonl'));
    return made;
  });
  const heading = page.getByRole('heading').first();
  const cover = page.getByText('Drop to open');
  const send = (to: Locator, type: string) => to.dispatchEvent(type, { dataTransfer: transfer });

  await send(heading, 'dragenter');
  await expect(cover).toBeVisible();
  await send(heading, 'dragleave');
  await expect(cover).toHaveCount(0);

  await send(heading, 'dragenter');
  await send(cover, 'dragenter');
  await send(heading, 'dragleave');
  await expect(cover).toBeVisible();
  await send(cover, 'dragleave');
  await expect(cover).toHaveCount(0);
});

test('a file opened again under its old name shows what it holds now', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [{ name: 'scored.jsonl', text: rollout({ reward: 0.25 }) }]);
  const inspector = page.getByRole('region', { name: 'Inspector' });
  await expect(inspector).toContainText('0.25');
  await dropFiles(page, [{ name: 'scored.jsonl', text: rollout({ reward: 0.75 }) }]);
  await expect(inspector).toContainText('0.75');
});

test('what is open is not opened twice, nor given up for something else of its size', async ({ page }) => {
  const paths = await filesOfOneName();
  await page.goto('/');
  const sources = page.getByRole('list', { name: 'Sources' }).getByRole('listitem');
  const table = page.getByRole('grid', { name: 'Episodes' });
  for (const path of paths) await dropFiles(page, [path]);
  await expect(sources).toHaveCount(2);
  await page.getByRole('button', { name: 'Close run.jsonl', exact: true }).click();
  await expect(sources).toHaveCount(1);
  await dropFiles(page, paths.slice(1));
  await expect(table).toHaveAttribute('aria-rowcount', '2');
  await expect(sources).toHaveText([/run\.jsonl \(2\)/]);

  for (const task of [3, 4]) await paste(page, rollout({ task }));
  await expect(table).toHaveAttribute('aria-rowcount', '4');
  await page.getByRole('button', { name: 'Close pasted', exact: true }).click();
  await expect(table).toHaveAttribute('aria-rowcount', '3');
  await paste(page, rollout({ task: 5 }));
  await expect(table).toHaveAttribute('aria-rowcount', '4');
  await expect(table).toContainText('task 4');
  await expect(table).toContainText('task 5');
});

test('closing what is shown goes to what is left, and then to the first screen', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [
    { name: 'one.jsonl', text: rollout({ question: 'First file?' }) },
    { name: 'two.jsonl', text: rollout({ question: 'Second file?' }) },
  ]);
  await expect(page.getByText('First file?').first()).toBeVisible();
  await page.getByRole('button', { name: 'Close one.jsonl' }).click();
  await expect(page.getByText('Second file?').first()).toBeVisible();
  await page.getByRole('button', { name: 'Close two.jsonl' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('See what really happened');
});

test('whatever local storage holds, the page draws', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('rollscope.layout', '{"state":{"widths":null,"episodesOpen":3},"version":1}');
    localStorage.setItem('rollscope.preferences', '{"state":{"theme":[],"columnWidths":"x"},"version":9}');
  });
  await page.goto('/');
  await dropFiles(page, [{ name: 'apples.jsonl', text: rolloutFile(2) }]);
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
});
