import type { TableTimes } from '../../../ingest/bench/table';
import type { Task } from '../../../ingest/bench/worker';
import { connectIngest } from '../../../ingest/client';

/** What sections call in the page of the bench, as `bench`. Files are those of the page's only input. */
export interface PageBench {
  /** Milliseconds. */
  limit(kind: 'stream' | 'parse' | 'index'): Promise<number>;
  /** Milliseconds for opening the file as the app does, up to its last row. */
  pipeline(): Promise<number>;
  table(times: number): Promise<TableTimes>;
}

const port = new Worker(new URL('../../../ingest/bench/worker.ts', import.meta.url), { type: 'module' });
const ingest = connectIngest();

const bench: PageBench = {
  limit: (kind) => ask({ kind, file: chosen() }),
  async pipeline() {
    const file = chosen();
    const started = performance.now();
    let failure: string | undefined;
    await ingest.open({ id: 'bench', name: file.name, data: file }, (state) => {
      failure = state.failure?.what;
    });
    const ended = performance.now();
    await ingest.close('bench');
    if (failure !== undefined) throw new Error(failure);
    return ended - started;
  },
  table: (times) => ask({ kind: 'table', file: chosen(), times }),
};
Object.assign(globalThis, { bench });

function chosen(): File {
  const file = document.querySelector('input')?.files?.[0];
  if (file === undefined) throw new Error('No file was chosen');
  return file;
}

/** The value is what the worker's function for this task returned. */
function ask<Value>(task: Task): Promise<Value> {
  return new Promise((resolve, reject) => {
    port.addEventListener(
      'message',
      ({ data }) => (data.error === undefined ? resolve(data.value) : reject(new Error(data.error))),
      { once: true },
    );
    port.postMessage(task);
  });
}
