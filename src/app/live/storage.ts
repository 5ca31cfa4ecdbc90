/** Where the logs of runs are kept over a reload. */
import { createStore, del, get, keys, set, type UseStore } from 'idb-keyval';
import type { KeyValueStore } from '../../live';

let opened: UseStore | undefined;
function store(): UseStore {
  opened ??= createStore('rollscope-runs', 'events');
  return opened;
}

export const runStore: KeyValueStore = {
  get: (key) => get(key, store()),
  set: (key, value) => set(key, value, store()),
  delete: (key) => del(key, store()),
  keys: async (prefix) => {
    const all = await keys(store());
    return all.filter((key): key is string => typeof key === 'string' && key.startsWith(prefix)).sort();
  },
};
