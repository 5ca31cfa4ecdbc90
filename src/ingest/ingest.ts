import { formats as allFormats, type Format } from '../formats';
import { lintEpisode, type Episode } from '../model';
import { makeWay } from './breathe';
import { facetOf } from './facet';
import { checkFilter, completeFilter } from './filter';
import { groupsOf, type Grouped } from './groups';
import { partnersOf } from './join';
import { Linting } from './linting';
import { Lru } from './lru';
import { Orders } from './orders';
import type { EpisodeRef, GroupQuery, Ingest, Shown, SourceId, TableQuery } from './protocol';
import { JoinedTable } from './query';
import { ShownResults, type ShownRows } from './results';
import { Searches } from './searches';
import { sharedFindings, SharedSessions } from './shared-sessions';
import { episodeWith, siblingsOf } from './siblings';
import { OpenSource } from './source';
import { MemorySpool, type Spool } from './spool';
import { columnsOf } from './table';

const keptEpisodes = 8;

export interface IngestOptions {
  formats?: readonly Format[];
  /** Where decompressed bytes are kept; memory unless it is said. */
  spool?: () => Spool;
}

/** Reads and answers where it is called: in the worker of the page, in tests. */
export function createIngest(options: IngestOptions = {}): Ingest {
  const { formats = allFormats, spool = () => new MemorySpool() } = options;
  const sources = new Map<SourceId, OpenSource>();
  const orders = new Orders();
  const episodes = new Lru<Episode>(keptEpisodes);
  const searches = new Searches();
  let grouped: (Grouped & { key: string }) | undefined;
  let results: ShownResults | undefined;
  const linting = new Linting();
  const shared = new SharedSessions();

  function forget(source: OpenSource | undefined): void {
    if (source === undefined) return;
    source.close();
    sources.delete(source.id);
    orders.clear();
    grouped = undefined;
    results = undefined;
    episodes.deleteWhere((key) => key.startsWith(`${source.serial}#`));
  }

  function opened(ids: readonly SourceId[]): OpenSource[] {
    if (shared.settle([...sources.values()])) {
      orders.clear();
      grouped = undefined;
    }
    return [...new Set(ids)].flatMap((id) => sources.get(id) ?? []);
  }

  function ordered(query: TableQuery): ReturnType<Orders['of']> {
    return orders.of(query, opened(query.sources));
  }

  function groupsFor(request: GroupQuery): Grouped {
    const asked = opened(request.query.sources);
    const versions = asked.map(({ serial, table }) => [serial, table.rows, table.linted]);
    const key = JSON.stringify([request, versions]);
    // Made once for all windows of the list.
    if (grouped?.key !== key) grouped = { key, ...groupsOf(new JoinedTable(asked), request) };
    return grouped;
  }

  function resultsIn(id: string, shown: Shown): ShownResults {
    const isGrouped = 'query' in shown;
    const rows: ShownRows = {
      ...ordered(isGrouped ? shown.query : shown),
      ...(isGrouped
        ? { groups: { by: shown.by ?? 'task', apart: shown.apart ?? false, list: groupsFor(shown).groups } }
        : {}),
    };
    const found = searches.foundBy(id);
    if (results?.isOf(rows, found) !== true) results = new ShownResults(rows, found);
    return results;
  }

  async function episodeAt(ref: EpisodeRef): Promise<Episode | undefined> {
    const source = sources.get(ref.source);
    if (source === undefined) return undefined;
    const siblings = siblingsOf(source, ref.episode, [...sources.values()]);
    const beside = siblings.map((each) => `${each.source.serial}.${each.row}`).join();
    const key = `${source.serial}#${ref.episode}#${beside}`;
    const known = episodes.get(key);
    if (known !== undefined) return known;
    const episode = await episodeWith(siblings, source, ref.episode);
    if (episode !== undefined) episodes.set(key, episode);
    return episode;
  }

  return {
    async open(input, onState) {
      forget(sources.get(input.id));
      const source = new OpenSource(input, { formats, spool }, onState);
      sources.set(input.id, source);
      await source.done;
    },

    async extend(id, data, onState) {
      const source = sources.get(id);
      return source === undefined ? 'replaced' : source.extend(data, onState);
    },

    async cancel(id) {
      await sources.get(id)?.cancel();
    },

    async close(id) {
      forget(sources.get(id));
    },

    async columns(ids) {
      return columnsOf(opened(ids).map(({ table }) => table));
    },

    async rows(query, start, end) {
      const { table, order } = ordered(query);
      const rows = [...order.subarray(Math.max(start, 0), Math.max(end, 0))];
      return { total: order.length, rows: rows.flatMap((index) => table.row(index) ?? []) };
    },

    async position(query, ref) {
      const { table, order } = ordered(query);
      const index = table.indexOf(ref);
      return index < 0 ? -1 : order.indexOf(index);
    },

    async problems(id) {
      return sources.get(id)?.problems.slice() ?? [];
    },

    episode: episodeAt,

    async findings(ref) {
      const episode = await episodeAt(ref);
      if (episode === undefined) return [];
      return [...lintEpisode(episode), ...sharedFindings(ref, episode, [...sources.values()])];
    },

    async raw(ref) {
      return sources.get(ref.source)?.raw(ref.episode);
    },

    partners: (ref) => partnersOf(ref, [...sources.values()]),

    async checkFilter(ids, filter) {
      return checkFilter(filter, columnsOf(opened(ids).map(({ table }) => table)));
    },

    async completeFilter(ids, filter, cursor) {
      const table = new JoinedTable(opened(ids));
      const columns = columnsOf(opened(ids).map(({ table }) => table)).filter(({ filled }) => filled > 0);
      return completeFilter(filter, cursor, columns, (key) =>
        facetOf(table, { sources: ids, sort: [] }, key).values.map(({ value }) => value),
      );
    },

    async facet(query, column) {
      return facetOf(new JoinedTable(opened(query.sources)), query, column);
    },

    async groups(request, start, end) {
      const { groups, all } = groupsFor(request);
      return { total: groups.length, groups: groups.slice(Math.max(start, 0), Math.max(end, 0)), all };
    },

    search: (input, onState) => searches.run(input, opened(input.sources), onState),

    async cancelSearch(id) {
      searches.cancel(id);
    },

    async results(id, shown, at) {
      return resultsIn(id, shown).around(at);
    },

    async resultsByGroup(id, groups, start, end) {
      return resultsIn(id, groups).placesIn(start, end);
    },

    lint: (ids, onState) => linting.run(opened(ids), [...sources.values()], onState),

    async cancelLint() {
      linting.cancel();
    },

    async makeWay() {
      makeWay();
    },
  };
}
