import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureApp } from './app.mjs';
import { ensureBrowser, launchArguments } from './browser.mjs';
import { bundle } from './bundle.mjs';
import { ensureInstalled } from './install.mjs';
import { root, script } from './project.mjs';

await script(async () => {
  await ensureInstalled();
  const folder = join(root, 'node_modules', '.cache', 'rollscope-bench', `${process.pid}`);
  try {
    await bundle(folder, { bench: join(root, 'src', 'app', 'bench', 'main.ts') });
    const { main } = await import(pathToFileURL(join(folder, 'bench.js')).href);
    const appFolder = await ensureApp();
    return await main(process.argv.slice(2), {
      root,
      workFolder: folder,
      appFolder,
      browser: await ensureBrowser(),
      launchArguments,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
