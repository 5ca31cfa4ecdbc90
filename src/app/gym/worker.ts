import { errorText } from '../../model/error-text';
/**
 * How the page's requests reach the server in the tab: through a service worker, as they would reach one on a network, or, where
 * there can be none, by calling it.
 */
import { carriedFetch, directTransport, tabTransport, type FetchLike, type Transport } from '../../gym';
import { below } from './below';
import { provideCrypto } from './crypto';

export interface Host {
  /** The environments stand under it. */
  readonly baseUrl: string;
  readonly transport: Transport;
  /** Why there is no service worker; undefined where there is one. */
  readonly without: string | undefined;
  close(): Promise<void>;
}

/** Relative to the page, so that a copy in a folder of a static host has its own. */
const scriptUrl = (): string => new URL('mockServiceWorker.js', document.baseURI).href;
const baseUrl = (): string => new URL('gym', document.baseURI).href;

/** One after the other: leaving the page and coming back at once must not cross. */
let turn: Promise<unknown> = Promise.resolve();

export function openHost(fetch: FetchLike): { opened: Promise<Host>; close: () => void } {
  const opened = turn.then(() => open(fetch));
  turn = opened;
  const close = (): void => {
    turn = turn.then(async () => (await opened).close());
  };
  return { opened, close };
}

async function open(fetch: FetchLike): Promise<Host> {
  const base = baseUrl();
  if (!window.isSecureContext) provideCrypto();
  try {
    const stop = await startWorker(fetch, base);
    const close = (): Promise<void> => within(STOP_MS, stop(), 'stopping').catch(() => undefined);
    return {
      baseUrl: base,
      transport: tabTransport((request) => globalThis.fetch(request)),
      without: undefined,
      close,
    };
  } catch (error) {
    const without = errorText(error);
    const path = new URL(base).pathname;
    return {
      baseUrl: base,
      transport: directTransport(async (request) => fetch(await below(request, path))),
      without,
      close: async () => undefined,
    };
  }
}

/** A worker that has not come up after this long will not; a busy machine takes a while. */
const START_MS = 15_000;
const STOP_MS = 3_000;

async function startWorker(fetch: FetchLike, base: string): Promise<() => Promise<void>> {
  if (!window.isSecureContext) {
    throw new Error(
      'The page is not in a secure context (https, or localhost), where browsers have no service workers.',
    );
  }
  if (!('serviceWorker' in navigator)) throw new Error('This browser has no service workers here.');
  await within(START_MS, controlled(), 'registering');
  // Large, and of use here alone.
  const [{ setupWorker }, { http }] = await Promise.all([import('msw/browser'), import('msw/http')]);
  const answer = carriedFetch(fetch, new URL(base).pathname);
  const worker = setupWorker(
    http.all(
      ({ request }) => request.url.startsWith(`${base}/`),
      ({ request }) => answer(request),
    ),
  );
  const started = worker.start({
    serviceWorker: { url: scriptUrl() },
    onUnhandledFrame: 'bypass',
    quiet: true,
  });
  await within(START_MS, started, 'starting');
  const stop = async (): Promise<void> => worker.stop();
  const probe = await globalThis.fetch(`${base}/`, { credentials: 'omit' });
  if (!probe.ok || !probe.headers.get('content-type')?.includes('json')) {
    await stop();
    throw new Error('The service worker runs, but requests do not reach the server through it.');
  }
  return stop;
}

/** Resolves once a worker of ours controls the page. */
async function controlled(): Promise<void> {
  const workers = navigator.serviceWorker;
  const taken = new Promise<void>((resolve) => {
    workers.addEventListener('controllerchange', () => resolve(), { once: true });
  });
  const known = await workers.getRegistration();
  if (known?.active?.state === 'activated' && workers.controller === null) {
    // It claims pages when it starts, and this one was loaded past it later.
    throw new Error('The page was reloaded past its service worker. Reload it as usual to have it again.');
  }
  // The types promise a registration; a browser that is told to block them gives none.
  const registration: ServiceWorkerRegistration | undefined = await workers.register(scriptUrl());
  if (registration === undefined) throw new Error('The browser blocks service workers.');
  if (workers.controller === null) await taken;
}

async function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The service worker did not answer while ${what}, for ${ms / 1000} seconds.`)),
      ms,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
