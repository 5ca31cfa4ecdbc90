import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { elsewhere } from './elsewhere';

const content = 'one\ntwo\nthree\n';
let server: Server;
let host = '';
let seen: Record<string, unknown> = {};

beforeAll(async () => {
  server = createServer((request, response) => {
    seen = request.headers;
    if (request.url === '/moved') response.writeHead(302, { Location: '/run.jsonl' }).end();
    else if (request.url === '/zipped')
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(content));
    else if (request.url !== '/run.jsonl') response.writeHead(404).end('<p>secret page</p>');
    else if (request.headers.range === 'bytes=4-6')
      response.writeHead(206, { 'Content-Range': 'bytes 4-6/14', 'Set-Cookie': 'a=b' }).end('two');
    else response.writeHead(200, { 'Content-Length': 14, ETag: '"x"' }).end(content);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', () => done());
  });
  const address = server.address();
  host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const asked = (headers: Record<string, string> = {}): Request =>
  new Request('http://127.0.0.1/api/elsewhere', { headers });

test('hands on a file of another host, whole, in part, and where it has moved to', async () => {
  const whole = await elsewhere(`http://${host}/run.jsonl`, asked({ 'x-rollscope-token': 'secret' }));
  expect(await whole.text()).toBe(content);
  expect(Object.fromEntries(whole.headers)).toEqual({
    'content-type': 'application/octet-stream',
    'content-length': '14',
    etag: '"x"',
  });
  expect(seen).not.toHaveProperty('x-rollscope-token');

  const part = await elsewhere(`http://${host}/run.jsonl`, asked({ range: 'bytes=4-6' }));
  expect({ status: part.status, body: await part.text() }).toEqual({ status: 206, body: 'two' });
  expect(part.headers.get('content-range')).toBe('bytes 4-6/14');
  expect(part.headers.get('set-cookie')).toBeNull();

  expect(await (await elsewhere(`http://${host}/moved`, asked())).text()).toBe(content);
});

test('gives no length of what was compressed on the way', async () => {
  const response = await elsewhere(`http://${host}/zipped`, asked());
  expect(response.headers.get('content-length')).toBeNull();
  expect(await response.text()).toBe(content);
});

test.each([
  ['/nowhere', 404, /answered 404/],
  ['', 400, /is not a URL/],
])('says what is wrong with %s', async (path, status, error) => {
  const response = await elsewhere(path === '' ? 'file:///etc/passwd' : `http://${host}${path}`, asked());
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.stringMatching(error) });
});

test('says that a host is not there', async () => {
  const response = await elsewhere('http://127.0.0.1:1/run.jsonl', asked());
  expect(response.status).toBe(502);
  expect(await response.json()).toEqual({ error: expect.stringMatching(/127\.0\.0\.1:1 cannot be reached/) });
});
