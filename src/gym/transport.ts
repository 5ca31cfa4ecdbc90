/**
 * How a client's requests reach a server. A browser's `fetch` can neither set `Cookie` nor read `Set-Cookie`, so that there the two travel
 * under private names, and whoever receives the request (the handler in the tab, the local proxy) puts the standard ones back.
 */
import { withCookie } from './cookies';
import { parseJson } from './json';

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The `Cookie` header; empty for none. */
  readonly cookie: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Incoming {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly setCookie: readonly string[];
  readonly body: string;
}

export type Transport = (request: Outgoing) => Promise<Incoming>;
export type FetchLike = (request: Request) => Promise<Response>;

export const COOKIE_HEADER = 'x-rollscope-cookie';
export const SET_COOKIE_HEADER = 'x-rollscope-set-cookie';

/** Calls an app directly, or a real server from Node, whose `fetch` carries both headers. */
export function directTransport(fetch: FetchLike): Transport {
  return async (outgoing) => {
    const response = await fetch(withCookie(requestOf(outgoing, {}), outgoing.cookie));
    return incomingOf(response, response.headers.getSetCookie());
  };
}

/** Through a browser's `fetch`, with the private names. The page's own cookies stay out of it. */
export function tabTransport(fetch: FetchLike): Transport {
  return async (outgoing) => {
    const carried = outgoing.cookie === '' ? {} : { [COOKIE_HEADER]: carriedCookie(outgoing.cookie) };
    const response = await fetch(requestOf(outgoing, carried));
    const setCookie = parseJson(response.headers.get(SET_COOKIE_HEADER) ?? '[]');
    return incomingOf(
      response,
      Array.isArray(setCookie) ? setCookie.filter((cookie) => typeof cookie === 'string') : [],
    );
  };
}

/** Plain ASCII goes as it is; anything else as JSON, because a service worker is not given headers that hold it. */
function carriedCookie(cookie: string): string {
  return /^[!#-~][ -~]*$/.test(cookie) ? cookie : asciiJson(cookie);
}

/** Empty for none, and for what no header can hold. */
function cookieIn(headers: Headers): string {
  const carried = headers.get(COOKIE_HEADER) ?? '';
  const read = carried.startsWith('"') ? parseJson(carried) : carried;
  return typeof read === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(read) ? read : '';
}

/**
 * The other end of `tabTransport`: an app that takes requests with the private names. `base` is where it stands
 * (`/gym` makes of `/gym/verify` the app's `/verify`).
 */
export function carriedFetch(fetch: FetchLike, base = ''): FetchLike {
  return async (request) => {
    const url = new URL(request.url);
    const headers = new Headers(request.headers);
    const cookie = cookieIn(headers);
    headers.delete(COOKIE_HEADER);
    if (base !== '' && url.pathname.startsWith(base)) {
      url.pathname = url.pathname.slice(base.length) || '/';
      headers.set('x-forwarded-prefix', base);
    }
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    const inner = new Request(url, {
      method: request.method,
      headers,
      ...(hasBody ? { body: await request.arrayBuffer() } : {}),
    });
    const response = await fetch(withCookie(inner, cookie));
    const carried = new Headers(response.headers);
    const setCookie = carried.getSetCookie();
    carried.delete('set-cookie');
    if (setCookie.length > 0) carried.set(SET_COOKIE_HEADER, asciiJson(setCookie));
    return new Response(response.body, { status: response.status, headers: carried });
  };
}

function requestOf(
  { method, url, headers, body, signal }: Outgoing,
  carried: Record<string, string>,
): Request {
  return new Request(url, {
    method,
    headers: { ...headers, ...carried },
    credentials: 'omit',
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function incomingOf(response: Response, setCookie: readonly string[]): Promise<Incoming> {
  const hidden = new Set(['set-cookie', SET_COOKIE_HEADER]);
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !hidden.has(name)),
    setCookie,
    body: await response.text(),
  };
}

/** Headers carry Latin-1 only. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
