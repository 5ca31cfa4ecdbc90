/** The environment server on a port: one process, or several that share Redis. A Node-only module: the page never imports it. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Http2SecureServer, Http2Server } from 'node:http2';
import { serve } from '@hono/node-server';
import { createGym, type Gym, type GymOptions, type Served } from './server';
import { openStore } from './store/open';
import type { Store } from './store/store';

export interface HostOptions extends Omit<GymOptions, 'store' | 'onServed'> {
  /** 0 takes any free one. */
  readonly port: number;
  /** `memory`, `redis://...`, `http://...` */
  readonly store?: string;
  /** Where lines for the person go; one per request when `accessLog` is on. */
  readonly log?: (line: string) => void;
  readonly accessLog?: boolean;
}

export interface RunOptions extends HostOptions {
  readonly workers?: number;
  /** Told once, when requests are taken. */
  readonly onListening?: (url: string) => void | Promise<void>;
}

export interface Host {
  readonly url: string;
  readonly port: number;
  readonly gym: Gym;
  /** Answers what is under way, takes nothing new, and closes the store. */
  close(): Promise<void>;
}

/** What is still open this long after the end was asked for is cut off. */
const SHUTDOWN_MS = 10_000;

/** Listens on 127.0.0.1 in this process. */
export async function hostGym(options: HostOptions): Promise<Host> {
  const { port, store: where = 'memory', log = toStandardError, accessLog = true, ...rest } = options;
  const store: Store = await openStore(where, {
    ...(rest.clock === undefined ? {} : { clock: rest.clock }),
    log,
  });
  const gym = createGym({
    ...rest,
    store,
    log,
    onServed: (served) => {
      if (accessLog) log(accessLine(served));
    },
  });
  const stop = gym.start();
  let closing = false;
  const server = serve({
    fetch: async (request) => {
      const response = await gym.fetch(request);
      // Said, so that a client that keeps its connection does not send the next request into its end.
      if (closing) response.headers.set('connection', 'close');
      return response;
    },
    hostname: '127.0.0.1',
    port,
    // Longer than clients keep idle connections, so that none is closed in the moment in which it is used again.
    serverOptions: { keepAliveTimeout: 65_000 },
  });
  const failed = once(server, 'error').then(([error]: unknown[]) => {
    throw error;
  });
  try {
    await Promise.race([server.listening ? undefined : once(server, 'listening'), failed]);
  } catch (error) {
    stop();
    await store.close();
    throw portError(error, port);
  }
  // Only the start can fail that way; later errors are the connections' own.
  failed.catch(() => undefined);
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    gym,
    close: async () => {
      closing = true;
      stop();
      await closeServer(server);
      await store.close();
    },
  };
}

/**
 * Runs the host until the process is told to end. With several workers the calling program is started again in each of them (that is how
 * `node:cluster` works), comes to this call again and listens there; here it only looks after them, and starts anew one that died.
 */
export async function runHost({ workers = 1, onListening, ...options }: RunOptions): Promise<number> {
  const { log = toStandardError } = options;
  if (workers > 1 && (options.store ?? 'memory') === 'memory') {
    throw new Error(
      'Several workers cannot share memory: give them a store that they share, such as redis://127.0.0.1:6379.',
    );
  }
  if (workers > 1 && cluster.isPrimary) return superviseWorkers(workers, log);
  const host = await hostGym(options).catch((error: unknown) => {
    leaveSupervisor();
    throw error;
  });
  log(`Listening on ${host.url}${cluster.isWorker ? ` (worker ${process.pid})` : ''}`);
  // Of several workers the first speaks for all.
  if ((cluster.worker?.id ?? 1) === 1) await onListening?.(host.url);
  await endOfProcess();
  await host.close();
  leaveSupervisor();
  return 0;
}

/** The channel to the first process would keep a worker alive that has nothing more to do. */
function leaveSupervisor(): void {
  cluster.worker?.disconnect();
}

/**
 * Workers accept from one socket, instead of being handed connections by the first process: a connection on its way to a worker that is
 * killed in that moment would hang for good; so it waits in the socket for another worker.
 */
function shareSocket(): void {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
}

async function superviseWorkers(workers: number, log: (line: string) => void): Promise<number> {
  shareSocket();
  let ending = false;
  let failures = 0;
  const gaveUp = new Promise<number>((resolve) => {
    cluster.on('exit', (worker, code, signal) => {
      if (ending) return;
      // A worker that ends by itself at once will do so again: a port in use, no Redis.
      failures = signal === null && code !== 0 ? failures + 1 : 0;
      if (failures >= workers) {
        resolve(code || 1);
        return;
      }
      log(`Worker ${worker.process.pid} ended (${signal ?? code}); another takes its place.`);
      cluster.fork();
    });
  });
  for (let index = 0; index < workers; index++) cluster.fork();
  const code = await Promise.race([endOfProcess().then(() => 0), gaveUp]);
  ending = true;
  const left = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  await Promise.all(
    left.map(async (worker) => {
      const ended = once(worker, 'exit');
      // The process, not the worker: that would first take its port and its channel away, under the requests that it still answers.
      worker.process.kill('SIGTERM');
      await ended;
    }),
  );
  return code;
}

async function endOfProcess(): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

async function closeServer(server: Server | Http2Server | Http2SecureServer): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // Called as well where it is closed already, which is as good.
    server.close(() => resolve());
  });
  // Again and again: a connection is idle only once its last answer is out.
  const idle = setInterval(() => {
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  }, 50);
  const cut = setTimeout(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
  }, SHUTDOWN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

/** `POST /verify 200 1.2 ms stateful_counter 1f0c2a9b` */
function accessLine({ method, path, status, ms, environment, sessionId }: Served): string {
  const parts = [method, path, String(status), `${ms.toFixed(1)} ms`, environment, sessionId?.slice(0, 8)];
  // Paths and named sessions are what a client sent: nothing of it may end the line.
  return parts
    .filter((part) => part !== undefined)
    .join(' ')
    .replaceAll(/[^\x20-\x7e]/g, '?');
}

function portError(error: unknown, port: number): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new Error(`Port ${port} is in use. Take another with --port.`);
  return error instanceof Error ? error : new Error(String(error));
}

function toStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}
