import { readFile, readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** A file of the built app. */
export interface StaticFile {
  type: string;
  /** Its name holds a hash of its content, so that it never changes. */
  immutable: boolean;
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/**
 * The files of a folder by the path they are served at: `/assets/index-1a2b3c4d.js`. Only what is listed here can be
 * asked for, so no path leads out of the folder.
 */
export async function staticFiles(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    files.set(path, {
      type: types[extname(entry.name)] ?? 'application/octet-stream',
      immutable: path.startsWith('/assets/'),
      read: () => readFile(file),
    });
  }
  const page = files.get('/index.html');
  if (page !== undefined) files.set('/', page);
  return files;
}
