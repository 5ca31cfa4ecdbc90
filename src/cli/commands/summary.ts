import { columns, defineCommand, Failed, UsageError } from '../command';
import { readSource } from '../../ingest';
import type { ReadResult } from '../../ingest';
import { findInputs, openInput } from '../inputs';
import type { Input } from '../inputs';
import { jsonLine, printable } from '../io';
import type { Io } from '../io';
import { Tallying } from '../tally';
import type { Tally } from '../tally';

export const summary = defineCommand({
  name: 'summary',
  synopsis: 'summary <paths...>',
  about: 'counts what is in files: records, episodes, messages, tool calls, rewards, steps',
  details: `Per file: its format and how many records, episodes, parse errors, messages, tool calls, tool results, reasoning items,
rewards, steps, edits and samples it holds. Items of the request are counted apart from those of the response.
Folders are searched through all their levels; - is standard input.

Exits with 1 if a file could not be read or nothing in it is JSON. Lines that are not JSON are counted and named on
standard error; they are no failure as long as the rest can be read (rollscope lint takes them for one). What can not
be opened has only its path and the failure, and the rest is read all the same.`,
  options: {},
  async run({ positionals, json }, io) {
    if (positionals.length === 0) throw new UsageError('Which files? Name at least one file or folder.');
    let failures = 0;
    for (const input of await findInputs(positionals)) {
      const blob = await opened(input, io);
      if (blob instanceof Failed) {
        failures++;
        io.note(`${input.path}: ${blob.message}`);
        const failure = { what: blob.message, next: 'Check the path, and that you may read it.' };
        if (json) await io.data(jsonLine({ path: input.path, failure }));
        continue;
      }
      const read = await summarise(input, blob, io);
      await io.data(json ? jsonLine(jsonOf(input, read)) : textOf(input, read));
      if (read.failure !== undefined) {
        failures++;
        io.note(`${input.path}: ${read.failure.what} ${read.failure.next}`);
      }
    }
    return failures === 0 ? 0 : 1;
  },
});

type Summary = Tally &
  Pick<ReadResult, 'format' | 'records' | 'episodes' | 'problems' | 'failure'> & { container: string };

/** Problems that are named one by one; the rest only as a number. */
const namedProblems = 10;

/** One that can not be opened does not keep the others from being counted. */
async function opened(input: Input, io: Io): Promise<Blob | Failed> {
  try {
    return await openInput(input, io.stdin);
  } catch (error) {
    if (error instanceof Failed) return error;
    throw error;
  }
}

async function summarise(input: Input, blob: Blob, io: Io): Promise<Summary> {
  const tallying = new Tallying();
  let seen = 0;
  const result = await readSource(blob, {
    record: (record) => tallying.add(record),
    problem: ({ path, line, reason }) => {
      const file = path === undefined ? input.path : `${input.path} > ${path}`;
      if (seen++ < namedProblems) io.note(`${file}: line ${line}: ${reason}`);
    },
  });
  if (seen > namedProblems) io.note(`${input.path}: and ${seen - namedProblems} more parse errors`);
  return { ...tallying.result(), ...result, container: containerName(result.containers) };
}

/** `plain`, `gzip`, and as file names have it from the inside out: `tar.gz`. */
function containerName(containers: readonly string[]): string {
  if (containers.length < 2) return containers[0] ?? 'plain';
  return containers
    .map((name) => ({ gzip: 'gz', zstd: 'zst' })[name] ?? name)
    .reverse()
    .join('.');
}

function jsonOf({ path }: Input, summary: Summary): object {
  const { messages, toolCalls, toolResults, reasoning } = summary;
  const { inputMessages, inputToolCalls, inputToolResults, inputReasoning } = summary;
  const { container, records, episodes, problems, rewards, steps, edits, samples, gaps, failure } = summary;
  return {
    path,
    format: summary.format?.id ?? null,
    container,
    records,
    episodes,
    parseErrors: problems,
    messages,
    toolCalls,
    toolResults,
    reasoning,
    inputMessages,
    inputToolCalls,
    inputToolResults,
    inputReasoning,
    rewards,
    steps,
    edits,
    samples,
    gaps,
    ...(failure === undefined ? {} : { failure }),
  };
}

function textOf({ path }: Input, summary: Summary): string {
  const { format, container, records, episodes, problems, rewards, gaps } = summary;
  const rows = [
    ['format', `${format?.name ?? 'unknown'}${container === 'plain' ? '' : ` in ${container}`}`],
    ['records', String(records)],
    ['episodes', String(episodes)],
    ['parse errors', String(problems)],
    ['messages', counted(summary.messages, summary.inputMessages)],
    ['tool calls', counted(summary.toolCalls, summary.inputToolCalls)],
    ['tool results', counted(summary.toolResults, summary.inputToolResults)],
    ['reasoning', counted(summary.reasoning, summary.inputReasoning)],
    ['rewards', rewardsText(rewards)],
    ['steps', String(summary.steps)],
    ['edits', String(summary.edits)],
    ['samples', String(summary.samples)],
    ['gaps', gaps.length === 0 ? 'none' : gaps.join(', ')],
  ];
  return `${printable(path)}\n${columns(rows)}\n\n`;
}

function counted(own: number, input: number): string {
  return input === 0 ? String(own) : `${own} and ${input} in the request`;
}

function rewardsText({ count, sum, mean, min, max }: Tally['rewards']): string {
  if (mean === null || min === null || max === null) return '0';
  return `${count}: sum ${short(sum)}, mean ${short(mean)}, from ${short(min)} to ${short(max)}`;
}

/** Without the digits that adding leaves behind: 0.30000000000000004 is 0.3. */
function short(number: number): string {
  return String(Number(number.toPrecision(6)));
}
