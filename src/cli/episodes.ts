import { readSource, type ReadResult } from '../ingest';
import type { Episode } from '../model';
import { Failed } from './command';
import { openInput, type Input } from './inputs';
import type { Io } from './io';

/** Problems that are named one by one; the rest only as a number. */
const namedProblems = 10;

/**
 * Shows the episodes of a file to `visit`, one after another with flat memory, or only the one of number `only`, and then
 * reads no further. Lines that are not JSON are named on standard error.
 */
export async function eachEpisode(
  input: Input,
  io: Io,
  visit: (episode: Episode, number: number) => void | Promise<void>,
  only?: number,
): Promise<ReadResult> {
  const found = new AbortController();
  let before = 0;
  let problems = 0;
  const result = await readSource(
    await openInput(input, io.stdin),
    {
      async record({ record, format, summaries }) {
        for (const nth of summaries.keys()) {
          const number = before++;
          if (format === undefined || found.signal.aborted || (only !== undefined && number !== only))
            continue;
          await visit(format.episode(record, nth), number);
          if (number === only) found.abort();
        }
      },
      problem({ path, line, reason }) {
        const file = path === undefined ? input.path : `${input.path} > ${path}`;
        if (problems++ < namedProblems) io.note(`${file}: line ${line}: ${reason}`);
      },
    },
    { signal: found.signal },
  );
  if (problems > namedProblems) io.note(`${input.path}: and ${problems - namedProblems} more parse errors`);
  if (only !== undefined && !found.signal.aborted && result.failure === undefined) {
    throw new Failed(`There is no episode ${only}: ${input.path} has ${range(result.episodes, 'episode')}.`);
  }
  return result;
}

/** `12 steps, 0 to 11` */
export function range(count: number, what: string): string {
  if (count === 0) return `no ${what}s`;
  return count === 1 ? `one ${what}, 0` : `${counted(count, what)}, 0 to ${count - 1}`;
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
