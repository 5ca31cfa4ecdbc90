import type { RemoteFile, SourceId } from '../../ingest/protocol';
import { RUNS } from '../live/list';
import { currentPlace, goHome, goTo } from '../place/usePlace';
import { samples } from '../samples';
import { closeSource, openSource, sourceOf, useSources } from '../stores/sources';
import { maybeTokenizer } from '../tokenizers/recognise';
import { takeTokenizers } from '../tokenizers/take';
import { mayRead } from './file-access';
import { everyRound, lookAtHandle, lookOf, openAndFollow, versionOf } from './following';
import { recall, remember } from './recents';
import { servedSources, type ServedSource } from './served';
import type { NamedData } from './transfer';
import { fileAtUrl, isUrl, nameOfUrl, urlOf } from './url';

/** Opens what the person dropped, chose or pasted; tokenizers among it are kept to count with. */
export function openAll(items: readonly NamedData[]): void {
  if (items.some(({ name, data }) => maybeTokenizer(name, data.size)))
    void takeTokenizers(items).then(openRecords);
  else openRecords(items);
}

/** Goes there, unless a link already waits for one of them. */
function openRecords(items: readonly NamedData[]): void {
  const { source, compare } = currentPlace();
  const awaited = new Set([source, sourceOf(compare?.source) === undefined ? compare?.source : undefined]);
  const ids = items.map(({ name, data, handle }) => {
    const id = idFor(name, data);
    if (handle === undefined || !(data instanceof File)) openSource(id, id, data);
    else openAndFollow(id, id, { data, version: versionOf(data) }, lookAtHandle(handle));
    void remember(id, id, data.size, { data, ...(handle === undefined ? {} : { handle }) });
    return id;
  });
  const [first] = ids;
  if (first === undefined || ids.some((id) => awaited.has(id))) return;
  goTo({ source: first, episode: 0, step: 0 });
}

/** A file keeps its name as id, so that links find it again; another file of the same name gets a number. */
function idFor(name: string, data: Blob): SourceId {
  const isOpenAs = (id: SourceId): boolean => {
    const taken = sourceOf(id);
    if (taken?.data instanceof File && data instanceof File) return versionOf(taken.data) === versionOf(data);
    return taken?.bytesTotal === data.size;
  };
  const ids = numbered((n) => (n === 1 ? name : `${name} (${n})`));
  return ids.find(isOpenAs) ?? ids.find(isFree) ?? name;
}

/** As many names as there are sources, and one more: one of them is free. */
function numbered(nameOf: (n: number) => SourceId): SourceId[] {
  return Array.from({ length: useSources.getState().list.length + 1 }, (_, index) => nameOf(index + 1));
}

const isFree = (id: SourceId) => sourceOf(id) === undefined;

export function openText(text: string): void {
  const name = numbered((n) => (n === 1 ? 'pasted' : `pasted ${n}`)).find(isFree) ?? 'pasted';
  openAll([{ name, data: new Blob([text]) }]);
}

/** Sources that come with the page. */
export const SAMPLE_PREFIX = 'sample/';

export async function openSample(id: string): Promise<void> {
  const source = `${SAMPLE_PREFIX}${id}`;
  if ((await reopen(source)) === 'opened') goTo({ source, episode: 0, step: 0 });
}

/** Opens the file behind a URL, unless it is not wanted any more; throws with what is wrong where it cannot be had. */
export async function openUrl(text: string, wanted?: AbortSignal): Promise<void> {
  const url = urlFrom(text);
  const file = await fileAtUrl(url);
  if (wanted?.aborted === true) return;
  openAtUrl(url.href, url, file);
  goTo({ source: url.href, episode: 0, step: 0 });
}

function urlFrom(text: string): URL {
  const url = urlOf(text);
  if (url === undefined) throw new Error('This is no URL of a file. One begins with https:// or http://.');
  return url;
}

function openAtUrl(id: SourceId, url: URL, file: RemoteFile): void {
  const name = nameOfUrl(url);
  openSource(id, name, file);
  void remember(id, name, file.size, { url: url.href });
}

/**
 * Closes a source. Who is looking at it goes to another open one, or to the first screen; a comparison with one of its
 * episodes ends.
 */
export function leave(id: SourceId): void {
  closeSource(id);
  const { source, compare } = currentPlace();
  const ended = compare?.source === id ? { compare: undefined } : {};
  if (source !== id) {
    goTo(ended);
    return;
  }
  const [other] = useSources.getState().list;
  if (other === undefined) goHome();
  else goTo({ source: other.id, episode: 0, step: 0, ...ended });
}

/**
 * What became of opening a source again. A file on disk that was open before may be read once the person allows it, and
 * a URL that was never opened here is asked for only if the person wants it.
 */
export type Reopened = 'opened' | 'missing' | 'ask for file' | 'ask for url';

/** Starts reading a source that can be had. `asked`: the person has just clicked to have it. */
export async function reopen(id: SourceId, asked = false): Promise<Reopened> {
  const before = sourceOf(id)?.opening;
  const isAsBefore = () => sourceOf(id)?.opening === before;
  if (id === RUNS) return (await (await import('../live/runs')).openRuns()) ? 'opened' : 'missing';
  const sample = samples.find((candidate) => `${SAMPLE_PREFIX}${candidate.id}` === id);
  if (sample !== undefined) {
    openSource(id, sample.fileName, new Blob([await sample.load()]));
    return 'opened';
  }
  const kept = await recall(id);
  const allowed = kept?.handle !== undefined && (await mayRead(kept.handle, asked));
  if (kept?.handle !== undefined && allowed) {
    const look = lookAtHandle(kept.handle);
    // It may have been moved away since.
    const now = await look().catch(() => undefined);
    if (now !== undefined) {
      openAndFollow(id, kept.name, now, look);
      return 'opened';
    }
  }
  if (kept?.data !== undefined) {
    openSource(id, kept.name, kept.data);
    return 'opened';
  }
  if (kept?.handle !== undefined && !allowed && !asked) return 'ask for file';
  if (isUrl(id)) {
    if (kept === undefined && !asked) return 'ask for url';
    const url = urlFrom(id);
    openAtUrl(id, url, await fileAtUrl(url));
    return 'opened';
  }
  await openServed();
  // It can have been closed since, or have become another file.
  if (isAsBefore()) await openServedAgain(id);
  return isAsBefore() ? 'missing' : 'opened';
}

let served: Promise<void> | undefined;

/** Opens every file the local server was started with, once, and goes to the first if the link names no place. */
export function openServed(): Promise<void> {
  served ??= openListed().catch((error: unknown) => {
    // Asked again with the next link: the server may be back by then.
    served = undefined;
    throw error;
  });
  return served;
}

async function openListed(): Promise<void> {
  const { watch, sources } = await servedSources();
  const known = new Set<string>();
  const openNew = (listed: readonly ServedSource[]): void => {
    for (const source of listed) {
      if (known.has(source.name)) continue;
      known.add(source.name);
      openOne(source, watch);
    }
  };
  openNew(sources);
  const [first] = sources;
  if (first !== undefined && currentPlace().source === undefined) {
    goTo({ source: first.name, episode: 0, step: 0 }, 'replace');
  }
  if (watch) everyRound(async () => openNew((await servedSources()).sources));
}

async function openServedAgain(id: SourceId): Promise<void> {
  const { watch, sources } = await servedSources();
  const source = sources.find(({ name }) => name === id);
  if (source !== undefined) openOne(source, watch);
}

function openOne({ name, file }: ServedSource, watch: boolean): void {
  if (!watch) {
    openSource(name, name, file);
    return;
  }
  openAndFollow(name, name, lookOf(file), async () => {
    const now = (await servedSources()).sources.find((source) => source.name === name);
    if (now === undefined) throw new Error(`The local server does not have ${name} any more`);
    return lookOf(now.file);
  });
}
