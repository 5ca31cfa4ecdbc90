import { rollscope } from './command-line.mjs';
import { ensureInstalled } from './install.mjs';
import { script } from './project.mjs';

await script(async () => {
  await ensureInstalled();
  return rollscope(process.argv.slice(2));
});
