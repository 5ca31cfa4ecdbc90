import { allRows, sortRows } from './order';
import type { EpisodeRef, Group, GroupPlaces, Result, Results, SearchState } from './protocol';
import type { JoinedTable } from './query';

/** What a search found, in the order in which a table shows it. */

/** The rows of a table in their order and, where it is grouped, its groups. */
export interface ShownRows {
  table: JoinedTable;
  order: Uint32Array;
  groups?: { by: string; apart: boolean; list: readonly Group[] };
}

type Found = SearchState['found'];

export class ShownResults {
  private readonly shown: ShownRows;
  private readonly found: Found;
  /** Of the rows that the filter keeps, those with a result. */
  private readonly kept: number;
  /** Those of them that are shown, from the top of the table to its end. */
  private readonly rows: Uint32Array;
  /** By result: its group, and which of the group's rows it is. */
  private readonly groups: Uint32Array;
  private readonly nths: Uint32Array;
  /** By group. */
  private readonly places: Float64Array;

  constructor(shown: ShownRows, found: Found) {
    this.shown = shown;
    this.found = found;
    const { table, order } = shown;
    const matches = new Uint32Array(table.total);
    for (const { ref, matches: places } of found) {
      const row = table.indexOf(ref);
      if (row >= 0) matches[row] = places;
    }
    const groupOf = groupsByRow(shown);
    const sizes = new Uint32Array(shown.groups?.list.length ?? 1);
    this.places = new Float64Array(sizes.length);
    const rows = new Uint32Array(found.length);
    const groups = new Uint32Array(found.length);
    const nths = new Uint32Array(found.length);
    let [kept, count] = [0, 0];
    for (const row of order) {
      const group = groupOf?.[row] ?? 0;
      const places = matches[row] ?? 0;
      if (places > 0) kept += 1;
      if (group < 0) continue;
      const nth = sizes[group] ?? 0;
      sizes[group] = nth + 1;
      if (places === 0) continue;
      this.places[group] = (this.places[group] ?? 0) + places;
      rows[count] = row;
      groups[count] = group;
      nths[count] = nth;
      count += 1;
    }
    const inOrder = sortRows(allRows(count), [{ values: Float64Array.from(groups), descending: false }]);
    this.kept = kept;
    this.rows = inOrder.map((nth) => rows[nth] ?? 0);
    this.groups = inOrder.map((nth) => groups[nth] ?? 0);
    this.nths = inOrder.map((nth) => nths[nth] ?? 0);
  }

  isOf({ table, order, groups }: ShownRows, found: Found): boolean {
    const { shown } = this;
    return (
      this.found === found &&
      shown.table === table &&
      shown.order === order &&
      shown.groups?.list === groups?.list
    );
  }

  /** How a result stands among the others, and which are before and behind it. */
  around(at: EpisodeRef | undefined): Results {
    const { found, kept, rows } = this;
    const place = at === undefined ? -1 : rows.indexOf(this.shown.table.indexOf(at));
    const last = rows.length - 1;
    const previous = this.result(place <= 0 ? last : place - 1);
    const next = this.result(place < 0 || place === last ? 0 : place + 1);
    return {
      found: found.length,
      kept,
      shown: rows.length,
      place,
      ...(previous === undefined ? {} : { previous }),
      ...(next === undefined ? {} : { next }),
    };
  }

  placesIn(start: number, end: number): GroupPlaces[] {
    const from = Math.max(start, 0);
    const groups = this.shown.groups?.list.slice(from, Math.max(end, 0)) ?? [];
    return groups.map((group, nth) => ({ ...nameOf(group), places: this.places[from + nth] ?? 0 }));
  }

  private result(place: number): Result | undefined {
    const row = this.rows[place];
    const ref = row === undefined ? undefined : this.shown.table.refAt(row);
    if (ref === undefined) return undefined;
    const index = this.groups[place] ?? 0;
    const group = this.shown.groups?.list[index];
    if (group === undefined) return { ref };
    return { ref, group: { index, ...nameOf(group), n: group.n, nth: this.nths[place] ?? 0 } };
  }
}

function nameOf({ key, source }: Group): Pick<Group, 'key' | 'source'> {
  return { key, ...(source === undefined ? {} : { source }) };
}

/** Which of the groups each row is in; -1 for none. */
function groupsByRow({ table, groups }: ShownRows): Int32Array | undefined {
  if (groups === undefined) return undefined;
  const { keyOf, keys } = table.keys(groups.by, groups.apart);
  const groupOf = new Int32Array(keys.length).fill(-1);
  groups.list.forEach(({ first }, index) => (groupOf[keyOf[table.indexOf(first)] ?? -1] = index));
  return keyOf.map((key) => (key < 0 ? -1 : (groupOf[key] ?? -1)));
}
