import { defineConfig, devices } from '@playwright/test';
import { findBrowser, launchArguments } from './src/cli/boot/browser.mjs';

const executablePath = await findBrowser();

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  globalSetup: './e2e/support/build.ts',
  workers: 2,
  fullyParallel: true,
  // A test that is only sometimes right is wrong.
  retries: 0,
  // How fast a machine is, is not what these tests look at: waits are long enough for a busy one.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    launchOptions: { args: launchArguments, ...(executablePath === undefined ? {} : { executablePath }) },
    screenshot: 'only-on-failure',
  },
});
