import { describe, expect, it } from 'vitest';
import { createGymClient } from './client';
import { readCookie, withCookie, withSetCookie } from './cookies';
import { environments } from './environments';
import { statefulCounter } from './environments/stateful_counter';
import { createGym } from './server';
import { carriedFetch, COOKIE_HEADER, SET_COOKIE_HEADER, tabTransport } from './transport';

/** What a browser does to a message: `Cookie` cannot be set, `Set-Cookie` cannot be read. */
function browserFetch(
  serve: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    expect(request.headers.has('cookie')).toBe(false);
    const response = await serve(request);
    const headers = new Headers(response.headers);
    expect(headers.has('set-cookie')).toBe(false);
    return new Response(await response.text(), { status: response.status, headers });
  };
}

describe('through a browser', () => {
  const gym = createGym({ environments, secret: 'test' });
  const fetch = browserFetch(carriedFetch((request) => gym.fetch(request), '/gym'));
  const client = () =>
    createGymClient({ baseUrl: 'http://page.test/gym/stateful_counter', transport: tabTransport(fetch) });

  it('holds several sessions in one page', async () => {
    const [one, two] = [client(), client()];
    await one.seed({ initial_count: 1 });
    await two.seed({ initial_count: 2 });
    await one.call('increment_counter', { count: 10 });
    expect((await one.call('get_counter_value', {})).response.json).toEqual({ count: 11 });
    expect((await two.call('get_counter_value', {})).response.json).toEqual({ count: 2 });
    expect(await one.sessionId()).not.toBe(await two.sessionId());
  });

  it('shows the cookies in the exchange, and hides the private names', async () => {
    const one = client();
    const { response } = await one.seed({ initial_count: 1 });
    const [cookie] = 'setCookie' in response ? response.setCookie : [];
    expect(cookie).toMatch(/^StatefulCounterResourcesServer___stateful_counter=.*HttpOnly/);
    expect(JSON.stringify('headers' in response ? response.headers : [])).not.toContain(
      'rollscope-set-cookie',
    );
    expect((await one.call('get_counter_value', {})).request.cookie).toBe(cookie?.split(';')[0]);
  });

  it.each(['plain', 'Jos\u00e9', 'al\u00adice', '"quoted"', 'a\\b'])(
    'carries a cookie that says %j, in ASCII',
    async (name) => {
      const seen: string[] = [];
      const named = tabTransport(async (request) => {
        seen.push(request.headers.get(COOKIE_HEADER) ?? '');
        return fetch(request);
      });
      const url = 'http://page.test/gym/per_user_assistant/seed_session';
      for (const cookie of [`nat-session=${name}`, `"x"; nat-session=${name}`]) {
        const { setCookie } = await named({ method: 'POST', url, headers: {}, body: '{}', cookie });
        const kept = name.replaceAll('"', '');
        expect(setCookie).toEqual([`nat-session=${kept}; Path=/; HttpOnly; SameSite=Lax`]);
      }
      for (const carried of seen) expect(carried).toMatch(/^[ -~]+$/);
    },
  );

  it.each(['"\\u674e=1"', '"a=1\\r\\nx: y"', '"cut off'])(
    'drops a cookie that no header can hold: %s',
    async (carried) => {
      const seen: (string | null)[] = [];
      const app = carriedFetch(async (request) => {
        seen.push(request.headers.get('cookie'));
        return new Response('ok');
      });
      await app(new Request('http://page.test/verify', { headers: { [COOKIE_HEADER]: carried } }));
      expect(seen).toEqual([null]);
    },
  );

  it('gives the app standard cookies and nothing private', async () => {
    const seen: Request[] = [];
    const carried = carriedFetch(async (request) => {
      seen.push(request);
      return withSetCookie(withSetCookie(new Response('ok'), 'a=é; Path=/'), 'b=2');
    }, '/gym');
    const response = await carried(
      new Request('http://page.test/gym/verify?x=1', {
        method: 'POST',
        body: '{}',
        headers: { [COOKIE_HEADER]: 'a=1; b=2' },
      }),
    );
    expect(seen[0]?.headers.get('cookie')).toBe('a=1; b=2');
    expect(seen[0]?.headers.has(COOKIE_HEADER)).toBe(false);
    expect(seen[0]?.url).toBe('http://page.test/verify?x=1');
    expect(await seen[0]?.text()).toBe('{}');
    expect(JSON.parse(response.headers.get(SET_COOKIE_HEADER) ?? '')).toEqual(['a=é; Path=/', 'b=2']);
  });
});

describe('messages that guard their headers', () => {
  it('carry cookies all the same', async () => {
    // The headers of a response from the network cannot be changed, as in a browser Set-Cookie never can.
    const guarded = Response.error();
    expect(() => guarded.headers.append('x', 'y')).toThrow();
    expect(withSetCookie(guarded, 'a=1').headers.getSetCookie()).toEqual(['a=1']);
    const request = withCookie(new Request('http://x.test'), 'a=1; b=2');
    expect(readCookie(request.headers.get('cookie'), 'b')).toBe('2');
  });
});

it.each([
  ['a=1; b=2', 'b', '2'],
  ['b=2', 'a', undefined],
  ['aa=1; a=2', 'a', '2'],
  ['a="quoted"', 'a', 'quoted'],
  ['a=x=y', 'a', 'x=y'],
  ['a', 'a', undefined],
  ['a=first; a=second', 'a', 'first'],
  [null, 'a', undefined],
])('reads the cookie %j %s as %j', (header, name, value) => {
  expect(readCookie(header, name)).toBe(value);
});

it('records what failed on the way', async () => {
  const client = createGymClient({
    baseUrl: 'http://gym.test',
    transport: async () => {
      throw new Error('refused');
    },
  });
  expect((await client.seed({})).response).toMatchObject({ ok: false, status: 0, error: 'refused' });
  expect(client.exchanges).toHaveLength(1);
});

it('is loud about mistakes', async () => {
  const lines: string[] = [];
  const gym = createGym({
    environments: statefulCounter,
    mistakes: { global_state: true, slow: 1 },
    log: (line) => lines.push(line),
  });
  const response = await gym.fetch(new Request('http://gym.test/tools'));
  expect(response.headers.get('x-rollscope-mistake')).toBe('global_state, slow');
  expect(lines).toHaveLength(2);
  const quiet = await createGym({ environments: statefulCounter }).fetch(
    new Request('http://gym.test/tools'),
  );
  expect(quiet.headers.has('x-rollscope-mistake')).toBe(false);
});
