/**
 * The local proxy: lets the page reach resources servers and model endpoints, which its own policy forbids it. Whoever has the token may go wherever the person at this machine may go, so that nothing is kept and nothing
 * is logged: requests carry keys.
 */
import { carriedFetch, COOKIE_HEADER } from '../../gym';
import { FAILED_HEADER, HEADERS_HEADER, URL_HEADER } from '../../live/proxy-names';

export interface ProxyLimits {
  /** Bytes of a request's body, which is held in memory. */
  readonly requestBytes: number;
  /** Bytes of an answer, which is handed on as it comes. */
  readonly responseBytes: number;
  /** Until the answer begins: models may think for minutes. */
  readonly answerMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
}

export const defaultLimits: ProxyLimits = {
  requestBytes: 64 * 1024 ** 2,
  responseBytes: 4 * 1024 ** 3,
  answerMs: 10 * 60_000,
  idleMs: 2 * 60_000,
};

/** Answers a request that names its target in `x-rollscope-url`. `ownPort`: never to itself. */
export async function proxied(request: Request, ownPort: number, limits = defaultLimits): Promise<Response> {
  const target = targetOf(request.headers.get(URL_HEADER) ?? '', ownPort);
  if (typeof target === 'string') return failure(400, target);
  const length = Number(request.headers.get('content-length') ?? '0');
  if (length > limits.requestBytes) return failure(413, `A request may have ${limits.requestBytes} bytes.`);
  try {
    const body = await bodyOf(request, limits.requestBytes);
    if (body === 'too large') return failure(413, `A request may have ${limits.requestBytes} bytes.`);
    const inner = new Request(target, {
      method: request.method,
      headers: outgoingHeaders(request.headers),
      ...(body === undefined ? {} : { body }),
    });
    return await carriedFetch((carried) => forward(carried, request.signal, limits))(inner);
  } catch (error) {
    return failure(502, whyNot(error, target));
  }
}

/** Why it is no address to go to, as a sentence. */
function targetOf(text: string, ownPort: number): URL | string {
  if (!URL.canParse(text)) return 'The address to go to is missing, or is none.';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `Only http and https can be reached, not ${url.protocol}`;
  }
  if (url.username !== '' || url.password !== '')
    return 'The address holds a name or password. Leave them out.';
  const isHere =
    ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0'].includes(url.hostname) && url.port === String(ownPort);
  if (isHere) return 'This address is the proxy itself.';
  return url;
}

async function bodyOf(request: Request, most: number): Promise<ArrayBuffer | 'too large' | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null) return undefined;
  const body = await new Response(limited(request.body, most, Infinity)).arrayBuffer().catch(() => undefined);
  return body ?? 'too large';
}

/** Of the page's request: not those about the connection, the page or the proxy. */
const keptBack =
  /^(host|connection|content-length|transfer-encoding|keep-alive|te|trailer|upgrade|expect|origin|referer|cookie|user-agent|accept-encoding|accept-language|dnt|priority|cache-control|pragma|proxy-.*|sec-.*|x-rollscope-.*)$/i;

function outgoingHeaders(headers: Headers): Headers {
  const outgoing = new Headers();
  for (const [name, value] of headers) if (!keptBack.test(name)) outgoing.append(name, value);
  const cookie = headers.get(COOKIE_HEADER);
  // Made a `Cookie` again by `carriedFetch`.
  if (cookie !== null) outgoing.set(COOKIE_HEADER, cookie);
  return outgoing;
}

async function forward(request: Request, signal: AbortSignal, limits: ProxyLimits): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('no answer came in time')), limits.answerMs);
  try {
    const response = await fetch(request, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, late.signal]),
    });
    const location = response.headers.get('location');
    if (location !== null && response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      // Another host must not be given the key without the person knowing.
      const { host } = new URL(request.url);
      return failure(502, `${host} says that it has moved to ${location}. Give that address instead.`);
    }
    const pairs = [...response.headers].filter(([name]) => !ofConnection.test(name));
    const headers = new Headers({
      [HEADERS_HEADER]: latin(JSON.stringify(pairs)),
      'content-type': 'application/octet-stream',
    });
    for (const cookie of response.headers.getSetCookie()) headers.append('set-cookie', cookie);
    const body = response.body === null ? null : limited(response.body, limits.responseBytes, limits.idleMs);
    return new Response(body, { status: response.status, headers });
  } finally {
    clearTimeout(timer);
  }
}

/** Of the server's answer: cookies travel apart, and the body comes unpacked and in pieces of its own. */
const ofConnection =
  /^(set-cookie|connection|keep-alive|transfer-encoding|content-encoding|content-length|trailer|upgrade|proxy-.*|x-rollscope-.*)$/i;

/** Headers carry Latin-1 only. */
function latin(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Ends with an error where there is too much of it, or nothing comes for too long. */
function limited(body: ReadableStream<Uint8Array>, most: number, idleMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const idle = new Promise<never>((_, fail) => {
        if (Number.isFinite(idleMs))
          timer = setTimeout(() => fail(new Error('nothing came for too long')), idleMs);
      });
      try {
        const { done, value } = await Promise.race([reader.read(), idle]);
        if (done) {
          controller.close();
          return;
        }
        bytes += value.byteLength;
        if (bytes > most) throw new Error(`more than ${most} bytes came`);
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        await reader.cancel().catch(() => undefined);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function failure(status: number, error: string): Response {
  return Response.json({ error }, { status, headers: { [FAILED_HEADER]: '1' } });
}

/** `fetch failed` says nothing; its cause does: `connect ECONNREFUSED 127.0.0.1:9`. Neither holds headers or bodies. */
function whyNot(error: unknown, target: URL): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = cause instanceof Error ? cause.message || cause.name : 'no answer';
  return `${target.host} cannot be reached: ${why}.`;
}
