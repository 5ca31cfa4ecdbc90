import { clear, createStore, del, entries, get, set, type UseStore } from 'idb-keyval';
import type { SourceId } from '../../ingest/protocol';
import { mayRead } from './file-access';

/** A source that was open before in this browser. */
export interface Recent {
  id: SourceId;
  name: string;
  size: number;
  openedAt: number;
}

/** How to have a source again: its bytes, the file on disk, or where it came from. */
export interface Way {
  data?: Blob;
  handle?: FileSystemFileHandle;
  url?: string;
}

interface Kept extends Recent, Way {}

/** Larger files are not copied: they open again through their handle, or by being dropped again. */
const KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_SOURCES = 12;

let opened: UseStore | undefined;
function store(): UseStore {
  opened ??= createStore('rollscope', 'recents');
  return opened;
}

/** Everything below is a convenience: where the browser refuses storage, nothing is remembered. */
export async function remember(id: SourceId, name: string, size: number, way: Way): Promise<void> {
  try {
    const { data, ...rest } = way;
    const kept: Kept = { id, name, size, openedAt: Date.now(), ...rest };
    await set(id, data !== undefined && size <= KEPT_BYTES ? { ...kept, data } : kept, store());
    for (const { id: old } of (await newestFirst()).slice(KEPT_SOURCES)) await del(old, store());
  } catch {
    // A private window or a full disk.
  }
}

/** The newest first, files with the size they have now, as far as they may be read. */
export async function recents(): Promise<Recent[]> {
  try {
    const kept = await newestFirst();
    return await Promise.all(
      kept.map(async ({ id, name, size, openedAt, handle }) => {
        const now = handle === undefined ? undefined : await sizeOf(handle);
        return { id, name, size: now ?? size, openedAt };
      }),
    );
  } catch {
    return [];
  }
}

async function newestFirst(): Promise<Kept[]> {
  const all = await entries<SourceId, Kept>(store());
  return all.map(([, kept]) => kept).sort((a, b) => b.openedAt - a.openedAt);
}

async function sizeOf(handle: FileSystemFileHandle): Promise<number | undefined> {
  try {
    return (await mayRead(handle, false)) ? (await handle.getFile()).size : undefined;
  } catch {
    // It was moved away.
    return undefined;
  }
}

export async function recall(id: SourceId): Promise<({ name: string } & Way) | undefined> {
  try {
    return await get<Kept>(id, store());
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
