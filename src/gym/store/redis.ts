import { errorText } from '../error-text';
/** Sessions in Redis, for several Node processes. A Node-only module: the page never imports it. */
import { createClient } from 'redis';
import { parse, type Json } from '../json';
import { createQueue, StoreError, type Clock, type Store, type Stored, type StoreEntry } from './store';

/**
 * A session is a hash `{value, version, created}`; one sorted set holds when each was touched, which makes listing and expiry one
 * range query. Each script is atomic on the server.
 */
const SAVE = `
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if ARGV[1] ~= '' and version ~= tonumber(ARGV[1]) then return -1 end
redis.call('HSET', KEYS[1], 'value', ARGV[2], 'version', version + 1)
redis.call('HSETNX', KEYS[1], 'created', ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4])
return version + 1`;

const TOUCH = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('ZADD', KEYS[2], ARGV[1], ARGV[2])
return 1`;

const REMOVE = `
local touched = redis.call('ZSCORE', KEYS[2], ARGV[2])
if ARGV[1] ~= '' and touched and tonumber(touched) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZREM', KEYS[2], ARGV[2])
return redis.call('DEL', KEYS[1])`;

export interface RedisStoreOptions {
  readonly url: string;
  /** The braces keep all keys in one slot of a Redis cluster. */
  readonly prefix?: string;
  readonly clock?: Clock;
  readonly onError?: (error: Error) => void;
}

export async function redisStore({
  url,
  prefix = 'rollscope:{gym}:',
  clock = Date.now,
  onError = () => undefined,
}: RedisStoreOptions): Promise<Store> {
  let connected = false;
  const client = createClient({
    url,
    // A wrong address fails at once; a Redis that was there and went is waited for, while requests get 503.
    socket: {
      connectTimeout: 5000,
      reconnectStrategy: (tries) => (connected ? Math.min(tries * 50, 1000) : false),
    },
    disableOfflineQueue: true,
  });
  client.on('error', onError);
  await client.connect().catch((error: unknown) => {
    if (client.isOpen) client.destroy();
    throw new StoreError(`No Redis at ${redactUrl(url)}: ${String(error)}`);
  });
  connected = true;
  const run = createScripts(client);
  const queue = createQueue();
  const keyOf = (id: string): string => `${prefix}session:${id}`;
  const touchedKey = `${prefix}touched`;

  /** Gives the new version, or -1 where somebody else was faster. */
  const save = async (id: string, value: Json, expected: string): Promise<number> =>
    run(SAVE, [keyOf(id), touchedKey], [expected, JSON.stringify(value), String(clock()), id]);
  const load = async (id: string): Promise<Stored | undefined> => {
    const [text, version] = await answered(client.hmGet(keyOf(id), ['value', 'version']));
    return typeof text === 'string' ? { value: parse(text), version: Number(version) } : undefined;
  };
  const ids = async (wanted: string): Promise<{ id: string; touchedAt: number }[]> => {
    const all = await answered(client.zRangeWithScores(touchedKey, 0, -1));
    return all
      .filter(({ value }) => value.startsWith(wanted))
      .map(({ value, score }) => ({ id: value, touchedAt: score }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  };

  return {
    kind: 'redis',
    get: load,
    set: async (id, value) => ({ value, version: await save(id, value, '') }),
    update: (id, change) =>
      queue(id, async () => {
        for (;;) {
          const old = await load(id);
          const value = change(old?.value);
          if (value === undefined) return old;
          const version = await save(id, value, String(old?.version ?? 0));
          if (version > 0) return { value, version };
        }
      }),
    delete: async (id) => (await run(REMOVE, [keyOf(id), touchedKey], ['', id])) > 0,
    list: async (wanted = '') => {
      const found = await ids(wanted);
      const rows = await answered(
        Promise.all(found.map(({ id }) => client.hmGet(keyOf(id), ['version', 'created']))),
      );
      return found.flatMap(({ id, touchedAt }, index): StoreEntry[] => {
        const [version, created] = rows[index] ?? [];
        return typeof version === 'string'
          ? [{ id, version: Number(version), createdAt: Number(created), touchedAt }]
          : [];
      });
    },
    count: async (wanted = '') =>
      wanted === '' ? answered(client.zCard(touchedKey)) : (await ids(wanted)).length,
    touch: async (id) => (await run(TOUCH, [keyOf(id), touchedKey], [String(clock()), id])) > 0,
    expire: async ({ before, prefix: wanted = '', except }) => {
      const idle = await answered(client.zRangeByScore(touchedKey, '-inf', `(${before}`));
      const gone: string[] = [];
      for (const id of idle.sort()) {
        if (!id.startsWith(wanted) || except?.has(id) === true) continue;
        // The script looks again: the session may have been touched meanwhile.
        if ((await run(REMOVE, [keyOf(id), touchedKey], [String(before), id])) > 0) gone.push(id);
      }
      return gone;
    },
    close: async () => {
      if (client.isOpen) await client.close();
    },
  };
}

interface Evaluates {
  scriptLoad(script: string): Promise<string>;
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** Runs a script by its digest, and loads it first where the server does not know it (a new server, or one that was restarted). */
function createScripts(
  client: Evaluates,
): (script: string, keys: string[], args: string[]) => Promise<number> {
  const digests = new Map<string, string>();
  const load = async (script: string): Promise<string> => {
    const digest = await client.scriptLoad(script);
    digests.set(script, digest);
    return digest;
  };
  return async (script, keys, args) => {
    const call = async (digest: string): Promise<number> =>
      Number(await client.evalSha(digest, { keys, arguments: args }));
    const digest = digests.get(script) ?? (await answered(load(script)));
    return answered(
      call(digest).catch(async (error: unknown) => {
        if (!String(error).includes('NOSCRIPT')) throw error;
        return call(await load(script));
      }),
    );
  };
}

async function answered<T>(reply: Promise<T>): Promise<T> {
  return reply.catch((error: unknown) => {
    throw new StoreError(`Redis: ${errorText(error)}`);
  });
}

function redactUrl(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//***@');
}
