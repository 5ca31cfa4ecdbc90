/** Real servers and model endpoints from the page, through the local server of `rollscope`. */
import { SET_COOKIE_HEADER, tabTransport, type Transport } from '../gym';
import { stringAt } from '../model';
import {
  FAILED_HEADER,
  FINAL_URL_HEADER,
  HEADERS_HEADER,
  PROXY_PATH,
  REDIRECTS_HEADER,
  TOKEN_HEADER,
  URL_HEADER,
} from './proxy-names';

export interface ProxyOptions {
  /** How many redirects of a GET to follow; none where absent. */
  readonly redirects?: number;
  /** The page's own `fetch`, where it is another. */
  readonly fetch?: typeof fetch;
}

/**
 * A `fetch` that reaches any http address through the proxy at `base` (the page's own address). Answers stream. Where the
 * proxy cannot reach the server it rejects, with a sentence that says why.
 */
export function proxyFetch(base: string, token: string, options: ProxyOptions = {}) {
  const proxy = new URL(PROXY_PATH, base);
  proxy.hash = '';
  proxy.search = '';
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const headers = new Headers(request.headers);
    headers.set(TOKEN_HEADER, token);
    headers.set(URL_HEADER, request.url);
    if (options.redirects !== undefined) headers.set(REDIRECTS_HEADER, String(options.redirects));
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    const response = await (options.fetch ?? fetch)(proxy, {
      method: request.method,
      headers,
      credentials: 'omit',
      signal: request.signal,
      ...(hasBody ? { body: await request.arrayBuffer() } : {}),
    });
    const answered = response.headers.get(HEADERS_HEADER);
    if (answered === null) throw new Error(await whyFailed(response));
    return new ProxiedResponse(response, answered);
  };
}

/** Cookies are the client's own: they travel under private names. */
export function proxyTransport(base: string, token: string, options: ProxyOptions = {}): Transport {
  return tabTransport(proxyFetch(base, token, options));
}

/** The answer as the server gave it: its headers, its address. */
class ProxiedResponse extends Response {
  readonly #url: string;

  constructor(response: Response, headers: string) {
    const own = new Headers(pairsIn(headers));
    const setCookie = response.headers.get(SET_COOKIE_HEADER);
    if (setCookie !== null) own.set(SET_COOKIE_HEADER, setCookie);
    super(response.body, { status: response.status, headers: own });
    this.#url = response.headers.get(FINAL_URL_HEADER) ?? '';
  }

  override get url(): string {
    return this.#url;
  }
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
