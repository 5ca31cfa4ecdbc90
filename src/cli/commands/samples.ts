import { samplesOf, sizesOf, type Episode, type Sample, type Slicing } from '../../model';
import { defineCommand, UsageError, wholeNumber } from '../command';
import { eachEpisode } from '../episodes';
import { findInputs } from '../inputs';
import { jsonLine } from '../io';

export const samples = defineCommand({
  name: 'samples',
  synopsis: 'samples <path> [--episode N] [--slicing aligned|tail]',
  about: 'the training samples that episodes become, and how many of their tokens are trained',
  details: `Prints a line for each training sample: what it is, the steps it is there for, and the sizes of its prompt, response and
mask. An episode becomes one sample, and one more for every edit of its context.

Samples are cut out of the recorded token ids of the model calls: aligned (the response is all that came since the context
was last rendered) unless --slicing tail asks for the last len(mask) tokens, as StateLM's reference has it. Where a file
records samples but no calls, those are printed; where it records neither, the sizes are null. - is standard input.

Exits with 1 if the file could not be read.`,
  options: {
    episode: { type: 'string', value: 'N', about: 'only this episode of the file, from 0' },
    slicing: { type: 'string', value: 'aligned|tail', about: 'how samples are cut out of the context' },
  },
  async run({ positionals, json, text }, io) {
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) throw new UsageError('Name one file.');
    const wanted = text('episode');
    const only = wanted === undefined ? undefined : wholeNumber('--episode', wanted);
    const slicing = slicingOption(text('slicing'));
    const [input, ...more] = await findInputs([path]);
    if (input === undefined || more.length > 0) throw new UsageError(`'${path}' is a folder. Name one file.`);

    if (!json) await io.data(`${row(headings)}\n`);
    const { failure } = await eachEpisode(
      input,
      io,
      async (episode, number) => {
        for (const line of linesOf(episode, number, slicing)) {
          await io.data(json ? jsonLine(line) : `${row(cellsOf(line))}\n`);
        }
      },
      only,
    );
    if (failure === undefined) return 0;
    io.note(`${input.path}: ${failure.what} ${failure.next}`);
    return 1;
  },
});

function slicingOption(text = 'aligned'): Slicing {
  if (text === 'aligned' || text === 'tail') return text;
  throw new UsageError(`--slicing takes aligned or tail, not '${text}'.`);
}

interface Line {
  episode: number;
  index: number;
  kind: Sample['kind'];
  firstStep: number;
  lastStep: number;
  promptTokens: number | null;
  responseTokens: number | null;
  maskLength: number | null;
  trainedTokens: number | null;
  slicing: Slicing;
  /** Cut out of recorded token ids, or recorded as a sample. */
  truth: 'derived' | 'recorded';
}

function linesOf(episode: Episode, number: number, slicing: Slicing): Line[] {
  const derived = samplesOf(episode, slicing);
  const recorded = episode.samples ?? [];
  const isDerived = recorded.length === 0 || derived.some(({ tokens }) => tokens !== undefined);
  return (isDerived ? derived : recorded).map((sample) => {
    const sizes = sizesOf(sample);
    return {
      episode: number,
      index: sample.index,
      kind: sample.kind,
      firstStep: sample.firstStep,
      lastStep: sample.lastStep,
      promptTokens: sizes?.prompt ?? null,
      responseTokens: sizes?.response ?? null,
      maskLength: sizes?.mask ?? null,
      trainedTokens: sizes?.trained ?? null,
      slicing,
      truth: isDerived ? 'derived' : 'recorded',
    };
  });
}

const headings = ['episode', 'sample', 'kind', 'steps', 'prompt', 'response', 'mask', 'trained', ''];

function cellsOf(line: Line): string[] {
  return [
    String(line.episode),
    String(line.index),
    line.kind,
    line.lastStep < line.firstStep ? 'none' : `${line.firstStep}-${line.lastStep}`,
    size(line.promptTokens),
    size(line.responseTokens),
    size(line.maskLength),
    size(line.trainedTokens),
    line.truth,
  ];
}

function size(count: number | null): string {
  return count === null ? '-' : String(count);
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell) => cell.padEnd(9))
    .join(' ')
    .trimEnd();
}
