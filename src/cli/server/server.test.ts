import { appendFile, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { contentSecurityPolicy } from '../csp';
import { startServer } from './listen';
import type { LocalServer } from './listen';

const content = 'one\ntwo\nthree\n';
let folder = '';
let server: LocalServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollscope-server-'));
  await mkdir(join(folder, 'app/assets'), { recursive: true });
  await writeFile(join(folder, 'app/index.html'), '<!doctype html>');
  await writeFile(join(folder, 'app/assets/index-1a2b.js'), 'export {};');
  await writeFile(join(folder, 'app/.built-from'), 'sources');
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'run.jsonl'), content);
  const sources = [
    { name: 'run.jsonl', file: join(folder, 'run.jsonl') },
    { name: 'gone.jsonl', file: join(folder, 'gone.jsonl') },
    { name: 'folder.jsonl', file: join(folder, 'folder.jsonl') },
    { name: 'dangling.jsonl', file: join(folder, 'dangling.jsonl') },
    { name: 'big.jsonl', file: join(folder, 'big.jsonl') },
  ];
  await symlink('app', join(folder, 'folder.jsonl'));
  await symlink('nowhere', join(folder, 'dangling.jsonl'));
  await writeFile(join(folder, 'big.jsonl'), '');
  server = await startServer({ appFolder: join(folder, 'app'), sources, port: 0 });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A request as it is on the wire: `fetch` would set `Host` itself and straighten the path. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((done, fail) => {
    const asked = request({ host: '127.0.0.1', port: server.port, path, headers, method }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    asked.on('error', fail).end();
  });
}

function withToken(headers: Record<string, string> = {}): Record<string, string> {
  return { 'x-rollscope-token': server.token, ...headers };
}

describe('the page', () => {
  test('needs no token, and carries the policy', async () => {
    const { status, headers, body } = await ask('/');
    expect({ status, body }).toEqual({ status: 200, body: '<!doctype html>' });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    });
  });

  test('keeps what never changes', async () => {
    const { headers } = await ask('/assets/index-1a2b.js');
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test('keeps its secret out of what requests carry', () => {
    const { pathname, search, hash } = new URL(server.url);
    expect(pathname + search).toBe('/');
    expect(hash).toBe(`#token=${server.token}`);
  });
});

describe('strangers', () => {
  test.each(['/', '/assets/index-1a2b.js', '/api/sources', '/api/sources/0'])(
    'do not get %s',
    async (path) => {
      for (const headers of [
        { host: 'evil.example' },
        { host: `evil.example:${server.port}` },
        { host: '127.0.0.1' },
        { host: `127.0.0.1:${server.port + 1}` },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `http://127.0.0.1:${server.port + 1}` },
        { origin: `https://127.0.0.1:${server.port}` },
      ]) {
        expect(await ask(path, withToken(headers))).toMatchObject({
          status: 403,
          body: expect.not.stringContaining('one'),
        });
      }
    },
  );

  test('are told from the page by name and origin', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const host = `${name}:${server.port}`;
      expect(await ask('/api/sources', withToken({ host, origin: `http://${host}` }))).toMatchObject({
        status: 200,
      });
    }
  });

  test('do not read files without the token', async () => {
    for (const path of ['/api/sources', '/api/sources/0', '/api/sources/7', '/api/anything']) {
      expect(await ask(path)).toMatchObject({ status: 403 });
      expect(await ask(path, { 'x-rollscope-token': `${server.token}x` })).toMatchObject({ status: 403 });
      expect(await ask(`${path}?token=${server.token}`)).toMatchObject({ status: 403 });
    }
  });
});

function bigFile(): string {
  return join(folder, 'big.jsonl');
}

/** Changes the file when the first bytes have arrived. Gives how many arrived in the end, and what was said. */
async function sentWhile(
  change: () => Promise<void>,
): Promise<{ bytes: number; whole: boolean; said: number }> {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const response = await new Promise<IncomingMessage>((done, fail) => {
    const options = {
      host: '127.0.0.1',
      port: server.port,
      path: '/api/sources/4',
      headers: withToken(),
    };
    request(options, done).on('error', fail).end();
  });
  let bytes = 0;
  try {
    for await (const chunk of response) {
      if (bytes === 0) await change();
      bytes += Buffer.byteLength(chunk);
    }
  } catch {
    // Broken off, which `complete` says too.
  }
  const result = { bytes, whole: response.complete, said: said.mock.calls.length };
  said.mockRestore();
  return result;
}

describe('sources', () => {
  test('are listed by number, name and size', async () => {
    const { status, body } = await ask('/api/sources', withToken());
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      watch: false,
      sources: [
        { id: '0', name: 'run.jsonl', size: content.length, etag: expect.any(String) },
        { id: '1', name: 'gone.jsonl', size: 0 },
        { id: '2', name: 'folder.jsonl', size: 0 },
        { id: '3', name: 'dangling.jsonl', size: 0 },
        { id: '4', name: 'big.jsonl', size: 0, etag: expect.any(String) },
      ],
    });
  });

  test('are given whole or in part', async () => {
    const whole = await ask('/api/sources/0', withToken());
    expect(whole).toMatchObject({ status: 200, body: content });
    expect(whole.headers).toMatchObject({ 'content-length': '14', 'accept-ranges': 'bytes' });

    const part = await ask('/api/sources/0', withToken({ range: 'bytes=4-6' }));
    expect(part).toMatchObject({ status: 206, body: 'two' });
    expect(part.headers).toMatchObject({ 'content-range': 'bytes 4-6/14', 'content-length': '3' });
    expect(await ask('/api/sources/0', withToken({ range: 'bytes=-6' }))).toMatchObject({ body: 'three\n' });

    const beyond = await ask('/api/sources/0', withToken({ range: 'bytes=14-' }));
    expect(beyond).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */14' } });
  });

  test('say how large they are without being read', async () => {
    const { status, headers, body } = await ask('/api/sources/0', withToken(), 'HEAD');
    expect({ status, body }).toEqual({ status: 200, body: '' });
    expect(headers['content-length']).toBe('14');
  });

  test('are recognised when they have not changed', async () => {
    const { etag = '', 'last-modified': modified } = (await ask('/api/sources/0', withToken())).headers;
    expect(modified).toMatch(/GMT$/);
    const tag = String(etag);
    expect(await ask('/api/sources/0', withToken({ 'if-none-match': tag }))).toMatchObject({
      status: 304,
      body: '',
    });
    const range = 'bytes=0-2';
    expect(await ask('/api/sources/0', withToken({ range, 'if-range': tag }))).toMatchObject({ status: 206 });
    expect(await ask('/api/sources/0', withToken({ range, 'if-range': '"old"' }))).toMatchObject({
      body: content,
    });
  });

  test.each(['1', '2', '3'])('that went away, or are no files, are said to be gone: %s', async (id) => {
    expect(await ask(`/api/sources/${id}`, withToken())).toMatchObject({ status: 410 });
  });

  test('may be empty', async () => {
    expect(await ask('/api/sources/4', withToken())).toMatchObject({ status: 200, body: '' });
  });

  describe('that change while they are sent', () => {
    const size = 32 * 1024 * 1024;
    beforeEach(() => writeFile(bigFile(), Buffer.alloc(size, 'x')));
    afterEach(() => writeFile(bigFile(), ''));

    test('are sent as they were where they grow', async () => {
      const sent = await sentWhile(() => appendFile(bigFile(), 'more'));
      expect(sent).toEqual({ bytes: size, whole: true, said: 0 });
    });

    test('are broken off where they shrink, and the server goes on', async () => {
      const sent = await sentWhile(() => truncate(bigFile(), 0));
      expect(sent).toMatchObject({ whole: false, said: 0 });
      expect(sent.bytes).toBeLessThan(size);
      expect(await ask('/api/sources/0', withToken())).toMatchObject({ status: 200, body: content });
    });
  });

  test.each(['5', '-1', '00x', '0x0', '1e0', '%2e%2e%2fsecret.txt', 'run.jsonl', '__proto__', 'length'])(
    'are not found under %s',
    async (id) => {
      expect(await ask(`/api/sources/${id}`, withToken())).toMatchObject({ status: 404 });
    },
  );
});

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/../../secret.txt',
  '/assets/..%5c..%5csecret.txt',
  '//secret.txt',
  '/.built-from',
  '/assets',
  '/%00',
  '/%',
])('no path leads out of the app: %s', async (path) => {
  const { status, body } = await ask(path);
  expect({ status, body }).toEqual({ status: 404, body: 'There is nothing here.' });
});

test('a port that is taken is named, and passed over where none was asked for', async () => {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(4600, '127.0.0.1', done).once('error', () => done()));
  const options = { appFolder: join(folder, 'app'), sources: [] };
  await expect(startServer({ ...options, port: server.port })).rejects.toThrow(
    `Port ${server.port} is in use`,
  );
  const other = await startServer(options);
  expect(other.port).not.toBe(4600);
  await other.close();
  taken.close();
});
