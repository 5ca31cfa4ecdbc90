import { test as base, expect } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import { serve } from './server';
import type { RunningServer } from './server';

export { expect } from '@playwright/test';
export { expectAccessible } from './accessible';
export { dropFiles } from './drop';

interface Options {
  /** Console errors that belong to what a test does, such as a hostile image that the policy turns away. */
  expectedErrors: RegExp | undefined;
}

interface Fixtures {
  /** The app's first screen. */
  app: Page;
  /** A server of the test's own, as `rollscope [paths...]` starts it. */
  serveFiles: (...paths: string[]) => Promise<RunningServer>;
  /** Servers a page may talk to, by their origins. Those of the test stop once its pages have been judged. */
  servers: Map<string, RunningServer>;
}

/**
 * The tests' `test`. Whatever else a test looks at, it fails when the page throws, logs an error, or asks anything
 * of anyone but its own server.
 */
export const test = base.extend<Options & Fixtures, { server: RunningServer }>({
  expectedErrors: [undefined, { option: true }],

  server: [
    // Playwright reads from the pattern which fixtures are wanted: none.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const server = await serve();
      await provide(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],

  baseURL: ({ server }, provide) => provide(server.origin),

  servers: async ({ server }, provide) => {
    const servers = new Map([[server.origin, server]]);
    await provide(servers);
    servers.delete(server.origin);
    await Promise.all([...servers.values()].map((own) => own.stop()));
  },

  serveFiles: ({ servers }, provide) =>
    provide(async (...paths) => {
      const server = await serve(...paths);
      servers.set(server.origin, server);
      return server;
    }),

  context: async ({ context, expectedErrors, servers }, provide) => {
    const faults = watch(context, servers);
    await provide(context);
    const unexpected = faults.filter((fault) => expectedErrors?.test(fault) !== true);
    expect(unexpected, 'what the page did wrong').toEqual([]);
  },

  app: async ({ page }, provide) => {
    await page.goto('/');
    await provide(page);
  },
});

/** Collects what goes wrong in any page or worker of a context. */
function watch(context: BrowserContext, servers: ReadonlyMap<string, RunningServer>): string[] {
  const faults: string[] = [];
  context.on('weberror', (web) => {
    faults.push(`page error: ${web.error().stack ?? web.error().message}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error')
      faults.push(`console error: ${message.text()} (${message.location().url})`);
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    const own = servers.has(url.origin) || url.protocol === 'data:';
    if (!own) faults.push(`request to elsewhere: ${request.url().slice(0, 200)}`);
  });
  return faults;
}
