import { open, mkdtemp, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GrowingSpool, type Spool } from './spool';

/** For `createIngest` in Node: a temporary file that is gone when the process is. */
export function nodeSpool(small?: number): Spool {
  return new GrowingSpool(openFile, small);
}

async function openFile(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'rollscope-'));
  const file = await open(join(folder, 'unpacked'), 'w+');
  // Its name goes away now, its bytes when the process ends, however it ends. (Not on Windows: see `dispose`.)
  await rm(folder, { recursive: true }).catch(() => undefined);
  return new FileSpool(file, folder);
}

class FileSpool implements Spool {
  readonly where = 'disk';
  length = 0;
  private readonly file: FileHandle;
  private readonly folder: string;

  constructor(file: FileHandle, folder: string) {
    this.file = file;
    this.folder = folder;
  }

  async append(chunk: Uint8Array): Promise<void> {
    const at = this.length;
    this.length += chunk.length;
    await this.file.write(chunk, 0, chunk.length, at);
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, this.length) - start));
    const { bytesRead } = await this.file.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  }

  async dispose(): Promise<void> {
    await this.file.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
