import 'fake-indexeddb/auto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../environment';
import { environments } from '../environments';
import { statefulCounter } from '../environments/stateful_counter';
import { stoppedClock } from '../gym.fixtures';
import { parseMistakes } from '../mistakes';
import { createGym, type Gym } from '../server';
import { httpStore } from '../store/http';
import { indexedDbStore } from '../store/indexeddb';
import { createKeyValueServer } from '../store/kv-server';
import { memoryStore } from '../store/memory';
import { redisStore } from '../store/redis';
import { startRedis, type TestRedis } from '../store/redis.fixtures';
import type { Clock, Store } from '../store/store';
import { directTransport } from '../transport';
import { runChecklist, type CheckResult, type CheckStatus } from './checklist';

let redis: TestRedis;
let made = 0;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

const stores: Record<string, (clock: Clock) => Promise<Store>> = {
  memory: async (clock) => memoryStore({ clock }),
  indexeddb: async (clock) => indexedDbStore({ name: `checklist-${(made += 1)}`, clock }),
  redis: (clock) =>
    redisStore({
      url: redis.url,
      prefix: `checklist:{${process.pid}-${(made += 1)}-${Math.random()}}:`,
      clock,
    }),
  http: async (clock) => {
    const server = createKeyValueServer();
    return httpStore({ url: 'http://kv.test', fetch: (request) => server.fetch(request), clock });
  },
};

async function check(
  environment: Environment,
  { store: name = 'memory', mistake = '' }: { store?: string; mistake?: string } = {},
): Promise<readonly CheckResult[]> {
  const clock = stoppedClock();
  const store = await stores[name]?.(clock.now);
  if (store === undefined) throw new Error(name);
  const mistakes = parseMistakes(mistake);
  const idle = { timeout: 5, interval: 1 };
  const gym: Gym = createGym({
    environments: environment,
    store,
    secret: 'test',
    clock: clock.now,
    mistakes,
    idle,
  });
  const results = await runChecklist({
    baseUrl: 'http://gym.test',
    transport: directTransport((request) => gym.fetch(request)),
    profile: environment.checklist,
    dropCookies: mistakes.drop_cookies ?? false,
    wait: async (ms) => {
      clock.advance(ms);
      await gym.sweep();
    },
  });
  await store.close();
  return results;
}

const statuses = (results: readonly CheckResult[]): Record<string, CheckStatus> =>
  Object.fromEntries(results.map(({ id, status }) => [id, status]));

const PASSES = {
  isolation: 'pass',
  persistence: 'pass',
  'missing-state': 'pass',
  verification: 'pass',
  cleanup: 'pass',
} as const;
const STATELESS = {
  isolation: 'not-applicable',
  persistence: 'not-applicable',
  'missing-state': 'pass',
  verification: 'not-applicable',
  cleanup: 'not-applicable',
} as const;

describe.each(Object.keys(stores))('with the %s store', (store) => {
  it.each(environments.map((environment) => [environment.name, environment] as const))(
    '%s passes',
    async (_name, environment) => {
      const results = await check(environment, { store });
      expect(statuses(results), JSON.stringify(results.map(({ detail }) => detail))).toEqual(
        environment.stateful ? PASSES : STATELESS,
      );
    },
  );
});

/** Exactly the checks that each mistake breaks. */
const BREAKS: Record<string, readonly string[]> = {
  global_state: ['isolation', 'verification'],
  assume_state: ['missing-state'],
  seed_setdefault: ['persistence'],
  drop_cookies: ['persistence', 'verification', 'cleanup'],
  lost_update: ['persistence'],
  'slow=1': [],
  'flaky=1': ['isolation', 'persistence', 'missing-state', 'verification', 'cleanup'],
};

describe.each(
  environments
    .filter(({ stateful }) => stateful)
    .map((environment) => [environment.name, environment] as const),
)('mistakes on %s', (_name, environment) => {
  it.each(Object.entries(BREAKS))('%s breaks %j', async (mistake, broken) => {
    const results = await check(environment, { mistake });
    const failed = results.filter(({ status }) => status === 'fail').map(({ id }) => id);
    // Without an answer from /metrics nobody knows the idle time.
    expect(failed, JSON.stringify(results.map(({ id, detail }) => [id, detail]))).toEqual(broken);
  });
});

it('proves each check with its exchanges', async () => {
  const results = await check(statefulCounter, { mistake: 'global_state' });
  const isolation = results.find(({ id }) => id === 'isolation');
  expect(isolation?.detail).toBe('One session wrote, and another saw it: 100 became 102.');
  expect(isolation?.exchanges.map(({ request, response }) => [request.path, response.status])).toEqual([
    ['/seed_session', 200],
    ['/seed_session', 200],
    ['/get_counter_value', 200],
    ['/get_counter_value', 200],
    ['/increment_counter', 200],
    ['/get_counter_value', 200],
  ]);
  for (const exchange of isolation?.exchanges ?? []) {
    expect('headers' in exchange.response && exchange.response.headers).toContainEqual([
      'x-rollscope-mistake',
      'global_state',
    ]);
  }
});

it('says why cleanup cannot be seen where the timeouts are long, and finds a server that keeps everything', async () => {
  const profile = statefulCounter.checklist;
  if (!profile.stateful) throw new Error('The counter is stateful.');
  const run = (gym: Gym, idle?: { timeout: number; interval: number }) =>
    runChecklist({
      baseUrl: 'http://gym.test',
      transport: directTransport((request) => gym.fetch(request)),
      profile: { ...profile, ...(idle === undefined ? {} : { idle }) },
      wait: async () => undefined,
    });
  const slow = (await run(createGym({ environments: statefulCounter }))).find(({ id }) => id === 'cleanup');
  expect(slow).toMatchObject({ status: 'not-applicable', detail: expect.stringContaining('1800 s') });
  const never = (await run(createGym({ environments: statefulCounter }), { timeout: 1, interval: 1 })).find(
    ({ id }) => id === 'cleanup',
  );
  expect(never).toMatchObject({
    status: 'fail',
    detail: 'After 3 s without a request the state was still there.',
  });
});

it('reports a server that is not there', async () => {
  const results = await runChecklist({
    baseUrl: 'http://127.0.0.1:9',
    transport: directTransport((request) => fetch(request)),
    profile: statefulCounter.checklist,
  });
  expect(results[0]).toMatchObject({ status: 'fail', detail: expect.stringContaining('did not answer') });
});
