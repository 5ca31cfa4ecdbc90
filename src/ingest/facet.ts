import type { Cell, Facet, TableQuery } from './protocol';
import type { JoinedTable } from './query';

const bins = 24;
const commonest = 50;

/** The spread of a column over the rows of a query. NaN and infinities are in no bin; NaN counts as missing. */
export function facetOf(table: JoinedTable, query: TableQuery, column: string): Facet {
  const rows = table.filtered(query.filter ?? '');
  const counts = table.counts(rows, column);
  let filled = 0;
  for (const count of counts.values()) filled += count;
  const values = table.numbers(column);
  const numbers = new Float64Array(rows.length);
  let length = 0;
  for (const row of rows) {
    const value = values[row] ?? NaN;
    if (Number.isFinite(value)) numbers[length++] = value;
  }
  const histogram = histogramOf(numbers.subarray(0, length));
  return {
    rows: rows.length,
    missing: rows.length - filled,
    ...(histogram === undefined ? {} : { numbers: histogram }),
    values: mostFrequent(counts),
    distinct: counts.size,
  };
}

/** As a stable sort would put them first, without sorting what may be a million of values that come once. */
function mostFrequent(counts: ReadonlyMap<NonNullable<Cell>, number>): Facet['values'] {
  const most: Facet['values'] = [];
  for (const [value, count] of counts) {
    if (most.length === commonest && count <= (most.at(-1)?.count ?? 0)) continue;
    most.splice(most.findLastIndex((other) => other.count >= count) + 1, 0, { value, count });
    if (most.length > commonest) most.pop();
  }
  return most;
}

function histogramOf(numbers: Float64Array): Facet['numbers'] | undefined {
  if (numbers.length === 0) return undefined;
  let [min, max, sum] = [Infinity, -Infinity, 0];
  for (const number of numbers) {
    min = Math.min(min, number);
    max = Math.max(max, number);
    sum += number;
  }
  const common = { count: numbers.length, min, max, mean: sum / numbers.length };
  const width = (max - min) / bins;
  // All the same, or so close, or so far apart, that there is nothing to divide.
  if (!(width > 0) || min + width === min || !Number.isFinite(width)) {
    return { ...common, bins: [{ from: min, to: max, count: numbers.length }] };
  }
  const edges = Array.from({ length: bins - 1 }, (_, bin) => readable(min + (bin + 1) * width, width));
  const found = [min, ...edges].map((from, bin) => ({ from, to: edges[bin] ?? max, count: 0 }));
  for (const number of numbers) {
    // Rounding may put a number beside the edge of its bin.
    const near = Math.min(bins - 1, Math.floor((number - min) / width));
    const bin =
      number < (found[near]?.from ?? min) ? near - 1 : number >= (edges[near] ?? Infinity) ? near + 1 : near;
    const own = found[bin];
    if (own !== undefined) own.count += 1;
  }
  return { ...common, bins: found };
}

/** Edges of bins are quotients: 0.29166666666666663 is written as 0.291667. As exact as the width of a bin demands. */
function readable(edge: number, width: number): number {
  const decimals = Math.ceil(4 - Math.log10(width));
  return decimals > 100 ? edge : Number(edge.toFixed(Math.max(0, decimals)));
}
