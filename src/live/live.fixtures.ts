import { scriptedPolicy } from '../agent';
import { environments, taskRows, type Environment, type JsonObject, type Script } from '../gym';
import { detectFormat, findExporter } from '../formats';
import type { Episode } from '../model';
import { loadBundledTokenizer } from '../tokens';
import { createRun } from './create-run';
import type { Run, RunSetup } from './run';
import { localServer, type LiveServer } from './server';
import { configFor } from './task';

export interface ShippedScript {
  environment: Environment;
  script: Script;
  task: JsonObject;
}

/** Every script of every environment. */
export const shippedScripts: readonly ShippedScript[] = environments.flatMap((environment) =>
  environment.scripts.flatMap((script) => {
    const task = taskRows(environment)[script.task];
    return task === undefined ? [] : [{ environment, script, task }];
  }),
);

export function shipped(name: string): ShippedScript {
  const found = shippedScripts.find(({ script }) => script.name === name);
  if (found === undefined) throw new Error(`There is no script ${name}.`);
  return found;
}

/** A run of a shipped script, on a server of its own unless one is given. */
export async function scriptedRun(
  { environment, script, task }: ShippedScript,
  given: Partial<RunSetup> = {},
): Promise<Run> {
  return createRun({
    id: script.name,
    server: localServer(environment),
    task,
    ref: { key: String(script.task) },
    policy: scriptedPolicy(script.emissions),
    config: configFor(task, environment),
    tokenizer: await loadBundledTokenizer(),
    ...given,
  });
}

export async function playedEpisode(shippedScript: ShippedScript, server?: LiveServer): Promise<Episode> {
  const run = await scriptedRun(shippedScript, server === undefined ? {} : { server });
  await run.run();
  return run.getSnapshot().episode;
}

/** Written in a format and read again: the episode and its record. */
export function readAgain(episode: Episode, target: string): { episode: Episode; record: unknown } {
  const text = findExporter(target)?.write(episode) ?? '';
  const record: unknown = JSON.parse(text);
  const format = detectFormat(record);
  if (format === undefined) throw new Error(`${target} is not recognised.`);
  return { episode: format.episode({ value: record, text, index: 0, line: 1 }, 0), record };
}
