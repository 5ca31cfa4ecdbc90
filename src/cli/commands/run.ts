import type { LoopConfig } from '../../agent';
import { findExporter, type Exporter } from '../../formats';
import type { JsonObject } from '../../gym';
import type { LiveServer } from '../../live';
import { isObject, type Episode } from '../../model';
import { errorText } from '../../model/error-text';
import type { Tokenizer } from '../../tokens';
import { defineCommand, Failed, UsageError, wholeNumber } from '../command';
import type { Io } from '../io';
import { fromFile, planRuns, type PlannedRun } from './run-plan';
import { RunReport } from './run-report';

const formats = ['rollscope', 'nemo-gym', 'statelm'];

export const run = defineCommand({
  name: 'run',
  synopsis: 'run --env NAME|URL --policy scripted[:FILE]|recorded:FILE|openai:URL',
  about: 'runs episodes without a page and writes them, one line of JSON each',
  details: `Every episode gets a session of its own: seed, the agent loop, verification. Episodes go to standard output in the order
of their tasks, progress to standard error.

  scripted         the scripts that the environment ships with, on their own tasks
  scripted:FILE    emissions from a file: {"text", "toolCalls": [{"name", "arguments"}]} per line, or {"emissions": [...]}
  recorded:FILE    the emissions of episodes in any format; --task may add the inputs they belong to
  openai:URL       a model behind an OpenAI-compatible endpoint; the key is read from OPENAI_API_KEY, or from the variable
                   that --key-from names, and is written nowhere

--task is a file of task inputs in NeMo Gym's JSONL; without it the tasks of the environment are run. --config reads the
loop's settings from YAML (actor_rollout_ref.rollout). Ctrl+C stops the runs under way and writes what they have.

Exits with 1 if an episode broke off, could not be verified, or did not get the reward that its script expects.`,
  options: {
    env: {
      type: 'string',
      value: 'NAME|URL',
      about: 'an environment of this program, or the address of a resources server',
    },
    policy: { type: 'string', value: 'POLICY', about: 'who writes the assistant turns, as above' },
    task: { type: 'string', value: 'FILE', about: 'task inputs, one per line' },
    repeat: { type: 'string', value: 'N', about: 'so many rollouts of each; 1 if not given' },
    concurrency: { type: 'string', value: 'N', about: 'how many episodes at once; 4 if not given' },
    format: {
      type: 'string',
      value: formats.join('|'),
      about: 'how episodes are written; rollscope if not given',
    },
    config: { type: 'string', value: 'FILE', about: "the loop's settings, as YAML" },
    model: { type: 'string', value: 'NAME', about: 'the model to ask for' },
    api: { type: 'string', value: 'chat|responses', about: 'the API of the endpoint; chat if not given' },
    'key-from': { type: 'string', value: 'VARIABLE', about: 'the environment variable that holds the key' },
    parameters: { type: 'string', value: 'JSON', about: 'further fields of the request: {"temperature": 0}' },
    mistake: { type: 'string', value: 'NAMES', about: 'mistakes on purpose: global_state,slow=500' },
    timeout: { type: 'string', value: 'SECONDS', about: 'the longest wait for an answer; 120 if not given' },
  },
  async run({ positionals, text }, io) {
    if (positionals.length > 0)
      throw new UsageError(`'run' takes no paths, and was given '${positionals[0]}'.`);
    const policy = text('policy');
    if (policy === undefined) throw new UsageError('Which policy? Give --policy scripted, for a start.');
    const repeat = atLeastOne('--repeat', text('repeat') ?? '1');
    const concurrency = atLeastOne('--concurrency', text('concurrency') ?? '4');
    const timeoutMs = atLeastOne('--timeout', text('timeout') ?? '120') * 1000;
    const exporter = exporterFor(text('format') ?? 'rollscope');
    const server = await serverFor(text('env'), text('mistake'));
    const plan = await planRuns(
      {
        server,
        policy,
        taskFile: text('task'),
        model: text('model'),
        api: apiFrom(text('api') ?? 'chat'),
        key: process.env[text('key-from') ?? 'OPENAI_API_KEY'] || undefined,
        parameters: parametersFrom(text('parameters') ?? '{}'),
        timeoutMs,
      },
      io,
    );
    const runs = plan.flatMap((planned) =>
      Array.from({ length: repeat }, (_, rollout) => ({
        ...planned,
        ref: { ...planned.ref, ...(repeat === 1 ? {} : { rollout }) },
      })),
    );
    const { loadBundledTokenizer } = await import('../../tokens');
    const setting: Setting = {
      server,
      tokenizer: await loadBundledTokenizer(),
      config: await configFrom(text('config')),
      timeoutMs,
    };
    return runAll(runs, { setting, concurrency, exporter }, io);
  },
});

interface Setting {
  readonly server: LiveServer;
  readonly tokenizer: Tokenizer;
  readonly config: (base: LoopConfig) => LoopConfig;
  readonly timeoutMs: number;
}

async function runAll(
  runs: readonly PlannedRun[],
  { setting, concurrency, exporter }: { setting: Setting; concurrency: number; exporter: Exporter },
  io: Io,
): Promise<number> {
  const { openSlots } = await import('../../live');
  const stopping = new AbortController();
  const stop = (): void => {
    io.note('Stopping: what the runs under way have is written.');
    stopping.abort();
  };
  process.once('SIGINT', stop);
  const report = new RunReport(runs.length, exporter, io);
  const slots = openSlots(concurrency);
  try {
    for (const [index, planned] of runs.entries()) {
      if (stopping.signal.aborted) break;
      await slots.begin(async () => {
        try {
          report.add(index, await runOne(planned, setting, stopping.signal), planned.expected);
        } catch (error) {
          report.fail(index, errorText(error));
        }
      });
    }
    await slots.idle();
  } finally {
    process.removeListener('SIGINT', stop);
  }
  return report.end();
}

async function runOne(planned: PlannedRun, setting: Setting, signal: AbortSignal): Promise<Episode> {
  const { createLoop } = await import('../../agent');
  const { configFor, gymEnvironment, runTask } = await import('../../live');
  const { chatMl } = await import('../../tokens');
  const { server, tokenizer, timeoutMs } = setting;
  const { task, ref, policy } = planned;
  const loop = createLoop({
    config: setting.config({ ...configFor(task, server.environment), ...planned.config }),
    policy,
    environment: gymEnvironment({ server, task, timeoutMs }),
    tokenizer,
    template: chatMl,
    task: runTask(task, ref, ref.rollout === undefined ? ref.key : `${ref.key}:${ref.rollout}`),
  });
  while (!loop.done) await loop.advance({ signal });
  return loop.episode;
}

function atLeastOne(option: string, text: string): number {
  const number = wholeNumber(option, text);
  if (number === 0) throw new UsageError(`${option} takes at least 1.`);
  return number;
}

function exporterFor(id: string): Exporter {
  const exporter = formats.includes(id) ? findExporter(id) : undefined;
  if (exporter === undefined) throw new UsageError(`--format takes ${formats.join(', ')}, not '${id}'.`);
  return exporter;
}

function apiFrom(name: string): 'chat' | 'responses' {
  if (name === 'chat' || name === 'responses') return name;
  throw new UsageError(`--api takes chat or responses, not '${name}'.`);
}

function parametersFrom(json: string): JsonObject {
  try {
    const value: JsonObject = JSON.parse(json);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new UsageError(`--parameters takes a JSON object, not '${json}'.`);
}

async function configFrom(file: string | undefined): Promise<Setting['config']> {
  if (file === undefined) return (base) => base;
  const { readConfig } = await import('../../agent');
  const { given, problems } = await fromFile(file, (yaml) => readConfig(yaml));
  if (problems.length > 0) {
    const lines = problems.map(
      ({ line, message }) => `${file}${line === undefined ? '' : `:${line}`}: ${message}`,
    );
    throw new Failed(lines.join('\n'));
  }
  return (base) => ({ ...base, ...given });
}

async function serverFor(named: string | undefined, mistakes: string | undefined): Promise<LiveServer> {
  const { directTransport, environmentNamed, environments, parseMistakes } = await import('../../gym');
  const { localServer, remoteServer } = await import('../../live');
  const names = environments.map(({ name }) => name).join(', ');
  if (named === undefined)
    throw new UsageError(`Which environment? Give --env with an address, or one of ${names}.`);
  if (/^https?:\/\//i.test(named)) {
    if (!URL.canParse(named)) throw new UsageError(`'${named}' is not an address.`);
    if (mistakes !== undefined)
      throw new UsageError('Only an environment of this program makes mistakes on purpose.');
    return remoteServer(
      named,
      directTransport((request) => fetch(request)),
    );
  }
  const environment = environmentNamed(named);
  if (environment === undefined)
    throw new UsageError(`--env takes an address, or one of ${names}; not '${named}'.`);
  try {
    return localServer(environment, { mistakes: parseMistakes(mistakes ?? '') });
  } catch (error) {
    throw new UsageError(errorText(error), { cause: error });
  }
}
