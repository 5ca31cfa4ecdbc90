import { readFile } from 'node:fs/promises';
import type { Environment, Mistakes } from '../../gym';
import { errorText } from '../../model/error-text';
import { defineCommand, Failed, portNumber, UsageError, wholeNumber } from '../command';
import { jsonLine } from '../io';

export const gym = defineCommand({
  name: 'gym',
  synopsis: 'gym [--env NAME]',
  about: 'the environment server on a port',
  details: `Serves the environments on 127.0.0.1 until Ctrl+C: POST /seed_session, POST /<tool>, POST /verify, GET /tools,
GET /openapi.json, GET /metrics. With --env its endpoints stand at the root, without it every environment under
/NAME/. The address goes to standard output, one line per request to standard error.`,
  options: {
    env: { type: 'string', value: 'NAME', about: 'serve this environment alone, at the root' },
    port: { type: 'string', value: 'N', about: 'the port; 8000 if not given' },
    store: { type: 'string', value: 'WHERE', about: 'memory (default), redis://... or http://...' },
    workers: { type: 'string', value: 'N', about: 'so many processes; they need a store that they share' },
    idle: {
      type: 'string',
      value: 'SECONDS',
      about: 'forget sessions after so long without a request; 1800 if not given',
    },
    config: { type: 'string', value: 'FILE', about: 'YAML of the per-user workflow' },
    secret: {
      type: 'string',
      value: 'S',
      about: 'signs the cookies; else ROLLSCOPE_SECRET, else kept in the store',
    },
    mistake: { type: 'string', value: 'NAMES', about: 'mistakes on purpose: global_state,slow=500' },
    cors: { type: 'string', value: 'ORIGIN', about: 'let pages of this origin call' },
    quiet: { type: 'boolean', about: 'no line per request' },
  },
  async run({ positionals, json, text, flag }, io) {
    if (positionals.length > 0)
      throw new UsageError(`'gym' takes no paths, and was given '${positionals[0]}'.`);
    const port = portNumber(text('port') ?? '8000');
    const workers = wholeNumber('--workers', text('workers') ?? '1');
    if (workers === 0) throw new UsageError('--workers takes at least 1.');
    const config = text('config');
    const store = text('store') ?? 'memory';
    if (workers > 1 && store === 'memory') {
      throw new UsageError('Several workers cannot share memory: add --store redis://127.0.0.1:6379.');
    }
    const idle = text('idle') === undefined ? undefined : wholeNumber('--idle', text('idle') ?? '');
    if (idle === 0) throw new UsageError('--idle takes at least 1.');
    const chosen = await environmentsFor(text('env'), config);
    if (text('secret') === '') throw new UsageError('--secret takes a text that is not empty.');
    const secret = text('secret') ?? (process.env['ROLLSCOPE_SECRET'] || undefined);
    const cors = text('cors');
    if (cors !== undefined && !isOrigin(cors)) {
      throw new UsageError(`--cors takes one origin, such as http://localhost:3000, not '${cors}'.`);
    }
    const mistakes = await mistakesFor(text('mistake'));
    const { runHost } = await import('../../gym/node-host');
    try {
      return await runHost({
        environments: chosen,
        port,
        workers,
        store,
        mistakes,
        ...(secret === undefined ? {} : { secret }),
        // Looked at often enough that a session outlives its time by a fifth at most.
        ...(idle === undefined ? {} : { idle: { timeout: idle, interval: Math.max(1, idle / 5) } }),
        ...(cors === undefined ? {} : { cors }),
        accessLog: !flag('quiet'),
        log: (line) => io.note(line),
        onListening: (url) => io.data(json ? jsonLine({ url }) : `${url}\n`),
      });
    } catch (error) {
      throw error instanceof Error ? new Failed(error.message, { cause: error }) : error;
    }
  },
});

/** `http://localhost:3000`: what a browser sends as `Origin`, without a path or a slash. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

async function environmentsFor(
  name: string | undefined,
  config: string | undefined,
): Promise<Environment | readonly Environment[]> {
  const { createPerUserAssistant, environments, readPerUserConfig } = await import('../../gym');
  const read = async (file: string) => {
    try {
      return await readPerUserConfig(await readFile(file, 'utf8'));
    } catch (error) {
      throw usage(error);
    }
  };
  const configured = config === undefined ? undefined : createPerUserAssistant(await read(config));
  const all = environments.map((environment) =>
    configured !== undefined && environment.name === configured.name ? configured : environment,
  );
  if (name === undefined) return all;
  const chosen = all.find((environment) => environment.name === name);
  if (chosen !== undefined) return chosen;
  throw new UsageError(
    `There is no environment '${name}'. There are: ${all.map((each) => each.name).join(', ')}.`,
  );
}

async function mistakesFor(names: string | undefined): Promise<Mistakes> {
  const { parseMistakes } = await import('../../gym');
  try {
    return parseMistakes(names ?? '');
  } catch (error) {
    throw usage(error);
  }
}

function usage(error: unknown): UsageError {
  return new UsageError(errorText(error), { cause: error });
}
