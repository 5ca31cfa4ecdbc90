/** Real servers and model endpoints from the page, through the local server of `rollscope`. */
import { SET_COOKIE_HEADER, tabTransport, type Transport } from '../gym';
import { stringAt } from '../model';
import { FAILED_HEADER, HEADERS_HEADER, PROXY_PATH, TOKEN_HEADER, URL_HEADER } from './proxy-names';

/**
 * A `fetch` that reaches any http address through the proxy at `base` (the page's own address). Answers stream. Where the
 * proxy cannot reach the server it rejects, with a sentence that says why.
 */
export function proxyFetch(base: string, token: string) {
  const proxy = new URL(PROXY_PATH, base);
  proxy.hash = '';
  proxy.search = '';
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const headers = new Headers(request.headers);
    headers.set(TOKEN_HEADER, token);
    headers.set(URL_HEADER, request.url);
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    const response = await fetch(proxy, {
      method: request.method,
      headers,
      credentials: 'omit',
      signal: request.signal,
      ...(hasBody ? { body: await request.arrayBuffer() } : {}),
    });
    const answered = response.headers.get(HEADERS_HEADER);
    if (answered === null) throw new Error(await whyFailed(response));
    const own = new Headers(pairsIn(answered));
    const setCookie = response.headers.get(SET_COOKIE_HEADER);
    if (setCookie !== null) own.set(SET_COOKIE_HEADER, setCookie);
    return new Response(response.body, { status: response.status, headers: own });
  };
}

/** Cookies are the client's own: they travel under private names. */
export function proxyTransport(base: string, token: string): Transport {
  return tabTransport(proxyFetch(base, token));
}

function pairsIn(text: string): [string, string][] {
  const pairs: unknown = JSON.parse(text);
  if (!Array.isArray(pairs)) return [];
  return pairs.flatMap((pair: unknown): [string, string][] => {
    const [name, value]: unknown[] = Array.isArray(pair) ? pair : [];
    return typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [];
  });
}

async function whyFailed(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const said = stringAt(JSON.parse(text), 'error');
    if (said !== undefined) return said;
  } catch {
    // Not of the proxy.
  }
  return response.headers.has(FAILED_HEADER)
    ? 'The local proxy could not reach the server.'
    : `The local proxy answered ${response.status}. Is it still running?`;
}
