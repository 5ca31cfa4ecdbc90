import type { EpisodeRef, SourceId } from '../../ingest/protocol';

/** The tabs of the inspector, by the name they have in links. */
export const tabIds = [
  'info',
  'findings',
  'raw',
  'tokens',
  'samples',
  'snapshots',
  'notes',
  'state',
  'exchanges',
] as const;
export type TabId = (typeof tabIds)[number];

/** As screen readers and tests know it: `tabName('info')` is `Info`. */
export function tabName(id: TabId): string {
  return `${id[0]?.toUpperCase()}${id.slice(1)}`;
}

export const pageIds = ['gym', 'live'] as const;
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
  /** On that screen: which environment, and which of its panels. */
  environment?: string | undefined;
  panel?: string | undefined;
  /** The episode that stands beside the open one. */
  compare?: EpisodeRef | undefined;
  /** Which episodes the table shows, in the language of filters; all of them where there is none. */
  filter?: string | undefined;
  /** The first column is the one that matters most. */
  sort?: readonly SortKey[] | undefined;
  /** The column whose values the table puts its rows together by. */
  group?: string | undefined;
  groupSort?: SortKey | undefined;
  /** Equal values of different files make one group; groups are apart by file where it is not said. */
  pool?: 'files' | undefined;
}

export interface SortKey {
  column: string;
  descending: boolean;
}

/**
 * `?source=run.jsonl&episode=3&step=2&tab=raw&filter=reward<1&sort=-steps`. Whatever does not make sense is left out.
 */
export function placeFromSearch(search: string): Place {
  const params = new URLSearchParams(search);
  const source = params.get('source');
  const episode = naturalNumber(params.get('episode'));
  const tab = tabIds.find((id) => id === params.get('tab')) ?? tabIds[0];
  const page = pageIds.find((id) => id === params.get('page'));
  const onPage = page !== undefined && (source === null || source === '');
  const environment = params.get('env');
  const panel = params.get('panel');
  const compare = refFromText(params.get('compare'));
  const filter = params.get('filter');
  const sort = params.getAll('sort').flatMap((text) => sortKeyFrom(text) ?? []);
  const group = params.get('group');
  const isGrouped = group !== null && group !== '';
  const groupSort = isGrouped ? sortKeyFrom(params.get('groupsort')) : undefined;
  return {
    ...(source === null || source === '' ? {} : { source }),
    ...(episode === undefined ? {} : { episode }),
    step: naturalNumber(params.get('step')) ?? 0,
    tab,
    ...(onPage ? { page } : {}),
    ...(onPage && environment !== null && environment !== '' ? { environment } : {}),
    ...(onPage && panel !== null && panel !== '' ? { panel } : {}),
    ...(compare === undefined || source === null || source === '' ? {} : { compare }),
    ...(filter === null || filter === '' ? {} : { filter }),
    ...(sort.length === 0 ? {} : { sort }),
    ...(isGrouped ? { group } : {}),
    ...(groupSort === undefined ? {} : { groupSort }),
    ...(isGrouped && params.get('pool') === 'files' ? { pool: 'files' } : {}),
  };
}

/** The shortest search string that `placeFromSearch` reads back to the same place. */
export function searchFromPlace(place: Place): string {
  const { source, episode, step, tab, page, compare, filter = '', sort = [], group = '', groupSort } = place;
  const params = new URLSearchParams();
  if (source !== undefined) params.set('source', source);
  else if (page !== undefined) {
    params.set('page', page);
    if (place.environment) params.set('env', place.environment);
    if (place.panel) params.set('panel', place.panel);
  }
  if (episode !== undefined) params.set('episode', String(episode));
  if (step !== 0) params.set('step', String(step));
  if (tab !== tabIds[0]) params.set('tab', tab);
  if (source !== undefined && compare !== undefined)
    params.set('compare', `${compare.episode}:${compare.source}`);
  if (filter !== '') params.set('filter', filter);
  for (const key of sort) params.append('sort', sortText(key));
  if (group !== '') params.set('group', group);
  if (group !== '' && groupSort !== undefined) params.set('groupsort', sortText(groupSort));
  if (group !== '' && place.pool !== undefined) params.set('pool', place.pool);
  const search = params.toString().replaceAll('%2F', '/');
  return search === '' ? '' : `?${search}`;
}

/** `reward` rises, `-reward` falls; a name that starts with a sign has one more before it. */
function sortText({ column, descending }: SortKey): string {
  return descending ? `-${column}` : /^[-+]/.test(column) ? `+${column}` : column;
}

function sortKeyFrom(text: string | null): SortKey | undefined {
  const column = (text ?? '').replace(/^[-+]/, '');
  return column === '' ? undefined : { column, descending: text?.startsWith('-') === true };
}

export function refOf({ source, episode }: Place): EpisodeRef | undefined {
  return source === undefined || episode === undefined ? undefined : { source, episode };
}

/** `3:run.jsonl`: the number first, for names hold anything. */
function refFromText(text: string | null): EpisodeRef | undefined {
  const [, nth, source] = /^(\d{1,15}):(.+)$/su.exec(text ?? '') ?? [];
  return nth === undefined || source === undefined ? undefined : { source, episode: Number(nth) };
}

function naturalNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
