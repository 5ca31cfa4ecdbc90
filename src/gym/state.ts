/** Session state of one environment: the rules of loading and saving it, and the mistakes one can make there. */
import type { Environment, ToolOutcome } from './environment';
import type { Json } from './json';
import type { Mistakes } from './mistakes';
import type { Clock, Store, StoreEntry } from './store/store';

export interface StateOptions {
  readonly environment: Environment;
  readonly store: Store;
  readonly mistakes: Mistakes;
  readonly clock: Clock;
  readonly delay: (ms: number) => Promise<void>;
  readonly idle: { readonly timeout: number; readonly interval: number };
}

export interface SessionStates {
  /** Assigns: a second seed replaces what was there. */
  seed(id: string, state: Json): Promise<void>;
  read<T>(id: string, look: (stored: Json | undefined) => T): Promise<T>;
  /** Load, modify, save, as one step. `run` may be called again. */
  change(id: string, run: (stored: Json | undefined) => ToolOutcome<Json>): Promise<Json>;
  peek(id: string): Promise<Json | undefined>;
  /** Puts a state there by hand; undefined takes it away. */
  put(id: string, state: Json | undefined): Promise<void>;
  list(): Promise<readonly StoreEntry[]>;
  count(): Promise<number>;
  /** Keeps the session from being removed until the work is done. */
  during<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Removes idle sessions, but none with a request under way. */
  sweep(): Promise<readonly string[]>;
  /** Tells other processes that sessions with a request under way are in use. */
  keepAlive(): Promise<void>;
}

export function createStates({
  environment,
  store,
  mistakes,
  clock,
  delay,
  idle,
}: StateOptions): SessionStates {
  const prefix = `${environment.name}/`;
  const keyOf = (id: string): string => prefix + (mistakes.global_state === true ? '(every session)' : id);
  const underWay = new Map<string, number>();
  const touched = new Map<string, number>();
  const idleMs = idle.timeout * 1000;

  const checked = (id: string, stored: Json | undefined): Json | undefined => {
    if (stored === undefined && mistakes.assume_state === true)
      throw new Error(`KeyError: '${id}' has no state.`);
    return stored;
  };
  /** A read is a sign of life too, but one in a while is enough. */
  const touch = async (key: string): Promise<void> => {
    const now = clock();
    if (now - (touched.get(key) ?? -Infinity) < idleMs / 4) return;
    if (touched.size > 10_000) touched.clear();
    touched.set(key, now);
    await store.touch(key);
  };

  return {
    seed: async (id, state) => {
      if (mistakes.seed_setdefault === true)
        await store.update(keyOf(id), (stored) => (stored === undefined ? state : undefined));
      else await store.set(keyOf(id), state);
    },
    read: async (id, look) => {
      const key = keyOf(id);
      const [stored] = await Promise.all([store.get(key), touch(key)]);
      return look(checked(id, stored?.value));
    },
    change: async (id, run) => {
      const key = keyOf(id);
      if (mistakes.lost_update === true) {
        const { state, result } = run(checked(id, (await store.get(key))?.value));
        await delay(5);
        if (state !== undefined) await store.set(key, state);
        return result;
      }
      let outcome: ToolOutcome<Json> = { result: null };
      await store.update(key, (stored) => {
        outcome = run(checked(id, stored));
        return outcome.state;
      });
      return outcome.result;
    },
    peek: async (id) => (await store.get(keyOf(id)))?.value,
    put: async (id, state) => {
      if (state === undefined) await store.delete(keyOf(id));
      else await store.set(keyOf(id), state);
    },
    list: async () =>
      (await store.list(prefix)).map((entry) => ({ ...entry, id: entry.id.slice(prefix.length) })),
    count: () => store.count(prefix),
    during: async (id, work) => {
      const key = keyOf(id);
      underWay.set(key, (underWay.get(key) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (underWay.get(key) ?? 1) - 1;
        if (left > 0) underWay.set(key, left);
        else underWay.delete(key);
      }
    },
    sweep: async () => {
      const before = clock() - idleMs;
      const gone = await store.expire({ before, prefix, except: new Set(underWay.keys()) });
      for (const key of gone) touched.delete(key);
      return gone.map((key) => key.slice(prefix.length));
    },
    keepAlive: async () => {
      await Promise.all([...underWay.keys()].map((key) => store.touch(key)));
    },
  };
}
