/**
 * Sessions in an external key-value service: `GET`, `PUT`, `DELETE /{key}` with `ETag`, `If-Match` and `If-None-Match`, and nothing more.
 * A service without listing is enough: the ids stand in index entries of their own, spread over shards so that new sessions do not
 * all wait for one entry.
 */
import { isObject, parseJson, type Json } from '../json';
import { createQueue, StoreError, type Clock, type Store, type StoreEntry } from './store';

interface Envelope {
  readonly value: Json;
  readonly version: number;
  readonly createdAt: number;
  readonly touchedAt: number;
}

interface Found {
  readonly envelope: Envelope;
  readonly etag: string;
}

const SHARDS = 16;

export interface HttpStoreOptions {
  readonly url: string;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
}

export function httpStore({
  url,
  fetch: send = (request) => fetch(request),
  clock = Date.now,
  timeoutMs = 10_000,
}: HttpStoreOptions): Store {
  const base = url.endsWith('/') ? url : `${url}/`;
  const queue = createQueue();

  const call = async (key: string, init: RequestInit): Promise<Response> => {
    const request = new Request(`${base}${encodeURIComponent(key)}`, {
      ...init,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const response = await send(request).catch((error: unknown) => {
      throw new StoreError(`The key-value service does not answer: ${String(error)}`);
    });
    if (response.status >= 500 || response.status === 401 || response.status === 403) {
      throw new StoreError(`The key-value service answered ${response.status}.`);
    }
    return response;
  };
  const read = async (key: string): Promise<{ body: Json | undefined; etag: string } | undefined> => {
    const response = await call(key, { method: 'GET' });
    const text = await response.text();
    if (response.status === 404) return undefined;
    const etag = response.headers.get('etag');
    if (!response.ok || etag === null)
      throw new StoreError('The key-value service gave no ETag: updates could be lost.');
    return { body: parseJson(text), etag };
  };
  /** False where the entry changed since `etag` was read (`undefined`: since it was found missing). */
  const write = async (key: string, body: Json, etag: string | undefined): Promise<boolean> => {
    const condition = etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag };
    const response = await call(key, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...condition },
      body: JSON.stringify(body),
    });
    if (response.status === 412) return false;
    if (!response.ok) throw new StoreError(`The key-value service answered ${response.status} to a write.`);
    return true;
  };
  const remove = async (key: string, etag: string): Promise<boolean> =>
    (await call(key, { method: 'DELETE', headers: { 'if-match': etag } })).ok;

  const load = async (id: string): Promise<Found | undefined> => {
    const found = await read(entryKey(id));
    if (found === undefined) return undefined;
    if (!isEnvelope(found.body))
      throw new StoreError(`The key-value service holds something else under ${id}.`);
    return { envelope: found.body, etag: found.etag };
  };

  /** Reads, decides and writes until nobody came between. */
  const change = (
    id: string,
    decide: (old: Envelope | undefined) => Envelope | undefined,
  ): Promise<Envelope | undefined> =>
    queue(id, async () => {
      for (let indexed = false; ;) {
        const old = await load(id);
        const next = decide(old?.envelope);
        if (next === undefined) return old?.envelope;
        // The index first: an id without an entry is passed over, an entry without its id would never be found.
        if (old === undefined && !indexed) {
          await setIndexed(id, true);
          indexed = true;
        }
        if (await write(entryKey(id), { ...next }, old?.etag)) return next;
      }
    });

  const shardIds = async (shard: number): Promise<{ ids: string[]; etag: string | undefined }> => {
    const found = await read(indexKey(shard));
    return {
      ids: Array.isArray(found?.body) ? found.body.filter((id) => typeof id === 'string') : [],
      etag: found?.etag,
    };
  };
  const setIndexed = (id: string, present: boolean): Promise<void> => {
    const shard = shardOf(id);
    return queue(indexKey(shard), async () => {
      for (;;) {
        const { ids, etag } = await shardIds(shard);
        if (ids.includes(id) === present) return;
        const next = present ? [...ids, id] : ids.filter((other) => other !== id);
        if (await write(indexKey(shard), next, etag)) return;
      }
    });
  };
  const ids = async (prefix: string): Promise<string[]> => {
    const shards = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => shardIds(shard)));
    return shards
      .flatMap((shard) => shard.ids)
      .filter((id) => id.startsWith(prefix))
      .sort();
  };
  const removeWhere = async (id: string, condition: (old: Envelope) => boolean): Promise<boolean> =>
    queue(id, async () => {
      for (;;) {
        const old = await load(id);
        if (old === undefined || !condition(old.envelope)) return false;
        if (!(await remove(entryKey(id), old.etag))) continue;
        await setIndexed(id, false);
        // Somebody may have made it anew between the two.
        if ((await load(id)) !== undefined) await setIndexed(id, true);
        return true;
      }
    });

  const stamped = (old: Envelope | undefined, value: Json): Envelope => {
    const now = clock();
    return { value, version: (old?.version ?? 0) + 1, createdAt: old?.createdAt ?? now, touchedAt: now };
  };
  const list = async (prefix = ''): Promise<StoreEntry[]> => {
    const wanted = await ids(prefix);
    const rows = await Promise.all(wanted.map((id) => load(id)));
    return wanted.flatMap((id, index): StoreEntry[] => {
      const envelope = rows[index]?.envelope;
      if (envelope === undefined) return [];
      return [
        { id, version: envelope.version, createdAt: envelope.createdAt, touchedAt: envelope.touchedAt },
      ];
    });
  };

  return {
    kind: 'http',
    get: async (id) => (await load(id))?.envelope,
    set: async (id, value) => (await change(id, (old) => stamped(old, value))) ?? stamped(undefined, value),
    update: (id, decide) =>
      change(id, (old) => {
        const value = decide(old?.value);
        return value === undefined ? undefined : stamped(old, value);
      }),
    delete: (id) => removeWhere(id, () => true),
    list,
    count: async (prefix = '') => (await list(prefix)).length,
    touch: async (id) =>
      (await change(id, (old) => (old === undefined ? undefined : { ...old, touchedAt: clock() }))) !==
      undefined,
    expire: async ({ before, prefix = '', except }) => {
      const idle = (await list(prefix)).filter(
        ({ id, touchedAt }) => touchedAt < before && except?.has(id) !== true,
      );
      const gone = await Promise.all(idle.map(({ id }) => removeWhere(id, (old) => old.touchedAt < before)));
      return idle.filter((_, index) => gone[index] === true).map(({ id }) => id);
    },
    close: async () => undefined,
  };
}

function entryKey(id: string): string {
  return `session:${id}`;
}

function indexKey(shard: number): string {
  return `index:${shard}`;
}

function shardOf(id: string): number {
  let hash = 0;
  for (let index = 0; index < id.length; index++) hash = (Math.imul(hash, 31) + id.charCodeAt(index)) >>> 0;
  return hash % SHARDS;
}

function isEnvelope(body: unknown): body is Envelope {
  return (
    isObject(body) &&
    Object.hasOwn(body, 'value') &&
    typeof body['version'] === 'number' &&
    typeof body['createdAt'] === 'number' &&
    typeof body['touchedAt'] === 'number'
  );
}
