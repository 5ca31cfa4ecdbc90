/** Where the logs of runs are kept over a reload. */
import { createStore, del, get, promisifyRequest, set, type UseStore } from 'idb-keyval';
import type { KeyValueStore } from '../../live';

let opened: UseStore | undefined;
function store(): UseStore {
  opened ??= createStore('rollscope-runs', 'events');
  return opened;
}

const rangeOf = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);
const isText = (key: IDBValidKey) => typeof key === 'string';

async function below(prefix: string): Promise<(readonly [string, unknown])[]> {
  const range = rangeOf(prefix);
  const [keys, values] = await store()('readonly', (events) =>
    Promise.all([
      promisifyRequest(events.getAllKeys(range)),
      promisifyRequest<unknown[]>(events.getAll(range)),
    ]),
  );
  return keys.flatMap((key, index) => (isText(key) ? [[key, values[index]] as const] : []));
}

/** Each is a promise also where the browser refuses with an exception: storage that is blocked altogether. */
export const runStore: KeyValueStore = {
  get: async (key) => get(key, store()),
  set: async (key, value) => set(key, value, store()),
  delete: async (key) => del(key, store()),
  keys: async (prefix) =>
    (await store()('readonly', (events) => promisifyRequest(events.getAllKeys(rangeOf(prefix))))).filter(
      isText,
    ),
  entries: below,
};
