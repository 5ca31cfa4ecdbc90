/** What the policy did at a step, as far as steps are told apart by it. */
export interface Act {
  /** The names of the tools it called. */
  tools: string;
  /** Those with their arguments, white space aside. */
  calls: string;
  /** All of it. */
  whole: string;
}

export type AlignedSteps =
  { kind: 'both'; a: number; b: number } | { kind: 'a'; a: number } | { kind: 'b'; b: number };

/** How much two steps speak for standing in one row. What is different altogether may stand there too, for nothing. */
function likeness(a: Act | undefined, b: Act | undefined): number {
  if (a === undefined || b === undefined || a.tools !== b.tools) return 0;
  if (a.whole === b.whole) return 4;
  return a.calls === b.calls ? 3 : 2;
}

/** Cells of the table that the steps between two anchors may take: 2,000 by 2,000 steps. */
const mostCells = 4_000_000;

/**
 * Which step of one episode corresponds to which of another. What they begin and end with in common stands in a row, then
 * what happens once in each, and between these whatever is most alike.
 */
export function alignSteps(a: readonly Act[], b: readonly Act[]): AlignedSteps[] {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start]?.whole === b[start]?.whole) start++;
  let end = 0;
  while (
    end < Math.min(a.length, b.length) - start &&
    a[a.length - 1 - end]?.whole === b[b.length - 1 - end]?.whole
  ) {
    end++;
  }
  const rows: AlignedSteps[] = [];
  for (let step = 0; step < start; step++) rows.push({ kind: 'both', a: step, b: step });
  let [fromA, fromB] = [start, start];
  for (const [toA, toB] of [...anchors(a, b, start, end), [a.length - end, b.length - end] as const]) {
    between(a, b, [fromA, toA], [fromB, toB], rows);
    if (toA < a.length - end) rows.push({ kind: 'both', a: toA, b: toB });
    [fromA, fromB] = [toA + 1, toB + 1];
  }
  for (let left = end; left > 0; left--) rows.push({ kind: 'both', a: a.length - left, b: b.length - left });
  return rows;
}

/** Pairs of steps that are the same and happen once in each, the longest row of them that rises in both. Only where the table would be too large without. */
function anchors(
  a: readonly Act[],
  b: readonly Act[],
  start: number,
  end: number,
): (readonly [number, number])[] {
  const [lengthA, lengthB] = [a.length - end, b.length - end];
  if ((lengthA - start) * (lengthB - start) <= mostCells) return [];
  const places = onceIn(b, start, lengthB);
  const pairs = [...onceIn(a, start, lengthA)].flatMap(([whole, at]) => {
    const other = places.get(whole);
    return other === undefined ? [] : [[at, other] as const];
  });
  pairs.sort(([one], [other]) => one - other);
  return rising(pairs);
}

function onceIn(acts: readonly Act[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  for (let step = from; step < to; step++) {
    const whole = acts[step]?.whole ?? '';
    if (places.has(whole)) twice.add(whole);
    places.set(whole, step);
  }
  for (const whole of twice) places.delete(whole);
  return places;
}

/** The longest part of pairs, ascending by their first, that ascends by the second too. */
function rising(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const ends: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, second], index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? -1]?.[1] ?? Infinity) < second) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  });
  const found: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) found.push(pair);
  }
  return found.reverse();
}

/** Aligns two stretches so that the likenesses of the pairs add up to the most. */
function between(
  a: readonly Act[],
  b: readonly Act[],
  [fromA, toA]: readonly [number, number],
  [fromB, toB]: readonly [number, number],
  rows: AlignedSteps[],
): void {
  const [height, width] = [toA - fromA, toB - fromB];
  const small = height * width <= mostCells;
  const table = small ? bestSums(a, b, fromA, fromB, height, width) : new Uint32Array();
  const sum = (i: number, j: number): number => table[i * (width + 1) + j] ?? 0;
  let [i, j] = [0, 0];
  while (i < height || j < width) {
    const both = i < height && j < width;
    const own = both ? likeness(a[fromA + i], b[fromB + j]) : 0;
    if (both && (!small || sum(i, j) === own + sum(i + 1, j + 1))) {
      rows.push({ kind: 'both', a: fromA + i++, b: fromB + j++ });
    } else if (i < height && (j === width || sum(i, j) === sum(i + 1, j)))
      rows.push({ kind: 'a', a: fromA + i++ });
    else rows.push({ kind: 'b', b: fromB + j++ });
  }
}

/** `table[i * (width + 1) + j]`: the most that the steps from `i` and `j` on can add up to. */
function bestSums(
  a: readonly Act[],
  b: readonly Act[],
  fromA: number,
  fromB: number,
  height: number,
  width: number,
): Uint32Array {
  const table = new Uint32Array((height + 1) * (width + 1));
  for (let i = height - 1; i >= 0; i--) {
    for (let j = width - 1; j >= 0; j--) {
      const here = i * (width + 1) + j;
      const below = table[here + width + 1] ?? 0;
      const beside = table[here + 1] ?? 0;
      const pair = likeness(a[fromA + i], b[fromB + j]) + (table[here + width + 2] ?? 0);
      table[here] = Math.max(below, beside, pair);
    }
  }
  return table;
}
