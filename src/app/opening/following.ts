import { pause } from '../../ingest/breathe';
import type { RemoteFile, SourceData, SourceId } from '../../ingest/protocol';
import { describeRemote, isRemote } from '../../ingest/remote';
import {
  extendSource,
  markChanged,
  markGrowing,
  openSource,
  resumeSource,
  sourceOf,
  type OpenedSource,
} from '../stores/sources';

/** A source as it is now. */
export interface Look {
  data: SourceData;
  /** Another one whenever the source is. */
  version: string;
}

interface Followed {
  look: () => Promise<Look>;
  version: string;
  /** When it was written to last, as far as is known. */
  written: number;
}

/** Milliseconds after which nobody seems to write to a file any more. */
const calm = 60_000;

const isGrowing = (written: number): boolean => Date.now() - written < calm;

const followed = new Map<SourceId, Followed>();
const rounds = new Set<() => Promise<void>>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Often enough to be watched by eye. */
const everyMs = 1000;

/** Opens a source that may grow, and adds its new rows as they come, for as long as it is open. */
export function openAndFollow(id: SourceId, name: string, first: Look, look: () => Promise<Look>): void {
  const written = first.data instanceof File ? first.data.lastModified : 0;
  openSource(id, name, first.data, isGrowing(written));
  followed.set(id, { look, version: first.version, written });
  timer ??= setTimeout(startRound, everyMs);
}

/** Runs with every round; for new sources. */
export function everyRound(work: () => Promise<void>): void {
  rounds.add(work);
  timer ??= setTimeout(startRound, everyMs);
}

/** Reads a source anew that is another one than it was. False where it is not followed, or cannot be had. */
export async function openAgain(id: SourceId): Promise<boolean> {
  const source = sourceOf(id);
  const entry = followed.get(id);
  if (source === undefined || entry === undefined) return false;
  try {
    const now = await entry.look();
    if (isOpen(source)) openAndFollow(id, source.name, now, entry.look);
    return true;
  } catch {
    return false;
  }
}

/** Takes up a reading that was stopped or broke off, in the file as it is now; from its start where that is the only way. */
export async function readOn(id: SourceId): Promise<void> {
  const stopped = sourceOf(id);
  if (stopped === undefined) return;
  const entry = followed.get(id);
  // One that was moved away, or cannot be reached, says so when it is read.
  const now = await (entry === undefined ? lookFar(stopped.data) : entry.look()).catch(() => undefined);
  const source = sourceOf(id);
  // It may have been taken up meanwhile: a key that is held down asks for it many times.
  if (source?.readOn === undefined || !isOpen(stopped)) return;
  if (entry !== undefined && now !== undefined) entry.version = now.version;
  const data = now?.data ?? source.data;
  const outcome = isAnother(source.data, data) ? 'replaced' : await resumeSource(id, data);
  if (outcome === 'whole' && isOpen(source)) openSource(id, source.name, data, source.growing);
  if (outcome === 'replaced') markChanged(source, outcome);
}

/** Milliseconds. A host that does not answer is told of, and can be stopped, once it is read. */
const farPatience = 3000;

/** Of what is behind a URL. Undefined for what is at hand. */
async function lookFar(data: SourceData): Promise<Look | undefined> {
  if (!isRemote(data)) return undefined;
  const now = await Promise.race([describeRemote(data.url, data.headers), pause(farPatience)]);
  return now === undefined ? undefined : lookOf(now);
}

/** By what its host says. One that has grown has another tag, and may still begin with what was read. */
function isAnother(before: SourceData, now: SourceData): boolean {
  if (!isRemote(before) || !isRemote(now) || before.etag === undefined || now.etag === undefined)
    return false;
  return now.etag !== before.etag && now.size <= before.size;
}

export function lookOf(file: RemoteFile): Look {
  return { data: file, version: file.etag ?? String(file.size) };
}

/** It was not closed meanwhile, nor opened anew. */
function isOpen({ id, opening }: OpenedSource): boolean {
  return sourceOf(id)?.opening === opening;
}

const startRound = (): void => void round();

async function round(): Promise<void> {
  timer = undefined;
  // A page nobody looks at leaves the disk in peace.
  if (!document.hidden) {
    for (const work of rounds) await work().catch(() => undefined);
    for (const [id, entry] of followed) await lookAt(id, entry);
  }
  if (followed.size > 0 || rounds.size > 0) timer = setTimeout(startRound, everyMs);
}

async function lookAt(id: SourceId, entry: Followed): Promise<void> {
  const source = sourceOf(id);
  if (source === undefined) {
    followed.delete(id);
    return;
  }
  markGrowing(id, isGrowing(entry.written));
  if (source.phase === 'reading' || source.phase === 'cancelled' || source.changed !== undefined) return;
  try {
    const now = await entry.look();
    if (now.version === entry.version || !isOpen(source)) return;
    entry.version = now.version;
    entry.written = Date.now();
    markGrowing(id, true);
    const outcome = await extendSource(id, now.data);
    if (outcome !== 'extended') markChanged(source, outcome);
  } catch {
    // It was moved away, or the server is gone; it may come back.
  }
}

/** Of a file on disk. */
export function lookAtHandle(handle: FileSystemFileHandle): () => Promise<Look> {
  return async () => {
    const data = await handle.getFile();
    return { data, version: versionOf(data) };
  };
}

export function versionOf({ size, lastModified }: File): string {
  return `${size} ${lastModified}`;
}
