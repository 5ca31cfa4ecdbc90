/**
 * The one way from the page's requests to the servers in this tab: opened for the first who needs it, closed after the last.
 * Servers stand side by side under names of their own.
 */
import type { FetchLike } from '../../gym';
import { below } from './below';
import { openHost, type Host } from './worker';

const mounted = new Map<string, FetchLike>();

/** Puts a server under `path`, such as `/checks`. */
export function mountServer(path: string, fetch: FetchLike): () => void {
  mounted.set(path, fetch);
  return () => {
    if (mounted.get(path) === fetch) mounted.delete(path);
  };
}

/** The server that takes what no other is named for; until there is one, the names of those that are. */
let otherwise: FetchLike = async (request) =>
  new URL(request.url).pathname === '/'
    ? Response.json({ servers: [...mounted.keys()] })
    : new Response('No server is running here.', { status: 404 });

export function serveOtherwise(fetch: FetchLike): void {
  otherwise = fetch;
}

async function serve(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const path = `/${pathname.split('/', 2)[1] ?? ''}`;
  const fetch = mounted.get(path);
  return fetch === undefined ? otherwise(request) : fetch(await below(request, path));
}

let holders = 0;
let open: ReturnType<typeof openHost> | undefined;

/** Needs the host until `release` is called. The service worker sees no request of this tab while nobody does. */
export function holdHost(): { opened: Promise<Host>; release: () => void } {
  holders += 1;
  open ??= openHost(serve);
  const { opened } = open;
  let held = true;
  return {
    opened,
    release: () => {
      if (!held) return;
      held = false;
      holders -= 1;
      if (holders > 0) return;
      open?.close();
      open = undefined;
    },
  };
}
