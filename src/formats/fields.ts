import { cellOf, ItemTable, type ItemColumn, type ItemFields } from './item-table';
import { KeyIndex } from './key-index';

/**
 * The parts of a value that matter, so that the rest need not be parsed:
 *
 *     { others: {}, keys: { response: { keys: { output: { items: { keys: { type: {} } } } } } } }
 *
 * keeps the numbers, flags and short strings at the top of a record, and the type of each output item.
 */
export type Fields =
  /** All of it. */
  | 'all'
  /** Should there be anything, the whole record is needed after all. */
  | 'record'
  | {
      /** Strings are cut after this many characters: 256 unless it is said. */
      text?: number;
      /** What to keep of the values at these keys of an object. */
      keys?: Readonly<Record<string, Fields>>;
      /** And at all other keys, which are left out unless it is said. */
      others?: Fields;
      /** What to keep of each element of an array, which is empty unless it is said. */
      items?: Fields;
    }
  /**
   * Of a list of objects a table of these keys. Should there be anything else, the whole record is needed. Not within
   * `items` and `others`: there is one table, which is used again for every record.
   */
  | { table: ItemFields };

/** `Fields` made ready for looking up keys. */
export type Picks =
  | 'all'
  | 'record'
  | {
      text: number;
      keys: ReadonlyMap<string, Picks>;
      /** The same by their bytes. */
      index: KeyIndex<Picks>;
      others: Picks | undefined;
      items: Picks | undefined;
    }
  | TablePicks;

export interface TablePicks {
  index: KeyIndex<ItemColumn>;
  table: ItemTable;
}

const defaultText = 256;

export function picksOf(fields: Fields): Picks {
  if (fields === 'all' || fields === 'record') return fields;
  if ('table' in fields) {
    const table = new ItemTable(fields.table);
    return { index: new KeyIndex(table.columns), table };
  }
  const { text = defaultText, keys = {}, others, items } = fields;
  const byKey = new Map(Object.entries(keys).map(([key, each]) => [key, picksOf(each)]));
  return {
    text,
    keys: byKey,
    index: new KeyIndex(byKey),
    others: others === undefined ? undefined : picksOf(others),
    items: items === undefined ? undefined : picksOf(items),
  };
}

/**
 * What is left of a parsed value. Reading it off the bytes, without parsing the rest, must give the same. Undefined where
 * the whole record is needed.
 */
export function prune(value: unknown, picks: Picks): { value: unknown } | undefined {
  try {
    return { value: left(value, picks) };
  } catch (error) {
    if (error === recordIsNeeded) return undefined;
    throw error;
  }
}

const recordIsNeeded = new Error('the whole record is needed');

function left(value: unknown, picks: Picks): unknown {
  if (picks === 'all') return value;
  if (picks === 'record') throw recordIsNeeded;
  if ('table' in picks) return tableLeft(value, picks);
  if (typeof value === 'string') return value.slice(0, picks.text);
  if (Array.isArray(value)) {
    const { items } = picks;
    return items === undefined ? [] : value.map((element) => left(element, items));
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    const own = picks.keys.get(key) ?? picks.others;
    if (own !== undefined) setOwn(kept, key, left(entry, own));
  }
  return kept;
}

function tableLeft(value: unknown, { table: { kinds } }: TablePicks): unknown {
  if (typeof value === 'string') return value.slice(0, 1);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (!Array.isArray(value)) throw recordIsNeeded;
  const table = new ItemTable(kinds);
  for (const item of value) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) throw recordIsNeeded;
    const start = table.add();
    for (const [key, { kind, place }] of table.columns) {
      if (!Object.hasOwn(item, key)) continue;
      const cell = cellOf(kind, Reflect.get(item, key));
      if (cell === undefined) throw recordIsNeeded;
      table.cells[start + place] = cell;
    }
  }
  return table;
}

/** As `JSON.parse` does it: `__proto__` is a key like any other. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
