import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Failed } from '../command';
import { serverApp } from './app';
import type { ServedSource } from './app';
import { staticFiles } from './static';

export interface LocalServer {
  port: number;
  token: string;
  /** The page with the token: what the person opens. */
  url: string;
  close(): Promise<void>;
}

const loopback = '127.0.0.1';
const usualPort = 4600;

/** Serves the built app and these sources, on a given port or on the first free one from 4600. */
export async function startServer(options: {
  appFolder: string;
  sources: readonly ServedSource[];
  watch?: () => Promise<readonly ServedSource[]>;
  port?: number;
}): Promise<LocalServer> {
  const files = await staticFiles(options.appFolder);
  const server = createServer();
  const port = await listen(server, options.port);
  const token = randomBytes(24).toString('base64url');
  const { sources, watch } = options;
  const app = serverApp({ port, token, files, sources, ...(watch === undefined ? {} : { watch }) });
  const answer = getRequestListener(app.fetch);
  server.on('request', (request, response) => void answer(request, response));
  return {
    port,
    token,
    url: `http://${loopback}:${port}/#token=${token}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    return tryPort(server, wanted).catch((error: NodeJS.ErrnoException) => {
      throw new Failed(
        error.code === 'EADDRINUSE'
          ? `Port ${wanted} is in use. Give another with --port, or none to take the next free one.`
          : `Port ${wanted} can not be used: ${error.message}`,
      );
    });
  }
  for (let port = usualPort; port < usualPort + 100; port++) {
    try {
      return await tryPort(server, port);
    } catch {
      // Taken; the next may be free.
    }
  }
  return tryPort(server, 0);
}

function tryPort(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, loopback, () => {
      server.off('error', fail);
      const address = server.address();
      done(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
