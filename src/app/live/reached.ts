/** The servers that runs and replays of this page talk to, so that one of their requests can be sent again. */
import type { LiveServer } from '../../live';
import type { Exchange } from '../../model';

const reached = new Map<string, LiveServer>();

export function noteServer(server: LiveServer): LiveServer {
  reached.set(server.baseUrl, server);
  return server;
}

/** Undefined where this page has not set the server up: it was reloaded, or the exchange comes from a file. */
function serverOf({ request: { url } }: Exchange): LiveServer | undefined {
  return [...reached.values()].find(({ baseUrl }) => url.startsWith(`${baseUrl}/`));
}

export const canSendAgain = (exchange: Exchange): boolean => serverOf(exchange) !== undefined;

export interface Again {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

/** The same request with the same cookie. What comes of it belongs to no episode. */
export async function sendAgain(exchange: Exchange): Promise<Again> {
  const { method, url, headers, cookie = '', body } = exchange.request;
  const server = serverOf(exchange);
  if (server === undefined) throw new Error('This page does not talk to that server any more.');
  const before = performance.now();
  const answer = await server.transport({
    method,
    url,
    headers: Object.fromEntries(headers),
    cookie,
    body,
    signal: AbortSignal.timeout(30_000),
  });
  return { status: answer.status, body: answer.body, ms: Math.round(performance.now() - before) };
}
