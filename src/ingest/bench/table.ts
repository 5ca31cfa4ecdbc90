import { createIngest } from '../ingest';
import { rowMetrics } from './row-metrics';

/** Milliseconds, one entry for each time it was done. */
export interface TableTimes {
  rows: number;
  sort: number[];
  bareSort: number[];
  filter: number[];
  bareScan: number[];
}

/**
 * Sorts and filters all rows of a file of `rowsFile`, each time by another column, so that nothing is at hand from
 * before; and does the like with a bare array of the same numbers, in the same worker, in turn.
 */
export async function tableTimes(file: Blob, times: number): Promise<TableTimes> {
  const ingest = createIngest();
  await ingest.open({ id: 'rows', name: 'rows', data: file }, () => undefined);
  const sources = ['rows'];
  const { total } = await ingest.rows({ sources, sort: [] }, 0, 1);
  const result: TableTimes = { rows: total, sort: [], bareSort: [], filter: [], bareScan: [] };
  // The first time is to warm up.
  for (let time = 0; time <= Math.min(times, rowMetrics - 1); time++) {
    const column = `metric:m${time}`;
    const values = Float64Array.from({ length: total }, () => Math.random());
    const sort = await timed(() => ingest.rows({ sources, sort: [{ column, descending: true }] }, 0, 50));
    const below = `m${time} < 0.5`;
    const filter = await timed(() => ingest.rows({ sources, sort: [], filter: below }, 0, 50));
    const kept = (await ingest.rows({ sources, sort: [], filter: below }, 0, 0)).total / total;
    // A filter that is wrong keeps every row, and is fast.
    if (Math.abs(kept - 0.5) > 0.1) throw new Error(`${below} kept ${kept} of the rows`);
    const bareScan = await timed(() => scan(values));
    const bareSort = await timed(() => values.sort());
    if (time === 0) continue;
    result.sort.push(sort);
    result.filter.push(filter);
    result.bareScan.push(bareScan);
    result.bareSort.push(bareSort);
  }
  await ingest.close('rows');
  return result;
}

/** The rows with a value below a half, as the rows a filter leaves. */
function scan(values: Float64Array): Uint32Array {
  const found = new Uint32Array(values.length);
  let count = 0;
  for (let row = 0; row < values.length; row++) if ((values[row] ?? 0) < 0.5) found[count++] = row;
  return found.subarray(0, count);
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
