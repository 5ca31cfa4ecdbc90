/**
 * Load on the counter over the loopback: sessions x increments, several calls of a session at the same time. Run by `node src/gym/bench/run.mjs`.
 * Fails where an update was lost, sessions saw each other, or the server answered with an error.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { statefulCounter } from '../environments/stateful_counter';
import { runHost } from '../node-host';
import { at, parseJson } from '../json';
import { freePort, startRedis } from '../store/redis.fixtures';

const SESSIONS = Number(process.env['LOAD_SESSIONS'] ?? 500);
const INCREMENTS = Number(process.env['LOAD_INCREMENTS'] ?? 40);
const AT_ONCE = 4;
const CLIENTS = 32;

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS * AT_ONCE });

interface Answer {
  readonly status: number;
  readonly cookie: string | undefined;
  readonly body: string;
}

/** Status 0: the connection broke, so that nobody knows whether the request was served. */
function send(port: number, path: string, body: string, cookie = ''): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(cookie === '' ? {} : { cookie }),
    };
    const request = httpRequest(
      { agent, host: '127.0.0.1', port, path, method: 'POST', headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            cookie: response.headers['set-cookie']?.[0]?.split(';')[0],
            body: text,
          });
        });
        response.on('error', () => resolve({ status: 0, cookie: undefined, body: '' }));
      },
    );
    request.on('error', () => resolve({ status: 0, cookie: undefined, body: '' }));
    // A request that hangs is as good as a broken one.
    request.setTimeout(60_000, () => request.destroy());
    request.end(body);
  });
}

interface Tally {
  requests: number;
  broken: number;
  readonly problems: string[];
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, worker));
}

/** Seeds, increments and verifies every session. A broken connection is allowed only where a process is killed on purpose. */
async function load(port: number, killed: boolean): Promise<{ perSecond: number; tally: Tally }> {
  const tally: Tally = { requests: 0, broken: 0, problems: [] };
  const started = performance.now();
  await inParallel(SESSIONS, async (session) => {
    const start = session * 1000;
    const seeded = await retried(tally, () => send(port, '/seed_session', `{"initial_count": ${start}}`));
    const cookie = seeded.cookie ?? '';
    let acknowledged = 0;
    let unknown = 0;
    for (let done = 0; done < INCREMENTS; done += AT_ONCE) {
      const answers = await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, INCREMENTS - done) }, () =>
          send(port, '/increment_counter', '{"count": 1}', cookie),
        ),
      );
      for (const { status, body } of answers) {
        tally.requests += 1;
        if (status === 200) acknowledged += 1;
        else if (status === 0) unknown += 1;
        else tally.problems.push(`increment answered ${status} ${body}`);
      }
    }
    tally.broken += unknown;
    const read = await retried(tally, () => send(port, '/get_counter_value', '{}', cookie));
    const count = Number(at(parseJson(read.body), 'count')) - start;
    if (!(count >= acknowledged && count <= acknowledged + unknown)) {
      tally.problems.push(
        `session ${session}: ${acknowledged} acknowledged, ${unknown} unknown, counter says ${count}`,
      );
    }
  });
  if (!killed && tally.broken > 0) tally.problems.push(`${tally.broken} connections broke`);
  return { perSecond: (tally.requests * 1000) / (performance.now() - started), tally };
}

/** Seeding and reading may be done again without harm. */
async function retried(tally: Tally, work: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const answer = await work();
    tally.requests += 1;
    if (answer.status === 200) return answer;
    if (answer.status !== 0) tally.problems.push(`answered ${answer.status} ${answer.body}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  tally.problems.push('no answer after many attempts');
  return { status: 0, cookie: undefined, body: '' };
}

/** The same traffic against a handler that does nothing but answer, in a process of its own as well. */
async function bare(): Promise<number> {
  const host = await startHost('bare', 1);
  const started = performance.now();
  let requests = 0;
  await inParallel(Math.ceil(SESSIONS / 4), async () => {
    for (let done = 0; done < INCREMENTS; done += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, () => send(host.port, '/increment_counter', '{"count": 1}')),
      );
      requests += AT_ONCE;
    }
  });
  const perSecond = (requests * 1000) / (performance.now() - started);
  await host.stop();
  return perSecond;
}

/** A host in processes of its own, as `rollscope gym` would run it; `bare` is the handler without a gym. */
async function startHost(
  store: string,
  processes: number,
): Promise<{ port: number; workers: number[]; stop(): Promise<number> }> {
  const hostPort = await freePort();
  const child = spawn(
    process.execPath,
    [process.argv[1] ?? '', 'host', String(hostPort), store, String(processes)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const workers: number[] = [];
  const ended = once(child, 'exit');
  const allListen = new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (!line.startsWith('Listening')) return;
      workers.push(Number(/\(worker (\d+)\)/.exec(line)?.[1] ?? child.pid));
      if (workers.length === processes) resolve();
    });
    child.once('exit', (code) => reject(new Error(`The host ended with ${code} before it listened.`)));
  });
  await allListen;
  return {
    port: hostPort,
    workers,
    stop: async () => {
      child.kill('SIGTERM');
      const [code]: unknown[] = await ended;
      return typeof code === 'number' ? code : -1;
    },
  };
}

async function serveBare(port: number): Promise<number> {
  const app = new Hono();
  app.post('/:path', (c) => c.json({ success: true }));
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port });
  if (!server.listening) await once(server, 'listening');
  console.log('Listening');
  await once(process, 'SIGTERM');
  return 0;
}

async function main(): Promise<void> {
  console.log(`${SESSIONS} sessions x ${INCREMENTS} increments, ${AT_ONCE} at the same time in each`);
  const problems: string[] = [];
  /** Right before and right after it the bare handler is measured: what else the machine does then falls on both. */
  const measured = async (
    name: string,
    work: () => Promise<{ perSecond: number; tally: Tally }>,
  ): Promise<void> => {
    const before = await bare();
    const { perSecond, tally } = await work();
    const reference = (before + (await bare())) / 2;
    console.log(
      `${name}: ${Math.round(perSecond)} requests/s, ratio ${(perSecond / reference).toFixed(2)}, bare Hono handler ${Math.round(reference)} requests/s, ${tally.requests} requests, ${tally.broken} broken connections, ${tally.problems.length} problems`,
    );
    problems.push(...tally.problems.map((problem) => `${name}: ${problem}`));
  };

  const memory = await startHost('memory', 1);
  await measured('memory, one process', () => load(memory.port, false));
  await memory.stop();

  const redis = await startRedis();
  const host = await startHost(redis.url, 2);
  await measured('redis, two processes', () => load(host.port, false));
  await measured('redis, one of two killed', async () => {
    const underWay = load(host.port, true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const [victim = 0] = host.workers;
    process.kill(victim, 'SIGKILL');
    return underWay;
  });
  // A process needs a moment to start, and a short load may be over by then.
  for (let wait = 0; wait < 200 && host.workers.length < 3; wait++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (host.workers.length !== 3)
    problems.push(`no worker took the place of the one that was killed: ${host.workers.join(' ')}`);
  const code = await host.stop();
  if (code !== 0) problems.push(`the host ended with ${code}`);

  await redis.stop();
  agent.destroy();
  for (const problem of problems.slice(0, 20)) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

const [mode, port = '0', store = '', processes = '1'] = process.argv.slice(2);
if (mode === 'host' && store === 'bare') process.exit(await serveBare(Number(port)));
if (mode === 'host') {
  process.exit(
    await runHost({
      port: Number(port),
      store,
      workers: Number(processes),
      environments: statefulCounter,
      accessLog: false,
      log: console.log,
    }),
  );
}
await main();
