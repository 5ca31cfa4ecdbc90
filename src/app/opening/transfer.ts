import { isDataFile } from '../../ingest/data-files';
import { isFileHandle, isFolderHandle } from './file-access';

/** A file to open. */
export interface NamedData {
  /** The file's name, or its path within the dropped folder. */
  name: string;
  data: Blob;
  /** To look at it again, where the browser gives one. */
  handle?: FileSystemFileHandle;
}

/** The files of a drop or paste, folders walked, each with its path within what was dropped. */
export async function filesOf(transfer: DataTransfer): Promise<NamedData[]> {
  // Both must be taken before the first await: the browser empties the transfer after the event.
  const items = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({
      entry: item.webkitGetAsEntry(),
      // Refused for what the browser keeps pages from, which can be read all the same.
      handle: item.getAsFileSystemHandle?.().catch(() => null) ?? Promise.resolve(null),
    }));
  const loose = items.length === 0 ? [...transfer.files] : [];
  const found = await Promise.all(
    items.map(async ({ entry, handle }) => {
      const kept = await handle;
      if (isFileHandle(kept)) return [await fileOf(kept, kept.name)];
      if (isFolderHandle(kept)) return filesInFolder(kept);
      return entry === null ? [] : walk(entry);
    }),
  );
  return [...loose.map((file) => ({ name: file.name, data: file })), ...found.flat()];
}

export async function fileOf(handle: FileSystemFileHandle, name: string): Promise<NamedData> {
  return { name, data: await handle.getFile(), handle };
}

/** The data files of a folder, through all its levels. */
export async function filesInFolder(
  folder: FileSystemDirectoryHandle,
  path = folder.name,
): Promise<NamedData[]> {
  const found: Promise<NamedData[]>[] = [];
  for await (const handle of folder.values()) {
    const inner = `${path}/${handle.name}`;
    if (isHidden(handle.name)) continue;
    if (isFolderHandle(handle)) found.push(filesInFolder(handle, inner));
    else if (isFileHandle(handle) && isDataFile(handle.name))
      found.push(fileOf(handle, inner).then((file) => [file]));
  }
  return (await Promise.all(found)).flat().sort(byName);
}

const byName = (a: NamedData, b: NamedData) => (a.name < b.name ? -1 : 1);

/** The same for browsers that give no handles. */
async function walk(entry: FileSystemEntry): Promise<NamedData[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => {
      entry.file(resolve, reject);
    });
    return [{ name: entry.fullPath.replace(/^\//, ''), data: file }];
  }
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const found: NamedData[] = [];
  // A reader gives at most a hundred entries at a time and ends with none.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (batch.length === 0) return found.sort(byName);
    const wanted = batch.filter(
      (inner) => !isHidden(inner.name) && (inner.isDirectory || isDataFile(inner.name)),
    );
    found.push(...(await Promise.all(wanted.map(walk))).flat());
  }
}

const isHidden = (name: string) => name.startsWith('.');
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** Files of an input; one that took a folder knows each file's path in it. */
export function filesOfInput(input: HTMLInputElement): NamedData[] {
  return [...(input.files ?? [])]
    .map((file) => ({ name: file.webkitRelativePath || file.name, data: file }))
    .filter(({ name }) => !name.includes('/') || (isDataFile(name) && !name.split('/').some(isHidden)));
}
