import { clear, createStore, del, entries, get, set, type UseStore } from 'idb-keyval';
import type { SourceId } from '../../ingest/protocol';

/** A source that was open before in this browser. */
export interface Recent {
  id: SourceId;
  name: string;
  size: number;
  openedAt: number;
}

interface Kept extends Recent {
  /** The bytes, for sources small enough to be kept: they open again after a reload without being dropped. */
  data?: Blob;
}

const KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_SOURCES = 12;

let opened: UseStore | undefined;
function store(): UseStore {
  opened ??= createStore('rollscope', 'recents');
  return opened;
}

/** Everything below is a convenience: where the browser refuses storage, nothing is remembered. */
export async function remember(id: SourceId, name: string, data: Blob): Promise<void> {
  try {
    const kept: Kept = { id, name, size: data.size, openedAt: Date.now() };
    await set(id, data.size <= KEPT_BYTES ? { ...kept, data } : kept, store());
    for (const { id: old } of (await recents()).slice(KEPT_SOURCES)) await del(old, store());
  } catch {
    // A private window or a full disk.
  }
}

/** The newest first. */
export async function recents(): Promise<Recent[]> {
  try {
    const all = await entries<SourceId, Kept>(store());
    return all
      .map(([, { id, name, size, openedAt }]) => ({ id, name, size, openedAt }))
      .sort((a, b) => b.openedAt - a.openedAt);
  } catch {
    return [];
  }
}

export async function recall(id: SourceId): Promise<{ name: string; data: Blob } | undefined> {
  try {
    const kept = await get<Kept>(id, store());
    return kept?.data === undefined ? undefined : { name: kept.name, data: kept.data };
  } catch {
    return undefined;
  }
}

export async function forget(id?: SourceId): Promise<void> {
  try {
    await (id === undefined ? clear(store()) : del(id, store()));
  } catch {
    // Nothing was remembered.
  }
}
