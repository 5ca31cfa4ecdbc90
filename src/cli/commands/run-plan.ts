import { readFile } from 'node:fs/promises';
import type { LoopConfig, Policy } from '../../agent';
import type { JsonObject } from '../../gym';
import type { LiveServer } from '../../live';
import type { Episode, TaskRef } from '../../model';
import { errorText } from '../../model/error-text';
import { Failed, UsageError } from '../command';
import { findInputs } from '../inputs';
import type { Io } from '../io';
import { eachRecording } from './replay-recordings';

/** An episode that is to be run. */
export interface PlannedRun {
  readonly task: JsonObject;
  readonly ref: TaskRef;
  readonly policy: Policy;
  /** What the configuration of its task is not. */
  readonly config: Partial<LoopConfig>;
  /** What its reward should be, where it is known. */
  readonly expected?: number;
}

export interface PlanOptions {
  readonly server: LiveServer;
  /** `scripted`, `scripted:FILE`, `recorded:FILE`, `openai:URL` */
  readonly policy: string;
  readonly taskFile: string | undefined;
  readonly model: string | undefined;
  readonly api: 'chat' | 'responses';
  readonly key: string | undefined;
  readonly parameters: JsonObject;
  readonly timeoutMs: number;
}

/** The runs that a command line asks for, each once. */
export async function planRuns(options: PlanOptions, io: Io): Promise<PlannedRun[]> {
  const [kind = '', ...rest] = options.policy.split(':');
  const where = rest.join(':');
  if (kind === 'scripted' && where === '') return ownScripts(options);
  if (kind === 'scripted') return scriptedRuns(where, options);
  if (kind === 'recorded' && where !== '') return recordedRuns(where, options, io);
  if (kind === 'openai' && where !== '') return modelRuns(where, options);
  throw new UsageError(
    `--policy takes scripted, scripted:FILE, recorded:FILE or openai:URL, not '${options.policy}'.`,
  );
}

/** The scripts that the environment ships with, each on its own task. */
async function ownScripts({ server, taskFile }: PlanOptions): Promise<PlannedRun[]> {
  const { taskRows } = await import('../../gym');
  const { scriptedPolicy } = await import('../../agent');
  const { environment } = server;
  if (environment === undefined || taskFile !== undefined) {
    throw new UsageError(
      'Without a file, --policy scripted runs the scripts of an environment on their own tasks.',
    );
  }
  const rows = taskRows(environment);
  return environment.scripts.flatMap(({ name, task, emissions, expect }) => {
    const row = rows[task];
    if (row === undefined) return [];
    const policy = scriptedPolicy(emissions, `scripted:${name}`);
    return [{ task: row, ref: { key: String(task) }, policy, config: {}, expected: expect.reward }];
  });
}

/** One script for all tasks, or one for each. */
async function scriptedRuns(file: string, options: PlanOptions): Promise<PlannedRun[]> {
  const { readScripts, scriptedPolicy } = await import('../../agent');
  const scripts = await fromFile(file, readScripts);
  const tasks = await tasksFor(options);
  if (scripts.length !== 1 && scripts.length !== tasks.length) {
    throw new UsageError(
      `${file} has ${scripts.length} scripts for ${tasks.length} tasks: give one, or one for each.`,
    );
  }
  return tasks.map((task, index) => ({
    task,
    ref: { key: String(index) },
    policy: scriptedPolicy(scripts[scripts.length === 1 ? 0 : index] ?? [], `scripted:${file}`),
    config: {},
  }));
}

/** The emissions of episodes, on the tasks these were about; a file of task inputs can be given beside them. */
async function recordedRuns(file: string, { server, taskFile }: PlanOptions, io: Io): Promise<PlannedRun[]> {
  const { recordedPolicy } = await import('../../agent');
  const { forkTask } = await import('../../live');
  const runs: PlannedRun[] = [];
  const inputs = await findInputs([file, ...(taskFile === undefined ? [] : [taskFile])]);
  const failures = await eachRecording(inputs, io, (recording) => {
    const { episode, number } = recording;
    runs.push({
      task: forkTask(recording, { server }),
      ref: { key: episode.task?.key ?? String(number) },
      policy: recordedPolicy(episode, { name: `recorded:${file}` }),
      config: configOf(episode),
    });
    return Promise.resolve();
  });
  if (failures > 0) throw new Failed(`${file} could not be read to its end.`);
  if (runs.length === 0) throw new Failed(`${file} has no episodes.`);
  return runs;
}

/** As far as an episode says under which limits it was made. */
function configOf({ statelm, limits }: Episode): Partial<LoopConfig> {
  const { maxModelLength, responseLength } = limits ?? {};
  return {
    max_assistant_turns: null,
    max_user_turns: null,
    ...(statelm === undefined ? {} : { statelm_enabled: true, dialect: statelm.dialect }),
    ...(maxModelLength === undefined ? {} : { max_model_length: maxModelLength }),
    ...(responseLength === undefined ? {} : { response_length: responseLength }),
  };
}

async function modelRuns(url: string, options: PlanOptions): Promise<PlannedRun[]> {
  const { openAiPolicy } = await import('../../agent');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new UsageError(`'${url}' is not an address.`);
  const { model, api, key, parameters, timeoutMs } = options;
  if (model === undefined) throw new UsageError('Which model? Give --model NAME.');
  const policy = openAiPolicy({
    baseUrl: url,
    model,
    api,
    parameters,
    timeoutMs,
    ...(key === undefined ? {} : { apiKey: key }),
  });
  const tasks = await tasksFor(options);
  return tasks.map((task, index) => ({ task, ref: { key: String(index) }, policy, config: {} }));
}

async function tasksFor({ taskFile, server }: PlanOptions): Promise<readonly JsonObject[]> {
  if (taskFile !== undefined) return fromFile(taskFile, taskRowsIn);
  if (server.environment === undefined)
    throw new UsageError('A server elsewhere needs its tasks: give --task FILE.');
  const { taskRows } = await import('../../gym');
  return taskRows(server.environment);
}

/** Rows of task inputs, one JSON object per line. */
function taskRowsIn(text: string): JsonObject[] {
  const rows = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    let row: JsonObject;
    try {
      row = JSON.parse(line);
    } catch {
      throw new Error(`Line ${index + 1} is not JSON.`);
    }
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      throw new Error(`Line ${index + 1} is not a task: a JSON object with responses_create_params.`);
    }
    return [row];
  });
  if (rows.length === 0) throw new Error('There is no task in it.');
  return rows;
}

export async function fromFile<T>(file: string, read: (text: string) => T | Promise<T>): Promise<T> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new Failed(`${file} can not be read: ${errorText(error)}`, {
      cause: error,
    });
  }
  try {
    return await read(text);
  } catch (error) {
    if (error instanceof UsageError || error instanceof Failed) throw error;
    throw new Failed(`${file}: ${errorText(error)}`, { cause: error });
  }
}
