import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** The load test, small: memory, two processes over Redis, and one of the two killed in the middle. */
it('loses no update, in one process, in two, and when one of two is killed', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('./run.mjs', import.meta.url))],
    {
      env: { ...process.env, LOAD_SESSIONS: '60', LOAD_INCREMENTS: '40' },
    },
  );
  expect(stdout.match(/ 0 problems/g)).toHaveLength(3);
}, 120_000);
