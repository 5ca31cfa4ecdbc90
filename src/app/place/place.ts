import type { EpisodeRef, SourceId } from '../../ingest/protocol';

/** The tabs of the inspector, by the name they have in links. */
export const tabIds = ['info', 'findings', 'raw', 'tokens', 'samples', 'snapshots', 'notes'] as const;
export type TabId = (typeof tabIds)[number];

/** As screen readers and tests know it: `tabName('info')` is `Info`. */
export function tabName(id: TabId): string {
  return `${id[0]?.toUpperCase()}${id.slice(1)}`;
}

export const pageIds = ['gym'] as const;
export type PageId = (typeof pageIds)[number];

/** Where the person is. The URL is its only home. */
export interface Place {
  source?: SourceId;
  /** Position in the source, from 0. */
  episode?: number;
  step: number;
  tab: TabId;
  /** A screen that shows no source; where a source is named, that is shown. */
  page?: PageId;
}

/** `?source=run.jsonl&episode=3&step=2&tab=raw`. Whatever does not make sense is left out. */
export function placeFromSearch(search: string): Place {
  const params = new URLSearchParams(search);
  const source = params.get('source');
  const episode = naturalNumber(params.get('episode'));
  const tab = tabIds.find((id) => id === params.get('tab')) ?? tabIds[0];
  const page = pageIds.find((id) => id === params.get('page'));
  return {
    ...(source === null || source === '' ? {} : { source }),
    ...(episode === undefined ? {} : { episode }),
    step: naturalNumber(params.get('step')) ?? 0,
    tab,
    ...(page === undefined || (source !== null && source !== '') ? {} : { page }),
  };
}

/** The shortest search string that `placeFromSearch` reads back to the same place. */
export function searchFromPlace({ source, episode, step, tab, page }: Place): string {
  const params = new URLSearchParams();
  if (source !== undefined) params.set('source', source);
  else if (page !== undefined) params.set('page', page);
  if (episode !== undefined) params.set('episode', String(episode));
  if (step !== 0) params.set('step', String(step));
  if (tab !== tabIds[0]) params.set('tab', tab);
  const search = params.toString().replaceAll('%2F', '/');
  return search === '' ? '' : `?${search}`;
}

export function refOf({ source, episode }: Place): EpisodeRef | undefined {
  return source === undefined || episode === undefined ? undefined : { source, episode };
}

function naturalNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
