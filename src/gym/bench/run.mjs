// Bundles the load test, since Node 20 runs no TypeScript, and runs it. usage: node src/gym/bench/run.mjs
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const out = fileURLToPath(new URL('../../../node_modules/.cache/rollscope-load/load.mjs', import.meta.url));
mkdirSync(fileURLToPath(new URL('../../../node_modules/.cache/rollscope-load/', import.meta.url)), {
  recursive: true,
});
const bundle = await rolldown({
  input: fileURLToPath(new URL('./load.ts', import.meta.url)),
  platform: 'node',
  external: /^[^./]/,
});
await bundle.write({ file: out, format: 'esm', codeSplitting: false });
process.exit(spawnSync(process.execPath, [out], { stdio: 'inherit' }).status ?? 1);
