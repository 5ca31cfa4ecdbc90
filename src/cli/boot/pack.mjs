import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from './app.mjs';
import { bundle } from './bundle.mjs';
import { root, script } from './project.mjs';

// What a published package holds instead of the sources: the built app and the bundled command line.
await script(async () => {
  const folder = join(root, 'dist', 'cli');
  rmSync(folder, { recursive: true, force: true });
  await bundle(folder);
  await buildApp();
  return 0;
});
