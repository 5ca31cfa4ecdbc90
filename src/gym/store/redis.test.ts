import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeConformance } from './conformance.fixtures';
import { redisStore } from './redis';
import { freePort, startRedis, type TestRedis } from './redis.fixtures';

let redis: TestRedis;
let stores = 0;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

storeConformance('redis', async (clock) => {
  stores += 1;
  // A prefix of its own, so that a Redis that is in use elsewhere stays as it is.
  const prefix = `rollscope-test:{${process.pid}-${stores}-${Math.random()}}:`;
  const open = () => redisStore({ url: redis.url, prefix, clock });
  return { store: await open(), reopen: open };
});

it('loads its scripts again after the server forgot them', async () => {
  const store = await redisStore({ url: redis.url, prefix: `rollscope-test:{flush-${process.pid}}:` });
  await store.set('a', 1);
  const { createClient } = await import('redis');
  const admin = createClient({ url: redis.url });
  await admin.connect();
  await admin.scriptFlush();
  await admin.close();
  expect(await store.update('a', (value) => Number(value) + 1)).toMatchObject({ value: 2 });
  await store.delete('a');
  await store.close();
});

it('says where it looked, without the password, when there is no Redis', async () => {
  const url = `redis://user:hunter2@127.0.0.1:${await freePort()}`;
  const error = await redisStore({ url }).then(
    () => undefined,
    (reason: unknown) => String(reason),
  );
  expect(error).toMatch(/No Redis at redis:\/\/\*\*\*@127/);
  expect(error).not.toContain('hunter2');
});
