import { dataFileEndings } from '../../ingest/data-files';
import { errorText } from '../../model/error-text';
import { say } from '../stores/toasts';
import { openAll } from './open';
import { fileOf, filesInFolder, type NamedData } from './transfer';

/** The browser's dialog whose files can be looked at again later; where it has none, the one of the input. */
export function chooseFiles(input: HTMLInputElement | null): void {
  if (window.showOpenFilePicker === undefined) input?.click();
  else void take(window.showOpenFilePicker({ multiple: true }).then(filesOfHandles), input);
}

export function chooseFolder(input: HTMLInputElement | null): void {
  if (window.showDirectoryPicker === undefined) input?.click();
  else
    void take(
      window.showDirectoryPicker().then((folder) => filesInFolder(folder)),
      input,
    );
}

/** What a folder had that can be opened. */
export function openFolder(files: readonly NamedData[]): void {
  if (files.length === 0) say(`There are no data files in this folder (${dataFileEndings.join(', ')})`);
  openAll(files);
}

function filesOfHandles(handles: readonly FileSystemFileHandle[]): Promise<NamedData[]> {
  return Promise.all(handles.map((handle) => fileOf(handle, handle.name)));
}

async function take(chosen: Promise<readonly NamedData[]>, input: HTMLInputElement | null): Promise<void> {
  try {
    openFolder(await chosen);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    // A page inside another one may not use these dialogs.
    if (error instanceof DOMException && error.name === 'SecurityError') input?.click();
    else say(`What was chosen cannot be read: ${errorText(error)}`);
  }
}
