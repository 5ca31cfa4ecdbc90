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
  let order = rows.slice();
  let spare = new Uint32Array(rows.length);
  for (const key of [...keys].reverse()) {
    const high = new Uint32Array(key.values.length);
    const low = new Uint32Array(key.values.length);
    toSortable(key, high, low);
    for (const half of [low, high]) {
      for (let shift = 0; shift < 32; shift += digitBits) {
        if (passByDigit(half, shift, order, spare)) [order, spare] = [spare, order];
      }
    }
  }
  return order;
}

/** Three digits of 11 bits make a half. */
const digitBits = 11;
const digits = 1 << digitBits;
const counts = new Uint32Array(digits);

/** False, and nothing done, where all rows have the same digit. */
function passByDigit(half: Uint32Array, shift: number, from: Uint32Array, into: Uint32Array): boolean {
  counts.fill(0);
  // Plain loops: iterating over the rows takes several times as long until it is optimised.
  for (let i = 0; i < from.length; i++) {
    const digit = ((half[from[i] ?? 0] ?? 0) >>> shift) & (digits - 1);
    counts[digit] = (counts[digit] ?? 0) + 1;
  }
  const firstDigit = ((half[from[0] ?? 0] ?? 0) >>> shift) & (digits - 1);
  if (counts[firstDigit] === from.length) return false;
  let sum = 0;
  for (let digit = 0; digit < digits; digit++) {
    const count = counts[digit] ?? 0;
    counts[digit] = sum;
    sum += count;
  }
  for (let i = 0; i < from.length; i++) {
    const row = from[i] ?? 0;
    const digit = ((half[row] ?? 0) >>> shift) & (digits - 1);
    const at = counts[digit] ?? 0;
    into[at] = row;
    counts[digit] = at + 1;
  }
  return true;
}

/**
 * A double as two unsigned halves that order as it does: the bits of a positive one with the sign set, of a
 * negative one all flipped.
 */
function toSortable({ values, descending }: SortKey, high: Uint32Array, low: Uint32Array): void {
  const halves = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? NaN;
    if (value !== value) {
      high[row] = 0xffffffff;
      low[row] = 0xffffffff;
      continue;
    }
    // Little-endian, as every engine's typed arrays are in practice. Both zeros are one value.
    const lowHalf = value === 0 ? 0 : (halves[row * 2] ?? 0);
    const highHalf = value === 0 ? 0 : (halves[row * 2 + 1] ?? 0);
    const flip = highHalf >= 0x80000000 ? 0xffffffff : 0;
    const sortableHigh = (highHalf ^ (flip | 0x80000000)) >>> 0;
    const sortableLow = (lowHalf ^ flip) >>> 0;
    high[row] = descending ? ~sortableHigh : sortableHigh;
    low[row] = descending ? ~sortableLow : sortableLow;
  }
}

/** All rows, as they stand. */
export function allRows(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}
