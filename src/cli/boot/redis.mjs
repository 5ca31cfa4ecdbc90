import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onPath } from './processes.mjs';
import { installFromSystem } from './system-packages.mjs';

/**
 * A Redis for the tests: the one `REDIS_URL` names, or a private one that lives as long as the tests.
 * Undefined where there is none and none could be installed.
 * @typedef {{ url: string, from: string, stop: () => Promise<void> }} Redis
 * @returns {Promise<Redis | undefined>}
 */
export async function ensureRedis() {
  const named = process.env.REDIS_URL;
  if (named !== undefined && named !== '') return { url: named, from: 'REDIS_URL', stop: async () => {} };
  let program = findServer();
  if (program === undefined) {
    await installFromSystem('redis');
    program = findServer();
  }
  return program === undefined ? undefined : startServer(program);
}

export const redisAdvice = [
  'Redis was not found and could not be installed: the tests that need it will fail. Do one of these:',
  "  install redis-server or valkey-server with the system's package manager, so that it is on the PATH",
  '  REDIS_URL=redis://127.0.0.1:6379 npm test',
].join('\n');

function findServer() {
  return onPath('redis-server') ?? onPath('valkey-server');
}

/**
 * @param {string} program
 * @returns {Promise<Redis>}
 */
async function startServer(program) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'rollscope-redis-'));
  const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(program, args, { stdio: 'ignore' });
  const ended = new Promise((done) => child.once('close', done).once('error', done));
  // Whatever way this process ends, the server does not stay behind.
  const kill = () => child.kill();
  process.once('exit', kill);
  const stop = async () => {
    kill();
    await ended;
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  };

  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    if (await answers(port)) return { url: `redis://127.0.0.1:${port}`, from: program, stop };
    await sleep(50);
  }
  await stop();
  throw new Error(`${program} was started on port ${port} and does not answer.`);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail).listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function answers(port) {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      done(data.toString().startsWith('+PONG'));
    });
    socket.once('error', () => done(false));
  });
}
