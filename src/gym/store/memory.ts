import { deepFreeze, type Json } from '../json';
import type { Clock, Store, StoreEntry } from './store';

interface Cell {
  value: Json;
  version: number;
  readonly createdAt: number;
  touchedAt: number;
}

/** Everything in a Map. Values are frozen rather than copied: whoever changes one in place finds out at once. */
export function memoryStore({ clock = Date.now }: { clock?: Clock } = {}): Store {
  const cells = new Map<string, Cell>();

  const write = (id: string, value: Json): Cell => {
    const now = clock();
    const old = cells.get(id);
    const cell = {
      value: deepFreeze(value),
      version: (old?.version ?? 0) + 1,
      createdAt: old?.createdAt ?? now,
      touchedAt: now,
    };
    cells.set(id, cell);
    return cell;
  };
  const ids = (prefix: string): string[] => [...cells.keys()].filter((id) => id.startsWith(prefix));

  return {
    kind: 'memory',
    get: async (id) => cells.get(id),
    set: async (id, value) => write(id, value),
    update: async (id, change) => {
      const old = cells.get(id);
      const value = change(old?.value);
      return value === undefined ? old : write(id, value);
    },
    delete: async (id) => cells.delete(id),
    list: async (prefix = '') =>
      ids(prefix)
        .sort()
        .flatMap((id): StoreEntry[] => {
          const cell = cells.get(id);
          return cell === undefined
            ? []
            : [{ id, version: cell.version, createdAt: cell.createdAt, touchedAt: cell.touchedAt }];
        }),
    count: async (prefix = '') => (prefix === '' ? cells.size : ids(prefix).length),
    touch: async (id) => {
      const cell = cells.get(id);
      if (cell !== undefined) cell.touchedAt = clock();
      return cell !== undefined;
    },
    expire: async ({ before, prefix = '', except }) => {
      const idle = ids(prefix).filter(
        (id) => (cells.get(id)?.touchedAt ?? before) < before && except?.has(id) !== true,
      );
      for (const id of idle) cells.delete(id);
      return idle.sort();
    },
    close: async () => undefined,
  };
}
