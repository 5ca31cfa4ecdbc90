import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();
const signals = ['SIGINT', 'SIGTERM'] as const;
let listening = false;

/** A folder that goes away when the command is done, or is interrupted. */
export async function temporaryFolder(): Promise<string> {
  if (!listening) {
    listening = true;
    process.once('exit', removeTemporaryFolders);
    for (const signal of signals) process.once(signal, () => interrupted(signal));
  }
  const folder = await mkdtemp(join(tmpdir(), 'rollscope-'));
  folders.add(folder);
  return folder;
}

export function removeTemporaryFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

function interrupted(signal: (typeof signals)[number]): void {
  removeTemporaryFolders();
  // Listening keeps Node from ending by itself; where a command listens too, ending is its business.
  if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal]);
}
