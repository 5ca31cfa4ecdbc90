/** The store that an address names. A Node-only module, because of Redis. */
import { httpStore } from './http';
import { memoryStore } from './memory';
import { redisStore } from './redis';
import type { Clock, Store } from './store';

export async function openStore(
  where: string,
  { clock, log = () => undefined }: { readonly clock?: Clock; readonly log?: (line: string) => void } = {},
): Promise<Store> {
  const timed = clock === undefined ? {} : { clock };
  if (where === 'memory') return memoryStore(timed);
  if (/^rediss?:\/\//.test(where)) {
    return redisStore({ url: where, ...timed, onError: (error) => log(`Redis: ${error.message}`) });
  }
  if (/^https?:\/\//.test(where)) return httpStore({ url: where, ...timed });
  throw new Error(`There is no store '${where}'. There are: memory, redis://..., http://...`);
}
