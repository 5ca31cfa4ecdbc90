import type { SourceId } from '../../ingest/protocol';
import { placeFromSearch } from '../place/place';
import { goHome, goTo } from '../place/usePlace';
import { samples } from '../samples';
import { closeSource, openSource, sourceOf, useSources } from '../stores/sources';
import { messageOf } from '../data/messageOf';
import { say } from '../stores/toasts';
import { maybeTokenizer } from '../tokenizers/recognise';
import { takeTokenizers } from '../tokenizers/take';
import { recall, remember } from './recents';
import { servedSources } from './served';

export interface NamedData {
  /** The file's name, or its path within the dropped folder. */
  name: string;
  data: Blob;
}

/** Opens what the person dropped, chose or pasted; tokenizers among it are kept to count with. */
export function openAll(items: readonly NamedData[]): void {
  if (items.some(({ name, data }) => maybeTokenizer(name, data.size)))
    void takeTokenizers(items).then(openRecords);
  else openRecords(items);
}

/** Goes there, unless a link already waits for one of them. */
function openRecords(items: readonly NamedData[]): void {
  const ids = items.map(({ name, data }) => {
    const id = idFor(name, data);
    openSource(id, id, data);
    void remember(id, id, data);
    return id;
  });
  const [first] = ids;
  const waitingFor = placeFromSearch(window.location.search).source;
  if (first === undefined || (waitingFor !== undefined && ids.includes(waitingFor))) return;
  goTo({ source: first, episode: 0, step: 0 });
}

/** A file keeps its name as id, so that links find it again; another file of the same name gets a number. */
function idFor(name: string, data: Blob): SourceId {
  const open = useSources.getState().list;
  for (let n = 1; ; n++) {
    const id = n === 1 ? name : `${name} (${n})`;
    const taken = open.find((source) => source.id === id);
    if (taken === undefined || taken.bytesTotal === data.size) return id;
  }
}

export function openText(text: string): void {
  const pasted = useSources.getState().list.filter((source) => source.id.startsWith('pasted')).length;
  openAll([{ name: pasted === 0 ? 'pasted' : `pasted ${pasted + 1}`, data: new Blob([text]) }]);
}

/** Sources that come with the page. */
export const SAMPLE_PREFIX = 'sample/';

export async function openSample(id: string): Promise<void> {
  const source = `${SAMPLE_PREFIX}${id}`;
  if (await reopen(source)) goTo({ source, episode: 0, step: 0 });
}

/** Closes a source. Who is looking at it goes to another open one, or to the first screen. */
export function leave(id: SourceId): void {
  closeSource(id);
  if (placeFromSearch(window.location.search).source !== id) return;
  const [other] = useSources.getState().list;
  if (other === undefined) goHome();
  else goTo({ source: other.id, episode: 0, step: 0 });
}

/** Starts reading a source that can be had without the person's help. False where it cannot. */
export async function reopen(id: SourceId): Promise<boolean> {
  const sample = samples.find((candidate) => `${SAMPLE_PREFIX}${candidate.id}` === id);
  if (sample !== undefined) {
    openSource(id, sample.fileName, new Blob([await sample.load()]));
    return true;
  }
  const recalled = await recall(id);
  if (recalled !== undefined) {
    openSource(id, recalled.name, recalled.data);
    return true;
  }
  await openServed();
  return sourceOf(id) !== undefined;
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
  for (const { name, load } of await servedSources()) {
    try {
      openSource(name, name, await load());
    } catch (error) {
      say(messageOf(error));
      continue;
    }
    if (placeFromSearch(window.location.search).source === undefined) {
      goTo({ source: name, episode: 0, step: 0 }, 'replace');
    }
  }
}
