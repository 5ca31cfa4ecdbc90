/** Setting runs up: new ones, forks, and those kept from before. */
import {
  manualPolicy,
  openAiPolicy,
  scriptedPolicy,
  type LoopEvent,
  type ManualPolicy,
  type Policy,
} from '../../agent';
import { environmentNamed, taskRows, type Environment } from '../../gym';
import type { EpisodeRef } from '../../ingest/protocol';
import {
  createRun,
  emissionAt,
  forkAt,
  forkTask,
  loadLog,
  proxyFetch,
  saveLog,
  type LiveServer,
  type LogKeeper,
  type Recording,
  type Run,
  type RunSetup,
} from '../../live';
import type { Episode } from '../../model';
import { localServerToken } from '../opening/served';
import { goTo } from '../place/usePlace';
import { errorText } from '../../model/error-text';
import { say } from '../stores/toasts';
import { chosenForRuns } from '../tokenizers/choice';
import type { Description, PolicyChoice } from './description';
import { RUNS, useRuns, type RunEntry } from './list';
import { addRun, loadRuns, updateRun } from './runs';
import { serverFor } from './servers';
import { configOf, environmentOf, type Setup } from './setup';
import { runStore } from './storage';
import { tokensBy } from './tokens';

/** Starts what was chosen, and goes there. */
export async function startRun(setup: Setup, key: string, how: 'paused' | 'running'): Promise<void> {
  const environment = environmentOf(setup);
  const task = environment === undefined ? undefined : taskRows(environment)[setup.task];
  if (environment === undefined || task === undefined) throw new Error('There is no such task.');
  // The place of a run in the table is behind all that were kept.
  await loadRuns();
  const choice = policyChoice(setup);
  const description: Description = {
    ...commonOf(setup),
    environment: environment.name,
    task,
    policy: choice,
  };
  const { policy, manual } = policyFor(choice, environment, key);
  const number = useRuns
    .getState()
    .list.filter((entry) => entry.description.environment === environment.name).length;
  const id = newId();
  const { keeper, ...setting } = await settingFor(
    id,
    description,
    await serverFor(id, environment, description),
  );
  const run = createRun({
    ...setting,
    task,
    ref: { key: `${environment.name} ${setup.task}`, rollout: number },
    config: configOf(setup),
    policy,
  });
  show({ run, description, keeper, manual });
  if (how === 'running') void run.run();
}

interface Fork {
  recording: Recording;
  origin: EpisodeRef;
  step: number;
  environment: Environment;
  /** `recorded`: as the episode went on. */
  policy: PolicyChoice | 'recorded';
  setup: Setup;
  key: string;
}

/** Plays an episode's beginning again in a session of its own, and stands still there. */
export async function startFork(fork: Fork): Promise<void> {
  const { recording, origin, step, environment, setup } = fork;
  await loadRuns();
  const choice = fork.policy === 'recorded' ? emissionsOf(recording.episode) : fork.policy;
  const { policy, manual } = policyFor(choice, environment, fork.key);
  const id = newId();
  const common = commonOf(setup);
  const server = await serverFor(id, environment, common);
  const from = origin.source === RUNS ? useRuns.getState().list[origin.episode] : undefined;
  const description: Description = {
    ...common,
    environment: environment.name,
    task: forkTask(recording, { server }),
    policy: choice,
    ...(from === undefined ? {} : { origin: from.id }),
  };
  const { keeper, ...setting } = await settingFor(id, description, server);
  const run = forkAt(recording, step, {
    ...setting,
    policy,
    origin: { source: origin.source, episode: origin.episode },
  });
  await begun(run, keeper);
  show({ run, description, keeper, manual });
}

/** The same task, loop and emissions on a server that makes no mistake, to its end; then the two side by side. */
export async function runWithoutMistakes(mistaken: RunEntry): Promise<void> {
  const { description: was, episode } = mistaken;
  const environment = environmentNamed(was.environment);
  const [start] = mistaken.run?.getSnapshot().log ?? (await loadLog(runStore, mistaken.id))?.log ?? [];
  if (environment === undefined || start?.type !== 'started')
    throw new Error('The run is not kept any more.');
  const description: Description = {
    ...was,
    createdAt: Date.now(),
    mistakes: [],
    policy: was.policy.kind === 'scripted' ? was.policy : emissionsOf(episode),
  };
  const id = newId();
  const server = await serverFor(id, environment, description);
  const { keeper, ...setting } = await settingFor(id, description, server);
  const run = createRun({
    ...setting,
    task: was.task,
    config: start.config,
    policy: policyFor(description.policy, environment, '').policy,
    ...(start.task === undefined ? {} : { ref: start.task }),
  });
  show({ run, description, keeper });
  await run.run();
  const nth = useRuns.getState().list.findIndex((entry) => entry.id === mistaken.id);
  if (nth >= 0) goTo({ compare: { source: RUNS, episode: nth } });
}

/** Takes up a run that was kept: in its session where the server still has it, else its steps are played again. */
export async function takeUp(id: string, key: string): Promise<void> {
  const entry = useRuns.getState().list.find((other) => other.id === id);
  const kept = await loadLog(runStore, id);
  const environment = entry === undefined ? undefined : environmentNamed(entry.description.environment);
  if (entry === undefined || kept === undefined || environment === undefined)
    throw new Error('The run is not kept any more.');
  const { description, episode } = entry;
  const { policy, manual } = policyFor(description.policy, environment, key);
  const [start] = kept.log;
  if (start?.type !== 'started') throw new Error('The log of this run has no beginning.');
  const { keeper, ...setting } = await settingFor(
    id,
    description,
    await serverFor(id, environment, description),
  );
  const hasSession = description.server === 'url' || description.store === 'indexeddb';
  const run = createRun({
    ...setting,
    task: description.task,
    config: start.config,
    policy,
    ...(start.task === undefined ? {} : { ref: start.task }),
    ...(hasSession ? { log: kept.log } : { prefix: { episode, step: episode.steps.length - 1 } }),
  });
  await begun(run, keeper);
  show({ run, description, keeper, manual });
}

/** Played, and kept: from now on a reload comes back to it. */
async function begun(run: Run, keeper: LogKeeper): Promise<void> {
  await run.ready;
  // What cannot be kept has been said, and goes on in this page all the same.
  await keeper.settled().catch(() => undefined);
}

interface Started {
  run: Run;
  description: Description;
  keeper: LogKeeper;
  manual?: ManualPolicy | undefined;
}

function show({ run, description, keeper, manual }: Started): void {
  const nth = addRun({
    id: run.id,
    description,
    episode: run.getSnapshot().episode,
    run,
    keeper,
    ...(manual === undefined ? {} : { manual }),
  });
  run.subscribe(() => {
    const { status, episode } = run.getSnapshot();
    if (status !== 'running') updateRun(run.id, episode);
  });
  goTo({ source: RUNS, episode: nth, step: Math.max(0, run.getSnapshot().episode.steps.length - 1) });
}

function newId(): string {
  return crypto.randomUUID().slice(0, 8);
}

function commonOf({ server, serverUrl, store, mistakes }: Setup) {
  return { createdAt: Date.now(), server, serverUrl, store, mistakes, tokenizer: chosenForRuns() };
}

async function settingFor(
  id: string,
  description: Description,
  server: LiveServer,
): Promise<Pick<RunSetup, 'id' | 'server' | 'tokenizer' | 'template' | 'onEvent'> & { keeper: LogKeeper }> {
  const tokens = await tokensBy(description.tokenizer);
  let isSaid = false;
  const keeper = saveLog(runStore, id, description, (error) => {
    // Once: the next event cannot be kept either.
    if (!isSaid) say(`The run cannot be kept over a reload: ${errorText(error)}`);
    isSaid = true;
  });
  const onEvent = (event: LoopEvent, index: number) => keeper.keep(event, index);
  return { id, server, ...tokens, onEvent, keeper };
}

function emissionsOf(episode: Episode): PolicyChoice {
  const emissions = episode.steps.map(({ index }) => {
    const { text, reasoning, toolCalls } = emissionAt(episode, index);
    return { text, toolCalls: [...toolCalls], ...(reasoning === undefined ? {} : { reasoning }) };
  });
  return { kind: 'recorded', emissions };
}

function policyChoice({ policy, script, endpoint }: Setup): PolicyChoice {
  if (policy === 'scripted') return { kind: 'scripted', script };
  return policy === 'manual' ? { kind: 'manual' } : { kind: 'openai', ...endpoint };
}

/** Made anew for every run: a policy that waits for a person waits for one turn at a time. */
function policyFor(
  choice: PolicyChoice,
  environment: Environment,
  key: string,
): { policy: Policy; manual?: ManualPolicy } {
  switch (choice.kind) {
    case 'scripted': {
      const script = environment.scripts.find(({ name }) => name === choice.script);
      if (script === undefined) throw new Error(`${environment.name} has no script ${choice.script}.`);
      return { policy: scriptedPolicy(script.emissions, script.name) };
    }
    case 'manual': {
      const manual = manualPolicy();
      return { policy: manual, manual };
    }
    case 'recorded':
      return { policy: scriptedPolicy(choice.emissions, 'recorded') };
    case 'openai': {
      const token = localServerToken();
      if (token === undefined) {
        throw new Error(
          'A model endpoint is reached through Rollscope’s local server, and this page was not opened by one.',
        );
      }
      const { api, baseUrl, model } = choice;
      return {
        policy: openAiPolicy({
          api,
          baseUrl,
          model,
          ...(key === '' ? {} : { apiKey: key }),
          fetch: proxyFetch(document.baseURI, token),
        }),
      };
    }
  }
}
