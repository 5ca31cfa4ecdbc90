import { GrowingSpool, type Spool } from './spool';

/**
 * Spools in the browser's private file system. Every worker has a folder of its own and holds a lock of its name as
 * long as it lives; folders nobody holds are leftovers of closed tabs, and are removed at the next start.
 */

const rootName = 'rollscope-unpacked';

let ownFolder: Promise<FileSystemDirectoryHandle | undefined> | undefined;

export function browserSpool(): Spool {
  return new GrowingSpool(openFile);
}

async function openFile(): Promise<Spool | undefined> {
  try {
    ownFolder ??= makeFolder();
    const folder = await ownFolder;
    if (folder === undefined) return undefined;
    const name = crypto.randomUUID();
    const file = await folder.getFileHandle(name, { create: true });
    return new FileSpool(await file.createSyncAccessHandle(), () => folder.removeEntry(name));
  } catch {
    // Private windows and insecure contexts have no such file system: memory has to do.
    return undefined;
  }
}

async function makeFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  if (typeof navigator === 'undefined' || navigator.storage?.getDirectory === undefined) return undefined;
  const storage = await navigator.storage.getDirectory();
  const root = await storage.getDirectoryHandle(rootName, { create: true });
  const name = crypto.randomUUID();
  await holdForever(name);
  await removeLeftovers(root);
  return root.getDirectoryHandle(name, { create: true });
}

function holdForever(name: string): Promise<void> {
  return new Promise((held, refused) => {
    navigator.locks
      .request(`${rootName}/${name}`, () => {
        held();
        // Until the worker is gone.
        return new Promise<never>(() => undefined);
      })
      .catch(refused);
  });
}

async function removeLeftovers(root: FileSystemDirectoryHandle): Promise<void> {
  for await (const name of root.keys()) {
    await navigator.locks.request(`${rootName}/${name}`, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await root.removeEntry(name, { recursive: true }).catch(() => undefined);
    });
  }
}

class FileSpool implements Spool {
  readonly where = 'disk';
  length = 0;
  private readonly handle: FileSystemSyncAccessHandle;
  private readonly remove: () => Promise<void>;

  constructor(handle: FileSystemSyncAccessHandle, remove: () => Promise<void>) {
    this.handle = handle;
    this.remove = remove;
  }

  append(chunk: Uint8Array): void {
    const written = this.handle.write(chunk, { at: this.length });
    if (written !== chunk.length) throw new Error('The disk is full');
    this.length += chunk.length;
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, this.length) - start));
    return bytes.subarray(0, this.handle.read(bytes, { at: start }));
  }

  async dispose(): Promise<void> {
    this.handle.close();
    await this.remove();
  }
}
