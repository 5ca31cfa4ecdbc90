/** How long a store takes for what a tool call does: load, modify, save. */
import { indexedDbStore, memoryStore, type Store } from '../../gym';
import type { TabStoreKind } from './server';

/** Clocks of browsers are coarse: many updates are timed as one, more of those that are quick. */
const ROUNDS: Record<TabStoreKind, number> = { memory: 5000, indexeddb: 60 };

const add = (value: unknown): number => (typeof value === 'number' ? value + 1 : 1);

/** Milliseconds per update. */
export async function latencyOf(kind: TabStoreKind): Promise<number> {
  const store: Store = kind === 'memory' ? memoryStore() : indexedDbStore({ name: 'rollscope-gym-latency' });
  // The first opens the database.
  for (let n = 0; n < 3; n++) await store.update('latency', add);
  const started = performance.now();
  for (let n = 0; n < ROUNDS[kind]; n++) await store.update('latency', add);
  const ms = (performance.now() - started) / ROUNDS[kind];
  await store.delete('latency');
  return ms;
}
