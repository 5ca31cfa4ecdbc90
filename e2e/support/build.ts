import { ensureApp } from '../../src/cli/boot/app.mjs';

/** The browser tests run on the production build. `npm test` has just made it; alone, they make it themselves. */
export default async function build(): Promise<void> {
  await ensureApp();
}
