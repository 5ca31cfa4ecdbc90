import { formats as allFormats, type Format } from '../formats';
import type { Episode } from '../model';
import { Lru } from './lru';
import { Orders } from './orders';
import type { Ingest, SourceId, TableQuery } from './protocol';
import { OpenSource } from './source';
import { MemorySpool, type Spool } from './spool';
import { columnsOf } from './table';

const keptEpisodes = 8;

export interface IngestOptions {
  formats?: readonly Format[];
  /** Where decompressed bytes are kept; memory unless it is said. */
  spool?: () => Spool;
}

/** Reads and answers where it is called: in the worker of the page, in the command line, in tests. */
export function createIngest(options: IngestOptions = {}): Ingest {
  const { formats = allFormats, spool = () => new MemorySpool() } = options;
  const sources = new Map<SourceId, OpenSource>();
  const orders = new Orders();
  const episodes = new Lru<Episode>(keptEpisodes);

  function forget(source: OpenSource | undefined): void {
    if (source === undefined) return;
    source.close();
    sources.delete(source.id);
    orders.clear();
    episodes.deleteWhere((key) => key.startsWith(`${source.serial}#`));
  }

  function opened(ids: readonly SourceId[]): OpenSource[] {
    return [...new Set(ids)].flatMap((id) => sources.get(id) ?? []);
  }

  function ordered(query: TableQuery): ReturnType<Orders['of']> {
    return orders.of(query, opened(query.sources));
  }

  return {
    async open(input, onState) {
      forget(sources.get(input.id));
      const source = new OpenSource(input, { formats, spool }, onState);
      sources.set(input.id, source);
      await source.done;
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

    async episode(ref) {
      const source = sources.get(ref.source);
      if (source === undefined) return undefined;
      const key = `${source.serial}#${ref.episode}`;
      const known = episodes.get(key);
      if (known !== undefined) return known;
      const episode = await source.episode(ref.episode);
      if (episode !== undefined) episodes.set(key, episode);
      return episode;
    },

    async raw(ref) {
      return sources.get(ref.source)?.raw(ref.episode);
    },
  };
}
