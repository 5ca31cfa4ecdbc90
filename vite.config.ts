import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { contentSecurityPolicyForMeta } from './src/cli/csp.ts';

/** The policy stands in the page as well, so that a statically hosted copy has it. Dev mode needs inline scripts. */
const policyInPage: Plugin = {
  name: 'policy-in-page',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicyForMeta },
      injectTo: 'head-prepend',
    },
  ],
};

const gymWorkerScript = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');

/** The service worker before the environment server in the tab: taken from its package, so that the two always fit. */
const gymWorker: Plugin = {
  name: 'gym-worker',
  configureServer: ({ middlewares }) => {
    middlewares.use('/mockServiceWorker.js', (_request, response) => {
      response.setHeader('Content-Type', 'text/javascript');
      response.end(readFileSync(gymWorkerScript));
    });
  },
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'mockServiceWorker.js', source: readFileSync(gymWorkerScript) });
  },
};

export default defineConfig({
  // Relative, so that a build also works from a folder of a static host.
  base: './',
  plugins: [react(), policyInPage, gymWorker],
  build: {
    outDir: 'dist/app',
    target: 'es2023',
    assetsInlineLimit: 0,
    // The largest chunk is the table of the bundled tokenizer, loaded once the first screen stands.
    chunkSizeWarningLimit: 1000,
  },
  worker: { format: 'es' },
  server: { host: '127.0.0.1' },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'node',
    // All cores: most tests compute.
    maxWorkers: '100%',
    // Only for what hangs: how long a test takes on a busy machine says nothing about the code.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
