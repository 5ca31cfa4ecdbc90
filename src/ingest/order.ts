/** One key of a sort: a number per row, NaN for a row that has none. */
export interface SortKey {
  values: Float64Array;
  descending: boolean;
}

/**
 * The given rows in order: by the first key, then the second, and where all are equal as they stood. Rows without a
 * value come last in either direction.
 *
 * A radix sort: its time does not depend on a comparison function, which would be called twenty million times
 * for a million rows. Each key is sorted by from the last to the first, which a stable sort allows.
 */
export function sortRows(rows: Uint32Array, keys: readonly SortKey[]): Uint32Array {
  let order: Uint32Array = rows.slice();
  for (const key of [...keys].reverse()) order = sortedBy(order, key);
  return order;
}

/** Three digits of 11 bits make a half. */
const digitBits = 11;
const digits = 1 << digitBits;
const digitsOfHalf = 3;

/** Rows with their keys beside them, so that each pass reads them one after another and not all over memory. */
interface Keyed {
  rows: Uint32Array;
  high: Uint32Array;
  low: Uint32Array;
}

function sortedBy(rows: Uint32Array, key: SortKey): Uint32Array {
  const { length } = rows;
  let from: Keyed = { rows, high: new Uint32Array(length), low: new Uint32Array(length) };
  let into: Keyed = {
    rows: new Uint32Array(length),
    high: new Uint32Array(length),
    low: new Uint32Array(length),
  };
  toSortable(key, from);
  for (const half of ['low', 'high'] as const) {
    for (let nth = 0; nth < digitsOfHalf; nth++) {
      if (passByDigit(from[half], nth * digitBits, from, into)) [from, into] = [into, from];
    }
  }
  return from.rows;
}

const counts = new Uint32Array(digits);

/** False, and nothing done, where all rows have the same digit. */
function passByDigit(half: Uint32Array, shift: number, from: Keyed, into: Keyed): boolean {
  const { length } = half;
  counts.fill(0);
  for (let i = 0; i < length; i++) {
    const digit = ((half[i] ?? 0) >>> shift) & (digits - 1);
    counts[digit] = (counts[digit] ?? 0) + 1;
  }
  if (counts[((half[0] ?? 0) >>> shift) & (digits - 1)] === length) return false;
  let sum = 0;
  for (let digit = 0; digit < digits; digit++) {
    const count = counts[digit] ?? 0;
    counts[digit] = sum;
    sum += count;
  }
  const { rows, high, low } = from;
  const [toRows, toHigh, toLow] = [into.rows, into.high, into.low];
  for (let i = 0; i < length; i++) {
    const digit = ((half[i] ?? 0) >>> shift) & (digits - 1);
    const at = counts[digit] ?? 0;
    counts[digit] = at + 1;
    toRows[at] = rows[i] ?? 0;
    toHigh[at] = high[i] ?? 0;
    toLow[at] = low[i] ?? 0;
  }
  return true;
}

/**
 * A double as two unsigned halves that order as it does: the bits of a positive one with the sign set, of a
 * negative one all flipped.
 */
function toSortable({ values, descending }: SortKey, { rows, high, low }: Keyed): void {
  const halves = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const value = values[row] ?? NaN;
    if (value !== value) {
      high[i] = 0xffffffff;
      low[i] = 0xffffffff;
      continue;
    }
    // Little-endian, as every engine's typed arrays are in practice. Both zeros are one value.
    const lowHalf = value === 0 ? 0 : (halves[row * 2] ?? 0);
    const highHalf = value === 0 ? 0 : (halves[row * 2 + 1] ?? 0);
    const flip = highHalf >= 0x80000000 ? 0xffffffff : 0;
    const sortableHigh = (highHalf ^ (flip | 0x80000000)) >>> 0;
    const sortableLow = (lowHalf ^ flip) >>> 0;
    high[i] = descending ? ~sortableHigh : sortableHigh;
    low[i] = descending ? ~sortableLow : sortableLow;
  }
}

/** All rows, as they stand. */
export function allRows(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}
