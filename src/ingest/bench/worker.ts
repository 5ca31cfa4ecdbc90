import { indexed, parsed, streamed } from './limits';
import type { Port } from '../rpc';
import { tableTimes } from './table';

/** What the page of the bench can ask its worker to do. */
export type Task =
  { kind: 'stream' | 'parse' | 'index'; file: Blob } | { kind: 'table'; file: Blob; times: number };

const port: Port = self;

self.addEventListener('message', ({ data }: MessageEvent<Task>) => {
  run(data).then(
    (value) => port.postMessage({ value }),
    (error: unknown) => port.postMessage({ error: String(error) }),
  );
});

function run(task: Task): Promise<unknown> {
  switch (task.kind) {
    case 'stream':
      return streamed(task.file);
    case 'parse':
      return parsed(task.file);
    case 'index':
      return indexed(task.file);
    case 'table':
      return tableTimes(task.file, task.times);
  }
}
