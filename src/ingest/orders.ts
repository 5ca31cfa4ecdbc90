import type { TableQuery } from './protocol';
import { JoinedTable, type NamedTable } from './query';

interface Ordered {
  table: JoinedTable;
  order: Uint32Array;
}

interface Kept extends Ordered {
  versions: string;
  made: number;
  cost: number;
}

const kept = 8;

/** While a source is being read or linted, an order is used for this many times as long as it took to make. */
const patience = 10;

/** The order of the rows for a query, made once and used for every window of it. */
export class Orders {
  private readonly known = new Map<string, Kept>();
  private last: { state: string; table: JoinedTable } | undefined;

  of(query: TableQuery, sources: readonly (NamedTable & { changing: boolean; serial: number })[]): Ordered {
    const serials = sources.map(({ serial }) => serial);
    const key = JSON.stringify([query, serials]);
    const versions = sources.map(({ table }) => `${table.rows}.${table.linted}`).join();
    const found = this.known.get(key);
    const now = performance.now();
    if (found !== undefined) {
      const fresh = sources.some(({ changing }) => changing) && now - found.made < found.cost * patience;
      if (found.versions === versions || fresh) return found;
    }
    const table = this.tableOf(sources, `${serials.join()} ${versions}`);
    const order = table.order(query);
    const made = performance.now();
    this.known.delete(key);
    this.known.set(key, { table, order, versions, made, cost: made - now });
    const [oldest] = this.known.keys();
    if (this.known.size > kept && oldest !== undefined) this.known.delete(oldest);
    return { table, order };
  }

  /** The same for several queries on the same rows: it keeps what sorting by its columns took to prepare. */
  private tableOf(sources: readonly NamedTable[], state: string): JoinedTable {
    if (this.last?.state !== state) this.last = { state, table: new JoinedTable(sources) };
    return this.last.table;
  }

  clear(): void {
    this.known.clear();
    this.last = undefined;
  }
}
