import { createWriteStream, existsSync, renameSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { random, type Random } from './random';
import { rolloutBody } from './rollout-body';
import { rowMetrics } from './row-metrics';

/** Changes with what is generated, so that a kept file of an older generator is not taken for a new one. */
const generation = 1;

/** Where files of earlier runs may be, and where those of this run go, which is there. */
export interface Folders {
  kept: string;
  own: string;
}

/** Different rollouts in a file; what tells the lines apart beyond these stands at the end of each. */
const bodies = 300;

/** A NeMo Gym run of so many bytes, in lines of 2 KB to 200 KB. The same for the same size, on every machine. */
export async function rolloutFile(folders: Folders, bytes: number): Promise<string> {
  return made(folders, `rollouts-${bytes}-${generation}.jsonl`, function* () {
    const next = random(bytes);
    const pool = Array.from({ length: bodies }, () => Buffer.from(rolloutBody(next, logUniform(next))));
    let written = 0;
    for (let index = 0; written < bytes; index++) {
      const body = pool[Math.floor(next() * bodies)] ?? Buffer.alloc(0);
      const line = Buffer.concat([body, Buffer.from(lineEnd(index, next))]);
      written += line.length;
      yield line;
    }
  });
}

/** Very short rollouts, with numbers to sort by. */
export async function rowsFile(folders: Folders, rows: number): Promise<string> {
  return made(folders, `rows-${rows}-${generation}.jsonl`, function* () {
    const next = random(rows);
    let batch = '';
    for (let index = 0; index < rows; index++) {
      const numbers = Array.from({ length: rowMetrics }, (_, m) => `"m${m}":${next().toFixed(9)}`).join();
      batch += `{"responses_create_params":{"input":[]},"response":{"output":[]},${numbers}${lineEnd(index, next)}`;
      if (batch.length < 1e6 && index + 1 < rows) continue;
      yield Buffer.from(batch);
      batch = '';
    }
  });
}

function lineEnd(index: number, next: Random): string {
  const reward = next() < 0.4 ? Math.round(next()) : Number(next().toFixed(4));
  return `,"reward":${reward},"_ng_task_index":${Math.floor(index / 8)},"_ng_rollout_index":${index % 8}}\n`;
}

/** From 2,000 to 200,000, as many between 2,000 and 20,000 as between 20,000 and 200,000. */
function logUniform(next: Random): number {
  return Math.round(2000 * 100 ** next());
}

async function made({ kept, own }: Folders, name: string, chunks: () => Generator<Buffer>): Promise<string> {
  for (const folder of [kept, own]) if (existsSync(join(folder, name))) return join(folder, name);
  const file = join(own, name);
  const making = `${file}.${process.pid}`;
  const stream = createWriteStream(making);
  for (const chunk of chunks()) if (!stream.write(chunk)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'close');
  // Only whole files have the name that is looked for.
  renameSync(making, file);
  return file;
}
