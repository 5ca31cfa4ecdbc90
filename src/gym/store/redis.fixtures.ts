/** A real Redis for the tests: the one of REDIS_URL, else a `redis-server` or `valkey-server` of the PATH on a free port. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<TestRedis> {
  const given = process.env['REDIS_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: async () => undefined };
  const program = ['redis-server', 'valkey-server'].find(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
  );
  if (program === undefined) {
    throw new Error(
      'No Redis: set REDIS_URL, or put redis-server or valkey-server on the PATH. These tests need a real one.',
    );
  }
  const port = await freePort();
  const server = spawn(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await ready(server);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}

async function ready(server: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (/ready to accept connections/i.test(said)) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) =>
      reject(new Error(`Redis ended with ${code} before it was ready:\n${said}`)),
    );
  });
}
