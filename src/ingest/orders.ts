import type { TableQuery } from './protocol';
import { JoinedTable, type NamedTable } from './query';

interface Ordered {
  table: JoinedTable;
  order: Uint32Array;
}

interface Kept extends Ordered {
  sizes: string;
  made: number;
  cost: number;
}

const kept = 8;

/** While a source grows, an order is used for this many times as long as it took to make. */
const patience = 10;

/** The order of the rows for a query, made once and used for every window of it. */
export class Orders {
  private readonly known = new Map<string, Kept>();

  of(query: TableQuery, sources: readonly (NamedTable & { growing: boolean; serial: number })[]): Ordered {
    const key = JSON.stringify([query, sources.map(({ serial }) => serial)]);
    const sizes = sources.map(({ table }) => table.rows).join();
    const found = this.known.get(key);
    const now = performance.now();
    if (found !== undefined) {
      const fresh = sources.some(({ growing }) => growing) && now - found.made < found.cost * patience;
      if (found.sizes === sizes || fresh) return found;
    }
    const table = new JoinedTable(sources);
    const order = table.order(query);
    const made = performance.now();
    this.known.delete(key);
    this.known.set(key, { table, order, sizes, made, cost: made - now });
    const [oldest] = this.known.keys();
    if (this.known.size > kept && oldest !== undefined) this.known.delete(oldest);
    return { table, order };
  }

  clear(): void {
    this.known.clear();
  }
}
