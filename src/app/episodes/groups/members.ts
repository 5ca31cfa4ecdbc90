import { useState, useSyncExternalStore } from 'react';
import { ingest } from '../../data/ingest';
import { rowWindows, type RowWindows } from '../rowWindows';
import { groupId, type GroupName } from './flat';

/** The rollouts of the groups that are open, each group with windows of its own. */
export interface Members {
  of: (group: GroupName) => RowWindows;
  /** Forgets the groups that are not open any more. */
  keepOnly: (ids: ReadonlySet<string>) => void;
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
    of(group) {
      const id = groupId(group);
      const known = all.get(id);
      if (known !== undefined) return known;
      const windows = rowWindows((...asked) => ingest().rows(...asked));
      windows.subscribe(tell);
      all.set(id, windows);
      return windows;
    },
    keepOnly(ids) {
      for (const id of all.keys()) if (!ids.has(id)) all.delete(id);
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
