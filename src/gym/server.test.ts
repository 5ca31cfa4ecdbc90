import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { environments } from './environments';
import { simpleWeather } from './environments/simple_weather';
import { statefulCounter } from './environments/stateful_counter';
import { clientOf, post, stoppedClock } from './gym.fixtures';
import { createGym } from './server';
import { memoryStore } from './store/memory';
import type { Store } from './store/store';

const counter = (options: Partial<Parameters<typeof createGym>[0]> = {}) =>
  createGym({ environments: statefulCounter, secret: 'test', ...options });

const missing = (field: string) => [{ type: 'missing', loc: ['body', field], msg: 'Field required' }];
const preflight = () =>
  new Request('http://gym.test/verify', {
    method: 'OPTIONS',
    headers: { origin: 'http://page.test', 'access-control-request-method': 'POST' },
  });

describe('the counter of the stateful tutorial', () => {
  it('goes from seed 3 over increment 2 to reward 1', async () => {
    const client = clientOf(counter());
    expect((await client.seed({ initial_count: 3 })).response.json).toEqual({});
    expect((await client.call('increment_counter', { count: 2 })).response.json).toEqual({ success: true });
    expect((await client.call('get_counter_value', {})).response.json).toEqual({ count: 5 });
    const request = {
      responses_create_params: { input: [] },
      response: { output: [] },
      expected_count: 5,
      extra: ['kept'],
    };
    expect((await client.verify(request)).response.json).toEqual({ ...request, reward: 1 });
    expect((await client.verify({ expected_count: 6 })).response.json).toMatchObject({ reward: 0 });
  });

  it('replaces the state when it is seeded again', async () => {
    const client = clientOf(counter());
    await client.seed({ initial_count: 3 });
    await client.call('increment_counter', { count: 2 });
    await client.seed({ initial_count: 40 });
    expect((await client.call('get_counter_value', {})).response.json).toEqual({ count: 40 });
  });

  it('gives a client that drops its cookie a new session each time, and reward 0', async () => {
    const gym = counter();
    const client = clientOf(gym, { dropCookies: true });
    await client.seed({ initial_count: 3 });
    await client.call('increment_counter', { count: 2 });
    expect((await client.call('get_counter_value', {})).response.json).toEqual({ count: 0 });
    expect((await client.verify({ expected_count: 5 })).response.json).toMatchObject({ reward: 0 });
    expect(await gym.sessions('stateful_counter')).toHaveLength(2);
  });

  it('counts from zero where it was never seeded, and verifies that as 0.0', async () => {
    const gym = counter();
    expect((await clientOf(gym).verify({ expected_count: 0 })).response.json).toEqual({
      expected_count: 0,
      reward: 0,
    });
    const client = clientOf(gym);
    await client.call('increment_counter', { count: 2 });
    expect((await client.verify({ expected_count: 2 })).response.json).toMatchObject({ reward: 1 });
  });
});

describe('sessions', () => {
  it('sets a signed cookie, and again with every answer', async () => {
    const response = await counter().fetch(post('/seed_session', '{"initial_count": 1}'));
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^StatefulCounterResourcesServer___stateful_counter=[\da-f-]{36}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const again = await counter().fetch(
      post('/get_counter_value', '{}', { cookie: cookie.split(';')[0] ?? '' }),
    );
    expect(again.headers.getSetCookie()).toEqual([cookie]);
  });

  it('takes a forged or altered cookie for a new session', async () => {
    const gym = counter();
    const client = clientOf(gym);
    await client.seed({ initial_count: 7 });
    const cookie = await client.cookie();
    const [name = '', value = ''] = cookie.split('=');
    const [id = '', signature = ''] = value.split('.');
    const forged = fc.oneof(
      fc.constantFrom(
        id,
        `${id}.`,
        `${id}.${'A'.repeat(43)}`,
        `.${signature}`,
        `${value}.`,
        `${value}=`,
        ` ${id}.${signature}x`,
        '',
      ),
      // One character changed, anywhere.
      fc
        .tuple(fc.nat(value.length - 1), fc.constantFrom('0', 'a', 'Z', '-', '_', '.'))
        .map(([index, character]) => value.slice(0, index) + character + value.slice(index + 1)),
      fc.string({ unit: 'grapheme-ascii' }).map((text) => text.replaceAll(/[;\s]/g, '')),
    );
    await fc.assert(
      fc.asyncProperty(
        forged.filter((candidate) => candidate !== value),
        async (candidate) => {
          const response = await gym.fetch(
            post('/get_counter_value', '{}', { cookie: `${name}=${candidate}` }),
          );
          expect(await response.json()).toEqual({ count: 0 });
          expect(response.headers.getSetCookie()[0]).not.toContain(id);
        },
      ),
    );
    const own = await gym.fetch(post('/get_counter_value', '{}', { cookie }));
    expect(await own.json()).toEqual({ count: 7 });
  });

  it('does not take the cookie of another server, nor of another secret', async () => {
    const gym = counter();
    const client = clientOf(gym);
    await client.seed({ initial_count: 7 });
    const cookie = await client.cookie();
    const stranger = await createGym({
      environments: statefulCounter,
      store: gym.store,
      secret: 'other',
    }).fetch(post('/get_counter_value', '{}', { cookie }));
    expect(await stranger.json()).toEqual({ count: 0 });
    const renamed = cookie.replace(
      'StatefulCounterResourcesServer___stateful_counter',
      'SimpleWeatherResourcesServer___simple_weather',
    );
    const weather = createGym({ environments: simpleWeather, store: gym.store, secret: 'test' });
    const answer = await weather.fetch(post('/get_weather', '{"city": "Oslo"}', { cookie: renamed }));
    expect(answer.headers.getSetCookie()[0]).not.toContain(renamed.split('=')[1]);
  });

  it('keeps its secret in the store, so that a restart and a second instance accept the same cookies', async () => {
    const store = memoryStore();
    const client = clientOf(createGym({ environments: statefulCounter, store }));
    await client.seed({ initial_count: 9 });
    const cookie = await client.cookie();
    const restarted = createGym({ environments: statefulCounter, store });
    expect(await (await restarted.fetch(post('/get_counter_value', '{}', { cookie }))).json()).toEqual({
      count: 9,
    });
    expect(await restarted.sessions('stateful_counter')).toHaveLength(1);
  });

  it('mixes up nobody, whatever many clients do at the same time', async () => {
    const plans = fc.array(
      fc.record({
        start: fc.integer({ min: -1000, max: 1000 }),
        adds: fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 6 }),
      }),
      { minLength: 2, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(plans, async (clients) => {
        const gym = counter();
        await Promise.all(
          clients.map(async ({ start, adds }) => {
            const client = clientOf(gym);
            await client.seed({ initial_count: start });
            await Promise.all(adds.map((count) => client.call('increment_counter', { count })));
            const expected = adds.reduce((sum, count) => sum + count, start);
            expect((await client.verify({ expected_count: expected })).response.json).toMatchObject({
              reward: 1,
            });
          }),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('serves 10,000 sessions', async () => {
    const gym = counter();
    for (let user = 0; user < 10_000; user++)
      await gym.fetch(post('/seed_session', `{"initial_count": ${user}}`));
    const sessions = await gym.sessions('stateful_counter');
    expect(sessions).toHaveLength(10_000);
    const counts = await Promise.all(sessions.map(({ id }) => gym.state('stateful_counter', id)));
    expect(new Set(counts.map((state) => JSON.stringify(state))).size).toBe(10_000);
  }, 60_000);
});

describe('bad input', () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  it.each<[string, string, BodyInit | null, number, unknown]>([
    ['missing field', '/increment_counter', '{}', 422, missing('count')],
    ['missing body', '/increment_counter', null, 422, missing('count')],
    [
      'text for a number',
      '/increment_counter',
      '{"count": "2"}',
      422,
      [{ type: 'int_type', loc: ['body', 'count'] }],
    ],
    [
      'null for a number',
      '/increment_counter',
      '{"count": null}',
      422,
      [{ type: 'int_type', loc: ['body', 'count'] }],
    ],
    [
      'a fraction',
      '/increment_counter',
      '{"count": 1.5}',
      422,
      [{ type: 'int_from_float', loc: ['body', 'count'] }],
    ],
    [
      'a huge number',
      '/increment_counter',
      '{"count": 1e308}',
      422,
      [{ type: 'int_from_float', loc: ['body', 'count'] }],
    ],
    ['overflow', '/increment_counter', '{"count": 9007199254740991}', 422, [{ loc: ['body', 'count'] }]],
    ['a list', '/increment_counter', '[1]', 422, [{ loc: ['body'] }]],
    ['a word', '/increment_counter', '"count"', 422, [{ loc: ['body'] }]],
    ['seed without its field', '/seed_session', '{}', 422, missing('initial_count')],
    ['verify without its field', '/verify', '{}', 422, missing('expected_count')],
    [
      'wrong type deep in verify',
      '/verify',
      '{"expected_count": 5, "response": {"output": 1}}',
      422,
      [{ type: 'list_type', loc: ['body', 'response', 'output'] }],
    ],
    ['aggregate of nothing', '/aggregate_metrics', '{}', 422, missing('verify_responses')],
    ['bad JSON', '/increment_counter', '{"count": ', 400, [{ type: 'json_invalid' }]],
    ['not UTF-8', '/increment_counter', new Uint8Array([0x7b, 0xff, 0x7d]), 400, [{ type: 'json_invalid' }]],
    ['100,000 levels', '/verify', deep, 400, [{ type: 'json_invalid' }]],
    ['unknown tool', '/decrement_counter', '{}', 404, expect.stringContaining('increment_counter')],
    ['a tool named like a prototype key', '/__proto__', '{}', 404, expect.anything()],
    ['a tool named constructor', '/constructor', '{}', 404, expect.anything()],
    [
      '20 MB',
      '/increment_counter',
      `{"count": 1, "pad": "${'x'.repeat(20_000_000)}"}`,
      413,
      expect.stringContaining('larger'),
    ],
  ])('%s is refused and changes nothing', async (_name, path, body, status, detail) => {
    const gym = counter();
    const client = clientOf(gym);
    await client.seed({ initial_count: 3 });
    const before = await gym.store.list();
    const response = await gym.fetch(post(path, body, { cookie: await client.cookie() }));
    expect(response.status).toBe(status);
    const answer: unknown = await response.json();
    expect(answer).toMatchObject({
      detail: Array.isArray(detail) ? detail.map((one: object) => expect.objectContaining(one)) : detail,
    });
    expect(JSON.stringify(answer)).not.toMatch(/\.ts\b|at .*\(/);
    expect((await client.call('get_counter_value', {})).response.json).toEqual({ count: 3 });
    expect((await gym.store.list()).map(({ id, version }) => [id, version])).toEqual(
      before.map(({ id, version }) => [id, version]),
    );
  });

  it('refuses a body that grows past the limit without having said so', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        if (sent > 20) controller.close();
        else controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
      },
    });
    // `duplex` is required for streams and unknown to the DOM's types.
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
    const response = await counter().fetch(new Request('http://gym.test/increment_counter', init));
    expect(response.status).toBe(413);
  });

  it('takes prototype keys as data, and gives them back as such', async () => {
    const client = clientOf(counter());
    await client.seed({ initial_count: 3 });
    const body =
      '{"expected_count": 3, "__proto__": {"reward": 9}, "constructor": {"prototype": {"reward": 9}}}';
    const response = await counter().fetch(post('/verify', body));
    expect(await response.text()).toBe(body.replaceAll(' ', '').replace(/}$/, ',"reward":0}'));
    expect(Object.prototype).not.toHaveProperty('reward');
  });

  it('answers 405 to the wrong method', async () => {
    const response = await counter().fetch(new Request('http://gym.test/increment_counter'));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('answers 503 where the store fails, and says so without a stack', async () => {
    const { StoreError } = await import('./store/store');
    const broken: Store = {
      ...memoryStore(),
      update: async () => {
        throw new StoreError('Redis: connection lost');
      },
    };
    const response = await counter({ store: broken }).fetch(post('/increment_counter', '{"count": 1}'));
    expect([response.status, await response.json()]).toEqual([503, { detail: 'Redis: connection lost' }]);
  });

  it('answers 500 with a message where a stored state is not one of the environment', async () => {
    const gym = counter();
    const client = clientOf(gym);
    await client.seed({ initial_count: 3 });
    await gym.store.set(`stateful_counter/${await client.sessionId()}`, ['nonsense']);
    const { response } = await client.call('get_counter_value', {});
    expect(response).toMatchObject({
      status: 500,
      json: { detail: expect.stringContaining('stateful_counter') },
    });
  });
});

describe('what every server tells of itself', () => {
  it('serves each environment under its name, or one at the root', async () => {
    const gym = createGym({ environments, secret: 'test' });
    const index = await (await gym.fetch(new Request('http://gym.test/'))).json();
    expect(index).toMatchObject({
      environments: environments.map(({ name }) => expect.objectContaining({ name })),
    });
    const client = clientOf(gym, { folder: '/stateful_counter' });
    await client.seed({ initial_count: 3 });
    expect((await client.call('get_counter_value', {})).response.json).toEqual({ count: 3 });
    expect(await gym.state('stateful_counter', (await client.sessionId()) ?? '')).toEqual({ count: 3 });
    expect((await gym.fetch(post('/nowhere/verify', '{}'))).status).toBe(404);
  });

  it.each(['/stateful_counter', '/stateful_counter/', '/stateful_counter/tools/'])(
    'answers at %s',
    async (path) => {
      const gym = createGym({ environments, secret: 'test' });
      expect((await gym.fetch(new Request(`http://gym.test${path}`))).status).toBe(200);
    },
  );

  it.each([
    ['of its own', '', 'http://gym.test/stateful_counter'],
    [
      'in the folder that a host has put it into',
      '/gym/checks',
      'http://gym.test/gym/checks/stateful_counter',
    ],
    ['of its own where the folder is none', '//evil.test/?', 'http://gym.test/stateful_counter'],
  ])('names an address %s', async (_name, prefix, url) => {
    const gym = createGym({ environments, secret: 'test' });
    const request = new Request('http://gym.test/stateful_counter/openapi.json', {
      headers: { 'x-forwarded-prefix': prefix },
    });
    expect(await (await gym.fetch(request)).json()).toMatchObject({ servers: [{ url }] });
  });

  it.each(environments.map((environment) => [environment.name, environment] as const))(
    '%s describes its tools',
    async (_name, environment) => {
      const gym = createGym({ environments: environment, secret: 'test' });
      const read = async (path: string): Promise<unknown> =>
        (await gym.fetch(new Request(`http://gym.test${path}`))).json();
      const tools = [...environment.tools.keys()];
      expect(await read('/tools')).toMatchObject({
        tools: tools.map((name) => ({
          type: 'function',
          name,
          parameters: { type: 'object', additionalProperties: false },
        })),
      });
      const api = await read('/openapi.json');
      expect(api).toMatchObject({
        openapi: '3.1.0',
        paths: { '/seed_session': {}, '/verify': {}, '/metrics': {} },
      });
      expect(api).toHaveProperty(
        'paths',
        expect.objectContaining(Object.fromEntries(tools.map((name) => [`/${name}`, expect.anything()]))),
      );
      expect(await read('/reverify_mode')).toBe(environment.stateful ? 'unsupported' : 'stateless');
    },
  );

  it('counts sessions, requests, errors and latency', async () => {
    const gym = counter();
    const client = clientOf(gym);
    await client.seed({ initial_count: 1 });
    await client.call('increment_counter', { count: 1 });
    await client.call('increment_counter', {});
    await client.call('no_such_tool', {});
    const { json } = (await client.get('/metrics')).response;
    expect(json).toMatchObject({
      sessions: 1,
      requests: 4,
      errors: 2,
      by_status: { 200: 2, 404: 1, 422: 1 },
      by_endpoint: { 'POST /increment_counter': 2, 'POST (other)': 1 },
      latency: { count: 4 },
      store: 'memory',
      mistakes: [],
    });
  });

  it('aggregates verify responses', async () => {
    const { response } = await clientOf(counter()).post('/aggregate_metrics', {
      verify_responses: [
        {
          _ng_task_index: 0,
          _ng_rollout_index: 0,
          reward: 1,
          accuracy: true,
          response: { usage: { total_tokens: 10 } },
        },
        {
          _ng_task_index: 0,
          _ng_rollout_index: 1,
          reward: 0,
          accuracy: false,
          response: { usage: { total_tokens: 30 } },
        },
        { _ng_task_index: 1, _ng_rollout_index: 0, reward: 1, accuracy: true },
      ],
    });
    expect(response.json).toMatchObject({
      agent_metrics: {
        'mean/reward': 2 / 3,
        'max/reward': 1,
        'min/reward': 0,
        'median/reward': 1,
        'mean/total_tokens': 20,
      },
      key_metrics: { 'mean/reward': 2 / 3, 'mean/accuracy': 2 / 3 },
      group_level_metrics: [
        { _ng_task_index: 0, 'mean/reward': 0.5, 'std/reward': Math.SQRT1_2 },
        { _ng_task_index: 1, 'mean/reward': 1, 'std/reward': 0 },
      ],
    });
  });

  it('lets another origin in only when asked to', async () => {
    expect((await counter().fetch(preflight())).headers.get('access-control-allow-origin')).toBeNull();
    const open = await counter({ cors: 'http://page.test' }).fetch(preflight());
    expect(open.headers.get('access-control-allow-origin')).toBe('http://page.test');
  });
});

describe('idle sessions', () => {
  it('go with the clean-up, and not before', async () => {
    const clock = stoppedClock();
    const gym = counter({ clock: clock.now, idle: { timeout: 60, interval: 10 } });
    const idle = clientOf(gym);
    const active = clientOf(gym);
    await idle.seed({ initial_count: 1 });
    await active.seed({ initial_count: 2 });
    clock.advance(50_000);
    await active.call('get_counter_value', {});
    clock.advance(20_000);
    expect(await gym.sweep()).toBe(1);
    expect((await idle.call('get_counter_value', {})).response.json).toEqual({ count: 0 });
    expect((await active.call('get_counter_value', {})).response.json).toEqual({ count: 2 });
  });

  it('stay while a request of theirs is under way', async () => {
    const clock = stoppedClock();
    const gate = new EventTarget();
    const held = new Promise<void>((resolve) => gate.addEventListener('open', () => resolve()));
    let hold = false;
    const gym = counter({
      clock: clock.now,
      idle: { timeout: 60, interval: 10 },
      mistakes: { slow: 1 },
      delay: () => (hold ? held : Promise.resolve()),
    });
    const client = clientOf(gym);
    await client.seed({ initial_count: 5 });
    hold = true;
    const slow = client.call('increment_counter', { count: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    clock.advance(1_000_000);
    expect(await gym.sweep()).toBe(0);
    gate.dispatchEvent(new Event('open'));
    await slow;
    expect((await client.call('get_counter_value', {})).response.json).toEqual({ count: 6 });
    clock.advance(1_000_000);
    expect(await gym.sweep()).toBe(1);
  });

  it('go by themselves once the clean-up is started', async () => {
    const gym = counter({ idle: { timeout: 0.05, interval: 0.02 } });
    const stop = gym.start();
    await clientOf(gym).seed({ initial_count: 1 });
    const gone = async (): Promise<boolean> => (await gym.sessions('stateful_counter')).length === 0;
    await expect.poll(gone, { timeout: 5000 }).toBe(true);
    stop();
  });
});
