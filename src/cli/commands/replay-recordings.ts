import { closest, JoinIndex, joinKeys } from '../../formats';
import { readSource } from '../../ingest';
import type { Recording } from '../../live';
import { openInput, type Input } from '../inputs';
import type { Io } from '../io';

export interface FileRecording extends Recording {
  readonly path: string;
  /** Its number in the file, from 0. */
  readonly number: number;
}

const taskInput = 'nemo_gym_task_input';

/**
 * Shows the episodes of files to `visit`, each with its record, and with the task input that belongs to it where one is
 * among the files. They are read twice, because the inputs may come last; only those are kept. Gives how many files could
 * not be read.
 */
export async function eachRecording(
  inputs: readonly Input[],
  io: Io,
  visit: (recording: FileRecording) => Promise<void>,
): Promise<number> {
  const tasks: unknown[] = [];
  const index = new JoinIndex();
  const sources = [];
  for (const input of inputs) {
    const blob = await openInput(input, io.stdin);
    const { failure } = await readSource(blob, {
      record({ record, format }) {
        if (format?.id !== taskInput) return;
        index.add(joinKeys(record.value), tasks.length);
        tasks.push(record.value);
      },
      problem({ line, reason }) {
        io.note(`${input.path}: line ${line}: ${reason}`);
      },
    });
    sources.push({ input, blob });
    if (failure !== undefined) io.note(`${input.path}: ${failure.what} ${failure.next}`);
  }

  const inputOf = (record: unknown): Pick<Recording, 'input'> => {
    const joined = index.find(joinKeys(record));
    const [best] = closest(record, joined?.found ?? [], (position) => tasks[position]);
    return best === undefined ? {} : { input: tasks[best] };
  };
  let failures = 0;
  for (const { input, blob } of sources) {
    let before = 0;
    const { failure } = await readSource(blob, {
      async record({ record, format, summaries }) {
        for (const nth of summaries.keys()) {
          const number = before++;
          if (format === undefined || format.id === taskInput) continue;
          const episode = format.episode(record, nth);
          await visit({
            path: input.path,
            number,
            episode,
            record: record.value,
            ...inputOf(record.value),
          });
        }
      },
    });
    if (failure !== undefined) failures += 1;
  }
  return failures;
}
