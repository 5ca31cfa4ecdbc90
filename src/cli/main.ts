import { existsSync } from 'node:fs';
import { editDistance } from '../model/edit-distance';
import { columns, Failed, UsageError } from './command';
import type { Command } from './command';
import { commands, serve } from './commands';
import { processIo } from './io';
import type { Host, Io } from './io';
import { removeTemporaryFolders } from './temporary';

/** The `rollscope` command: `main(['summary', 'run.jsonl'], host)`. Gives the exit code. */
export async function main(args: readonly string[], host: Host, io: Io = processIo(host)): Promise<number> {
  const [first = '', ...rest] = args;
  const named = commands.find(({ name }) => name === first);
  const command = named ?? serve;
  try {
    if (first === '--version') {
      await io.data(`${io.version}\n`);
      return 0;
    }
    if (first === '--help' || first === '-h') {
      await io.data(overview());
      return 0;
    }
    if (named === undefined && !first.startsWith('-') && first !== '' && !existsSync(first)) {
      throw new UsageError(`'${first}' is neither a command nor a file or folder.${hintFor(first)}`);
    }
    return await command.run(named === undefined ? args : rest, io);
  } catch (error) {
    return explain(error, command, io);
  } finally {
    removeTemporaryFolders();
  }
}

function explain(error: unknown, command: Command, io: Io): number {
  if (error instanceof UsageError) {
    io.note(`rollscope: ${error.message}`);
    io.note(`Usage: rollscope ${command.synopsis}   (rollscope ${command.name} --help says more)`);
    return 2;
  }
  if (error instanceof Failed) io.note(`rollscope: ${error.message}`);
  else io.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 1;
}

function overview(): string {
  const rows = commands.map(({ synopsis, about }) => [`rollscope ${synopsis}`, about]);
  return `Looks into the rollouts of reinforcement learning, episode by episode.

${columns(rows)}

  --version   the version
  --help      this text; after a command, its options

A path is a file, a folder, or - for standard input. Data goes to standard output, everything else to standard
error. Exit codes: 0 all well, 1 something failed or was found, 2 the command was not understood.
`;
}

/** `sumary` is most likely `summary`. */
function hintFor(typed: string): string {
  const close = commands.find(({ name }) => editDistance(name, typed) <= 2);
  if (close !== undefined) return ` Did you mean 'rollscope ${close.name}'?`;
  return ` The commands are ${commands.map(({ name }) => name).join(', ')}.`;
}
