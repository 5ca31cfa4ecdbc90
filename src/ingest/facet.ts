import type { Cell, Facet, TableQuery } from './protocol';
import type { JoinedTable } from './query';

const bins = 24;
const commonest = 50;

/** The spread of a column over the rows of a query. NaN and infinities are in no bin; NaN counts as missing. */
export function facetOf(table: JoinedTable, query: TableQuery, column: string): Facet {
  const rows = table.filtered(query.filter ?? '');
  const counts = new Map<NonNullable<Cell>, number>();
  const numbers: number[] = [];
  let missing = 0;
  for (const row of rows) {
    const cell = table.cell(row, column);
    if (cell === undefined || Number.isNaN(cell)) {
      missing += 1;
      continue;
    }
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
    if (typeof cell !== 'string' && Number.isFinite(Number(cell))) numbers.push(Number(cell));
  }
  const values = [...counts].sort(([, a], [, b]) => b - a).slice(0, commonest);
  const histogram = histogramOf(numbers);
  return {
    rows: rows.length,
    missing,
    ...(histogram === undefined ? {} : { numbers: histogram }),
    values: values.map(([value, count]) => ({ value, count })),
    distinct: counts.size,
  };
}

function histogramOf(numbers: readonly number[]): Facet['numbers'] | undefined {
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
  const counts = Array.from({ length: bins }, () => 0);
  for (const number of numbers) {
    let bin = Math.min(bins - 1, Math.floor((number - min) / width));
    // Rounding may put a number beside the edge its bin is said to have.
    if (number < min + bin * width) bin -= 1;
    else if (bin < bins - 1 && number >= min + (bin + 1) * width) bin += 1;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return {
    ...common,
    bins: counts.map((count, bin) => ({
      from: min + bin * width,
      to: bin === bins - 1 ? max : min + (bin + 1) * width,
      count,
    })),
  };
}
