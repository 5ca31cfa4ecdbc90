import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Relative, so that a build also works from a folder of a static host.
  base: './',
  plugins: [react()],
  build: { outDir: 'dist/app', target: 'es2023', assetsInlineLimit: 0 },
  worker: { format: 'es' },
  server: { host: '127.0.0.1' },
  test: { include: ['src/**/*.test.{ts,tsx}'], environment: 'node' },
});
