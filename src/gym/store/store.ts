/** Where session state lives. Every store passes the one suite in `conformance.fixtures.ts`. */
import type { Json } from '../json';

export type StoreKind = 'memory' | 'indexeddb' | 'redis' | 'http';

export interface Stored {
  readonly value: Json;
  /** Counts the writes, from 1. */
  readonly version: number;
}

export interface StoreEntry {
  readonly id: string;
  readonly version: number;
  readonly createdAt: number;
  /** Of the last write or touch, in milliseconds since the epoch. */
  readonly touchedAt: number;
}

export interface ExpireOptions {
  /** Entries last touched before this time go. */
  readonly before: number;
  readonly prefix?: string;
  /** Ids with a request under way, which stay. */
  readonly except?: ReadonlySet<string>;
}

export interface Store {
  readonly kind: StoreKind;
  get(id: string): Promise<Stored | undefined>;
  set(id: string, value: Json): Promise<Stored>;
  /**
   * Load, modify, save as one step: two updates of one id never lose each other. `change` is synchronous and pure, because it may
   * run again; `undefined` from it leaves the entry as it is, an exception from it rejects and leaves the entry as it is.
   */
  update(id: string, change: (value: Json | undefined) => Json | undefined): Promise<Stored | undefined>;
  delete(id: string): Promise<boolean>;
  /** Entries without their values, in the order of their ids. */
  list(prefix?: string): Promise<readonly StoreEntry[]>;
  count(prefix?: string): Promise<number>;
  /** False where there is no such entry. */
  touch(id: string): Promise<boolean>;
  /** Removes what has been idle, and says which. Nothing else removes: a slow request never loses its session to a read. */
  expire(options: ExpireOptions): Promise<readonly string[]>;
  close(): Promise<void>;
}

export type Clock = () => number;

/** What the table of stores says of each, for the page. */
export const STORE_TRAITS: Readonly<
  Record<
    StoreKind,
    { where: string; survivesRestart: string; severalInstances: string; speed: string; complexity: string }
  >
> = {
  memory: {
    where: 'anywhere',
    survivesRestart: 'no',
    severalInstances: 'no',
    speed: 'highest',
    complexity: 'simple',
  },
  indexeddb: {
    where: 'browser',
    survivesRestart: 'yes',
    severalInstances: 'across tabs',
    speed: 'medium',
    complexity: 'simple',
  },
  redis: {
    where: 'Node',
    survivesRestart: 'yes',
    severalInstances: 'yes',
    speed: 'high',
    complexity: 'medium',
  },
  http: {
    where: 'any',
    survivesRestart: 'as the service',
    severalInstances: 'yes',
    speed: 'varies',
    complexity: 'high',
  },
};

/** The store did not answer as it should; the request fails with 503 and nothing has changed. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Runs the tasks of one key one after the other: rivals in the same process would only make each other try again. */
export function createQueue(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = tails.get(key) ?? Promise.resolve();
    const run = before.then(task, task);
    const tail = run.catch(() => undefined);
    tails.set(key, tail);
    try {
      return await run;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
