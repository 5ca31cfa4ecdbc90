import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Row, Section } from '../section';

/** `memory, one process: 1516 requests/s, ratio 0.46, 21000 requests, 0 broken connections, 0 problems` */
const LINE = /^(.+): (\d+ requests\/s), ratio ([\d.]+), (.+)$/;

/** The environment server on a port under load, against a handler that does nothing but answer. One run: it takes half a minute. */
export const environments: Section = {
  id: 'environments',
  async run({ root, quick, say }) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(root, 'src', 'gym', 'bench', 'run.mjs')],
      { env: { ...process.env, ...(quick ? { LOAD_SESSIONS: '60' } : {}) } },
    );
    const [sizes = ''] = stdout.split('\n');
    say(`environments: ${sizes}`);
    return stdout.split('\n').flatMap((line): Row[] => {
      const [, what, rate, ratio, rest] = LINE.exec(line) ?? [];
      if (what === undefined || ratio === undefined) return [];
      return [
        {
          what: `environment server, ${what}, against a bare Hono handler`,
          value: Number(ratio),
          unit: 'x',
          how: `once, ${sizes}; ${rate}, ${rest}`,
        },
      ];
    });
  },
};
