import { exportEpisode, exporters, findExporter, type Exporter } from '../../formats';
import { defineCommand, UsageError, wholeNumber } from '../command';
import { eachEpisode } from '../episodes';
import { findInputs } from '../inputs';
import { safeLine, type Io } from '../io';

const targets = exporters.map(({ id }) => id);

export const convert = defineCommand({
  name: 'convert',
  synopsis: `convert <path> --to ${targets.join('|')} [--episode N]`,
  about: 'writes episodes in another format, one line of JSON each',
  details: `Writes every episode of a file or folder, or the one of --episode, as a line of JSON in another format:

  rollscope   all there is, to be opened again as it was (docs/rollscope-format.md)
  nemo-gym    a row of a rollouts file: request, output items, reward, indices
  statelm     what its RL loop holds at the end where that loop made the episode, else a result of its inference code
  openai      chat messages and tools, as for fine-tuning

What the target cannot hold is said on standard error, episode by episode; that is no failure. With --json each line is
{"episode", "losses", "record"} instead, the record as it would be written. - is standard input.

Exits with 1 if a file could not be read.`,
  options: {
    to: { type: 'string', value: targets.join('|'), about: 'the format to write' },
    episode: { type: 'string', value: 'N', about: 'only this episode of the file, from 0' },
  },
  async run({ positionals, json, text }, io) {
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) throw new UsageError('Name one file or folder.');
    const exporter = exporterFor(text('to'));
    const wanted = text('episode');
    const only = wanted === undefined ? undefined : wholeNumber('--episode', wanted);
    const inputs = await findInputs([path]);
    if (only !== undefined && inputs.length > 1) {
      throw new UsageError(`'${path}' is a folder. Name one file for --episode.`);
    }

    let failures = 0;
    for (const input of inputs) {
      const losses = new Losses(input.path, exporter, io);
      const { failure } = await eachEpisode(
        input,
        io,
        async (episode, number) => {
          const { text: line, losses: lost } = exportEpisode(episode, exporter);
          losses.add(number, lost);
          const told = `{"episode":${number},"losses":${JSON.stringify(lost)},"record":${line}}`;
          await io.data(safeLine(json ? told : line));
        },
        only,
      );
      losses.end();
      if (failure === undefined) continue;
      failures += 1;
      io.note(`${input.path}: ${failure.what} ${failure.next}`);
    }
    return failures === 0 ? 0 : 1;
  },
});

function exporterFor(id: string | undefined): Exporter {
  if (id === undefined) throw new UsageError(`To which format? Give --to ${targets.join('|')}.`);
  const exporter = findExporter(id);
  if (exporter === undefined) {
    throw new UsageError(`--to takes ${targets.join(', ')}, not '${id}'.`);
  }
  return exporter;
}

/** Episodes whose losses are said one by one; of the rest, that there are some. */
const namedEpisodes = 10;

class Losses {
  readonly #path: string;
  readonly #exporter: Exporter;
  readonly #io: Io;
  #episodes = 0;

  constructor(path: string, exporter: Exporter, io: Io) {
    this.#path = path;
    this.#exporter = exporter;
    this.#io = io;
  }

  add(episode: number, losses: readonly string[]): void {
    if (losses.length === 0) return;
    if (this.#episodes++ >= namedEpisodes) return;
    for (const loss of losses) this.#io.note(`${this.#path}: episode ${episode}: ${loss}`);
  }

  end(): void {
    const rest = this.#episodes - namedEpisodes;
    if (rest <= 0) return;
    this.#io.note(
      `${this.#path}: and ${rest} more episodes that ${this.#exporter.name} cannot hold as they are (--json lists all).`,
    );
  }
}
