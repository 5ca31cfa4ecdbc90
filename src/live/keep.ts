/** Logs of runs kept beyond a reload, event by event, in whatever store is given. */
import type { LoopEvent } from '../agent';

/** The page gives IndexedDB, tests a map. Values are plain JSON. */
export interface KeyValueStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** In the order of the keys, as `entries`. */
  keys(prefix: string): Promise<readonly string[]>;
  entries(prefix: string): Promise<readonly (readonly [string, unknown])[]>;
}

/** What is needed to set the run up again, beside its log; the page decides what that is. Never a key of an endpoint. */
export type RunDescription = { readonly [key: string]: unknown };

export interface KeptRun {
  readonly id: string;
  readonly description: RunDescription;
  readonly log: LoopEvent[];
}

export interface LogKeeper {
  /** For `onEvent` of a run. Writes in order, one after the other. */
  keep(event: LoopEvent, index: number): void;
  /** Resolves when all is written that was given so far; rejects where something could not be. */
  settled(): Promise<void>;
}

/**
 * Keeps the log of a run as it grows: each event is written once. Where a run is begun anew, or something is taken back, what
 * stood behind is removed only after all that was given has been written: a page that closes in between loses no step.
 */
export function saveLog(
  store: KeyValueStore,
  id: string,
  description: RunDescription,
  onError: (error: unknown) => void = () => undefined,
): LogKeeper {
  let failure: { error: unknown } | undefined;
  let waiting = 0;
  /** How many events may be in the store. */
  let length: number | undefined;
  const failed = (error: unknown): void => {
    failure ??= { error };
    onError(error);
  };
  let queue: Promise<void> = store.set(headKey(id), description).catch(failed);
  const write = async (event: LoopEvent, index: number): Promise<void> => {
    length ??= (await store.keys(eventPrefix(id))).length;
    await store.set(eventKey(id, index), event);
    length = Math.max(length, index + 1);
    if (waiting > 1 || length === index + 1) return;
    await cutFrom(store, id, index + 1);
    length = index + 1;
  };
  return {
    keep: (event, index) => {
      waiting += 1;
      queue = queue
        .then(() => write(event, index))
        .catch(failed)
        .finally(() => {
          waiting -= 1;
        });
    },
    settled: async () => {
      await queue;
      if (failure !== undefined) throw failure.error;
    },
  };
}

/** A kept run; undefined where there is none. Ends before the first event that is missing. */
export async function loadLog(store: KeyValueStore, id: string): Promise<KeptRun | undefined> {
  const description = await store.get(headKey(id));
  if (typeof description !== 'object' || description === null) return undefined;
  const log: LoopEvent[] = [];
  for (const [key, event] of await store.entries(eventPrefix(id))) {
    if (key !== eventKey(id, log.length) || !isEvent(event)) break;
    log.push(event);
  }
  return { id, description: { ...description }, log };
}

/** The ids of all kept runs. */
export async function keptRuns(store: KeyValueStore): Promise<string[]> {
  const heads = await store.keys('run/');
  return heads.flatMap((key) => (key.endsWith('/head') ? [decodeURIComponent(key.slice(4, -5))] : []));
}

export async function forgetLog(store: KeyValueStore, id: string): Promise<void> {
  await store.delete(headKey(id));
  await cutFrom(store, id, 0);
}

async function cutFrom(store: KeyValueStore, id: string, index: number): Promise<void> {
  const first = eventKey(id, index);
  for (const key of await store.keys(eventPrefix(id))) if (key >= first) await store.delete(key);
}

/** Written by `saveLog` and by nobody else: its type is enough to know it by. */
function isEvent(value: unknown): value is LoopEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

const headKey = (id: string): string => `run/${encodeURIComponent(id)}/head`;
const eventPrefix = (id: string): string => `run/${encodeURIComponent(id)}/event/`;
/** So that the order of keys is the order of events. */
const eventKey = (id: string, index: number): string => eventPrefix(id) + String(index).padStart(9, '0');
