import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createGymClient, environmentNamed } from '../../gym';
import { hostGym } from '../../gym/node-host';
import { proxyFetch, proxyTransport } from '../../live';
import { startServer, type LocalServer } from './listen';
import { defaultLimits, proxied } from './proxy';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let folder = '';
let local: LocalServer;
let base = '';
const opened: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollscope-proxy-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  local = await startServer({ appFolder: folder, sources: [], port: 0 });
  base = `http://127.0.0.1:${local.port}/?x=1#token=secret`;
});

afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

afterAll(async () => {
  await local.close();
  await rm(folder, { recursive: true });
});

/** A real server on a free port; gives its address. */
async function serving(handler: Handler): Promise<string> {
  const server = createServer(handler);
  opened.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It does not listen on a port.');
  return `http://127.0.0.1:${address.port}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

describe('through the proxy', () => {
  test('a request arrives as it was sent, and the answer comes back as it was given', async () => {
    const seen: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = [];
    const url = await serving((request, response) => {
      void textOf(request).then((body) => {
        seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        response.writeHead(418, {
          'content-type': 'text/plain; charset=utf-8',
          'x-request-id': 'r1',
          'clear-site-data': '"*"',
          'set-cookie': ['a=1; Path=/', 'b=ü'],
        });
        response.end('späte Antwort');
      });
    });
    const fetched = await proxyFetch(base, local.token)(`${url}/v1/chat?q=1`, {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json', 'x-own': 'yes' },
      body: '{"größe": 1}',
    });
    expect(seen).toMatchObject([{ method: 'POST', url: '/v1/chat?q=1', body: '{"größe": 1}' }]);
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer key', 'x-own': 'yes' });
    const names = Object.keys(seen[0]?.headers ?? {});
    expect(names.filter((name) => name.startsWith('x-rollscope') || name === 'origin')).toEqual([]);
    expect(fetched.status).toBe(418);
    expect(fetched.headers.get('x-request-id')).toBe('r1');
    expect(fetched.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await fetched.text()).toBe('späte Antwort');
  });

  test('headers that would act on the page stay out of the page', async () => {
    const url = await serving((_request, response) => {
      response.writeHead(200, { 'clear-site-data': '"*"', 'content-type': 'text/html', refresh: '0; url=/' });
      response.end('<script>alert(1)</script>');
    });
    const raw = await fetch(`http://127.0.0.1:${local.port}/api/proxy`, {
      headers: { 'x-rollscope-token': local.token, 'x-rollscope-url': url },
    });
    expect(raw.headers.has('clear-site-data')).toBe(false);
    expect(raw.headers.has('refresh')).toBe(false);
    expect(raw.headers.get('content-type')).toBe('application/octet-stream');
    expect(raw.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('sessions are kept by their cookies, one for each client', async () => {
    const environment = environmentNamed('stateful_counter');
    if (environment === undefined) throw new Error('no counter');
    const host = await hostGym({ environments: environment, port: 0, accessLog: false });
    try {
      const clients = [3, 100].map(() =>
        createGymClient({ baseUrl: host.url, transport: proxyTransport(base, local.token) }),
      );
      const counts = await Promise.all(
        clients.map(async (client, nth) => {
          await client.seed({ initial_count: nth * 100 });
          await client.call('increment_counter', { count: 2 });
          return (await client.call('get_counter_value', {})).response.json;
        }),
      );
      expect(counts).toEqual([{ count: 2 }, { count: 102 }]);
      expect(await clients[0]?.sessionId()).not.toBe(await clients[1]?.sessionId());
    } finally {
      await host.close();
    }
  });

  test('what streams comes piece by piece', async () => {
    const answers: ServerResponse[] = [];
    const url = await serving((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n');
      answers.push(response);
    });
    const { body } = await proxyFetch(base, local.token)(url);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    // Only after this has come does the server send the rest.
    expect((await reader?.read())?.value).toBe('data: one\n\n');
    answers[0]?.end('data: two\n\n');
    expect((await reader?.read())?.value).toBe('data: two\n\n');
    expect((await reader?.read())?.done).toBe(true);
  });

  test('giving up here ends it there', async () => {
    const answers: ServerResponse[] = [];
    const url = await serving((_request, response) => {
      response.writeHead(200).write('x');
      answers.push(response);
    });
    const stop = new AbortController();
    const { body } = await proxyFetch(base, local.token)(url, { signal: stop.signal });
    await body?.getReader().read();
    stop.abort();
    const [answer] = answers;
    if (answer === undefined) throw new Error('It was never asked.');
    if (!answer.closed) await once(answer, 'close');
  });
});

function asking(url: string, init: RequestInit = {}): Request {
  return new Request('http://127.0.0.1/api/proxy', { ...init, headers: { 'x-rollscope-url': url } });
}

describe('the proxy refuses', () => {
  test('without the token', async () => {
    const url = await serving((_request, response) => response.end('reached'));
    await expect(proxyFetch(base, 'wrong')(url)).rejects.toThrow(/token/);
    const other = await fetch(`http://127.0.0.1:${local.port}/api/proxy`, {
      headers: { 'x-rollscope-token': local.token, 'x-rollscope-url': url, origin: 'https://evil.example' },
    });
    expect(other.status).toBe(403);
  });

  test.each([
    ['', /missing/],
    ['file:///etc/passwd', /Only http/],
    ['ftp://host/x', /Only http/],
    ['http://name:word@127.0.0.1/', /password/],
  ])('%j', async (target, why) => {
    const request = new Request('http://127.0.0.1/api/proxy', { headers: { 'x-rollscope-url': target } });
    const response = await proxied(request, 4600);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(why);
  });

  test('itself', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const own = `http://${host}:${local.port}/api/sources`;
      await expect(proxyFetch(base, local.token)(own)).rejects.toThrow(/proxy itself/);
    }
  });

  test('to go on to where a server points', async () => {
    let reached = 0;
    const there = await serving((_request, response) => {
      reached += 1;
      response.end('there');
    });
    const here = await serving((_request, response) => {
      response.writeHead(302, { location: `${there}/x` }).end();
    });
    const headers = { authorization: 'Bearer key' };
    await expect(proxyFetch(base, local.token)(here, { headers })).rejects.toThrow(`has moved to ${there}/x`);
    expect(reached).toBe(0);
  });
});

describe('limits', () => {
  test('a request that is too large is not sent', async () => {
    let reached = 0;
    const url = await serving((_request, response) => {
      reached += 1;
      response.end();
    });
    const limits = { ...defaultLimits, requestBytes: 10 };
    const fits = await proxied(asking(url, { method: 'POST', body: '0123456789' }), 1, limits);
    const exceeds = await proxied(asking(url, { method: 'POST', body: '0123456789x' }), 1, limits);
    expect([fits.status, exceeds.status, reached]).toEqual([200, 413, 1]);
  });

  test('an answer that is too large is broken off', async () => {
    const url = await serving((_request, response) => response.end('x'.repeat(200_000)));
    const limits = { ...defaultLimits, responseBytes: 100_000 };
    await expect((await proxied(asking(url), 1, limits)).text()).rejects.toThrow();
    expect(await (await proxied(asking(url), 1, { ...limits, responseBytes: 200_000 })).text()).toHaveLength(
      200_000,
    );
  });

  test('a server that does not answer, or stops in the middle, is not waited for', async () => {
    const silent = await serving(() => undefined);
    const late = await proxied(asking(silent), 1, { ...defaultLimits, answerMs: 50 });
    expect(late.status).toBe(502);
    expect(await late.text()).toMatch(/in time/);
    const stuck = await serving((_request, response) => void response.writeHead(200).write('x'));
    const begun = await proxied(asking(stuck), 1, { ...defaultLimits, idleMs: 50 });
    await expect(begun.text()).rejects.toThrow(/too long/);
  });

  test('nothing of a request is told to anybody, also when it fails', async () => {
    const written: unknown[] = [];
    const note = (...said: unknown[]): void => void written.push(said);
    const spies = (['log', 'error', 'warn', 'info'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(note),
    );
    const free = await serving(() => undefined);
    opened.pop()?.close();
    const headers = { authorization: 'Bearer very-secret' };
    const failing = proxyFetch(base, local.token)(free, { method: 'POST', body: 'very-secret', headers });
    await expect(failing).rejects.toThrow(/cannot be reached: .*ECONNREFUSED/);
    await expect(failing).rejects.not.toThrow(/secret/);
    expect(written).toEqual([]);
    for (const spy of spies) spy.mockRestore();
  });
});
