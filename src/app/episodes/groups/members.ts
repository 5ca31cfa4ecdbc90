import { useState, useSyncExternalStore } from 'react';
import { ingest } from '../../data/ingest';
import { rowWindows, type RowWindows } from '../rowWindows';

/** The rollouts of the groups that are open, each group with windows of its own. */
export interface Members {
  of: (key: string) => RowWindows;
  /** Forgets the groups that are not open any more. */
  keepOnly: (keys: readonly string[]) => void;
}

interface Store extends Members {
  subscribe: (listener: () => void) => () => void;
  version: () => number;
}

function members(): Store {
  const all = new Map<string, RowWindows>();
  const listeners = new Set<() => void>();
  let version = 0;
  const tell = () => {
    version += 1;
    for (const listener of listeners) listener();
  };
  return {
    of(key) {
      const known = all.get(key);
      if (known !== undefined) return known;
      const windows = rowWindows((...asked) => ingest().rows(...asked));
      windows.subscribe(tell);
      all.set(key, windows);
      return windows;
    },
    keepOnly(keys) {
      for (const key of all.keys()) if (!keys.includes(key)) all.delete(key);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
  };
}

/** Draws again when rollouts have come. */
export function useMembers(): Members {
  const [store] = useState(members);
  useSyncExternalStore(store.subscribe, store.version);
  return store;
}
