import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The load test, small: memory, two processes over Redis, and one of the two killed in the middle. */
it('loses no update, in one process, in two, and when one of two is killed', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./run.mjs', import.meta.url))], {
    env: { ...process.env, LOAD_SESSIONS: '60', LOAD_INCREMENTS: '40' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
  const [code]: unknown[] = await once(child, 'close');
  // What it said is what tells a lost update from a machine without time.
  expect(code, said).toBe(0);
  expect(said.match(/ 0 problems/g), said).toHaveLength(3);
}, 300_000);
