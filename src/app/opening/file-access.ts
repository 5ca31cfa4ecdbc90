/**
 * The File System Access API, which not every browser has: files that can be looked at again later, also after a reload
 * if the person allows it.
 */
declare global {
  interface Window {
    showOpenFilePicker?: (options: { multiple: true }) => Promise<FileSystemFileHandle[]>;
    showDirectoryPicker?: () => Promise<FileSystemDirectoryHandle>;
  }
  interface DataTransferItem {
    getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
  }
  interface FileSystemHandle {
    queryPermission?: (wanted: { mode: 'read' }) => Promise<PermissionState>;
    requestPermission?: (wanted: { mode: 'read' }) => Promise<PermissionState>;
  }
}

export const isFileHandle = (handle: FileSystemHandle | null): handle is FileSystemFileHandle =>
  handle?.kind === 'file';

export const isFolderHandle = (handle: FileSystemHandle | null): handle is FileSystemDirectoryHandle =>
  handle?.kind === 'directory';

/** Whether a kept file may be read. Asking the person works only right after a click of theirs. */
export async function mayRead(handle: FileSystemFileHandle, ask: boolean): Promise<boolean> {
  const wanted = { mode: 'read' } as const;
  const known = await handle.queryPermission?.(wanted);
  if (known === 'granted' || known === undefined) return true;
  return ask && (await handle.requestPermission?.(wanted)) === 'granted';
}
