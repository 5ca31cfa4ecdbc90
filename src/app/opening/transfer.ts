import type { NamedData } from './open';

/** The files of a drop or paste, folders walked, each with its path within what was dropped. */
export async function filesOf(transfer: DataTransfer): Promise<NamedData[]> {
  // Entries must be taken before the first await: the browser empties the transfer after the event.
  const entries = [...transfer.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
  const loose = entries.length === 0 ? [...transfer.files] : [];
  const walked = await Promise.all(entries.map(walk));
  return [...loose.map((file) => ({ name: file.name, data: file })), ...walked.flat()];
}

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
    if (batch.length === 0) return found;
    const walked = await Promise.all(batch.map(walk));
    found.push(...walked.flat().filter(({ name }) => !isHidden(name)));
  }
}

const isHidden = (path: string) => path.split('/').some((name) => name.startsWith('.'));
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** Files of an input; one that took a folder knows each file's path in it. */
export function filesOfInput(input: HTMLInputElement): NamedData[] {
  return [...(input.files ?? [])]
    .map((file) => ({ name: file.webkitRelativePath || file.name, data: file }))
    .filter(({ name }) => !isHidden(name) || !name.includes('/'));
}
