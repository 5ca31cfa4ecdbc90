import { errorText } from './error-text';
/** A client of a resources server: one cookie jar of its own, and a record of every exchange. */
import { CookieJar } from 'tough-cookie';
import { parseJson, type Json, type JsonObject } from './json';
import type { Transport } from './transport';

export interface Exchange {
  readonly index: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly cookie: string;
    readonly body: Json | undefined;
  };
  readonly response: ExchangeResponse;
  /** Milliseconds since the epoch, and how long it took. */
  readonly startedAt: number;
  readonly ms: number;
}

export type ExchangeResponse =
  | {
      readonly ok: boolean;
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      readonly setCookie: readonly string[];
      readonly text: string;
      /** Undefined where the answer is not JSON. */
      readonly json: Json | undefined;
    }
  /** No answer came: refused, aborted, timed out. */
  | { readonly ok: false; readonly status: 0; readonly error: string; readonly json: undefined };

export interface GymClientOptions {
  /** `http://127.0.0.1:8000`, or with the environment's folder. */
  readonly baseUrl: string;
  readonly transport: Transport;
  /** The mistake on purpose: forget every cookie. */
  readonly dropCookies?: boolean;
  readonly timeoutMs?: number;
  readonly onExchange?: (exchange: Exchange) => void;
}

export interface GymClient {
  readonly exchanges: readonly Exchange[];
  get(path: string): Promise<Exchange>;
  post(path: string, body: JsonObject): Promise<Exchange>;
  seed(body: JsonObject): Promise<Exchange>;
  call(tool: string, args: JsonObject): Promise<Exchange>;
  verify(body: JsonObject): Promise<Exchange>;
  /** The `Cookie` header that the next request would carry. */
  cookie(): Promise<string>;
  setCookie(cookie: string): Promise<void>;
  /** The id in the session cookie: a named one, or what stands before the signature. */
  sessionId(): Promise<string | undefined>;
}

export function createGymClient(options: GymClientOptions): GymClient {
  const { transport, dropCookies = false, timeoutMs = 30_000 } = options;
  const base = options.baseUrl.replace(/\/+$/, '');
  const jar = new CookieJar();
  const exchanges: Exchange[] = [];

  const exchange = async (method: string, path: string, body: JsonObject | undefined): Promise<Exchange> => {
    const url = `${base}${path}`;
    const cookie = await jar.getCookieString(url);
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const startedAt = Date.now();
    const started = performance.now();
    const response = await send({ method, url, headers, cookie, body: body && JSON.stringify(body) });
    const made: Exchange = {
      index: exchanges.length,
      request: { method, url, path, headers, cookie, body },
      response,
      startedAt,
      ms: performance.now() - started,
    };
    exchanges.push(made);
    options.onExchange?.(made);
    return made;
  };

  const send = async (request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Record<string, string>;
    readonly cookie: string;
    readonly body: string | undefined;
  }): Promise<ExchangeResponse> => {
    try {
      const { status, headers, setCookie, body } = await transport({
        ...request,
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!dropCookies) {
        for (const cookie of setCookie) await jar.setCookie(cookie, request.url, { ignoreError: true });
      }
      return {
        ok: status >= 200 && status < 300,
        status,
        headers,
        setCookie,
        text: body,
        json: parseJson(body),
      };
    } catch (error) {
      return {
        ok: false,
        status: 0,
        error: errorText(error),
        json: undefined,
      };
    }
  };

  const post = (path: string, body: JsonObject): Promise<Exchange> => exchange('POST', path, body);
  return {
    exchanges,
    get: (path) => exchange('GET', path, undefined),
    post,
    seed: (body) => post('/seed_session', body),
    call: (tool, args) => post(`/${encodeURIComponent(tool)}`, args),
    verify: (body) => post('/verify', body),
    cookie: () => jar.getCookieString(`${base}/`),
    setCookie: async (cookie) => {
      await jar.setCookie(cookie, `${base}/`);
    },
    sessionId: async () => {
      const cookies = await jar.getCookies(`${base}/`);
      const named = cookies.find(({ key }) => key === 'nat-session');
      if (named !== undefined) return named.value;
      const signed = cookies.filter(({ key }) => key.includes('___'));
      // With several environments on one server the folder says which cookie is this client's.
      const own = signed.find(({ key }) => base.endsWith(`/${key.split('___')[1]}`)) ?? signed[0];
      return own?.value.split('.')[0];
    },
  };
}
