/** What a person chooses before a run. */
import * as v from 'valibot';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { DEFAULT_CONFIG, type LoopConfig } from '../../agent';
import { environmentNamed, environments, type Environment, type MistakeName } from '../../gym';
import { configFor } from '../../live';
import { remembered } from '../stores/remembered';

export type PolicyKind = 'scripted' | 'manual' | 'openai';
export type StoreKind = 'memory' | 'indexeddb';

export interface Setup {
  environment: string;
  /** Index into the environment's tasks. */
  task: number;
  policy: PolicyKind;
  /** Name of one of the environment's scripts. */
  script: string;
  endpoint: { api: 'chat' | 'responses'; baseUrl: string; model: string };
  /** What differs from what the task asks for. */
  config: Partial<LoopConfig>;
  /** `tab`, or the address of a resources server. */
  server: 'tab' | 'url';
  serverUrl: string;
  store: StoreKind;
  mistakes: MistakeName[];
}

const first = environmentNamed('document_qa') ?? environments[0];

/** Remembered in this browser. A key for an endpoint is not among it: it lives in the page's memory alone. */
export const useSetup = create<Setup>()(
  persist(
    (): Setup => ({
      environment: first?.name ?? '',
      task: 0,
      policy: 'scripted',
      script: first?.scripts[0]?.name ?? '',
      endpoint: { api: 'chat', baseUrl: 'http://127.0.0.1:8080/v1', model: '' },
      config: {},
      server: 'tab',
      serverUrl: 'http://127.0.0.1:8000',
      store: 'memory',
      mistakes: [],
    }),
    remembered<Setup>('live', {
      environment: v.string(),
      task: v.pipe(v.number(), v.integer(), v.minValue(0)),
      policy: v.picklist(['scripted', 'manual', 'openai']),
      script: v.string(),
      endpoint: v.object({
        api: v.picklist(['chat', 'responses']),
        baseUrl: v.string(),
        model: v.string(),
      }),
      config: v.object({
        statelm_enabled: v.exactOptional(v.boolean()),
        dialect: v.exactOptional(v.picklist(['rl', 'inference'])),
        delete_assistant_tool_call_only: v.exactOptional(v.boolean()),
        max_model_length: v.exactOptional(v.number()),
        context_length_penalty: v.exactOptional(v.number()),
        prompt_length: v.exactOptional(v.number()),
        response_length: v.exactOptional(v.number()),
        max_assistant_turns: v.exactOptional(v.nullable(v.number())),
        max_user_turns: v.exactOptional(v.nullable(v.number())),
        max_parallel_calls: v.exactOptional(v.number()),
        max_tool_response_length: v.exactOptional(v.number()),
        tool_response_truncate_side: v.exactOptional(v.picklist(['left', 'right', 'middle'])),
      }),
      server: v.picklist(['tab', 'url']),
      serverUrl: v.string(),
      store: v.picklist(['memory', 'indexeddb']),
      mistakes: v.array(
        v.picklist([
          'global_state',
          'assume_state',
          'seed_setdefault',
          'drop_cookies',
          'lost_update',
          'slow',
          'flaky',
        ]),
      ),
    }),
  ),
);

export const setUp = (change: Partial<Setup>) => useSetup.setState(change);

export function environmentOf({ environment }: Setup): Environment | undefined {
  return environmentNamed(environment) ?? first;
}

/** Another environment has other tasks and scripts. */
export function chooseEnvironment({ name, scripts }: Environment): void {
  const [script] = scripts;
  setUp({ environment: name, task: script?.task ?? 0, script: script?.name ?? '', config: {} });
}

/** The configuration of the run: what the task asks for, and what the person changed. */
export function configOf(setup: Setup): LoopConfig {
  const environment = environmentOf(setup);
  const task = environment?.tasks[setup.task];
  const asked = task === undefined ? DEFAULT_CONFIG : configFor(task, environment);
  return { ...asked, ...setup.config };
}

/** Why the run cannot start, in the order of the form. */
export function faultsOf(setup: Setup): string[] {
  const environment = environmentOf(setup);
  const faults: string[] = [];
  if (environment?.tasks[setup.task] === undefined) faults.push('Choose a task.');
  if (setup.policy === 'scripted' && !environment?.scripts.some(({ name }) => name === setup.script))
    faults.push('Choose a script.');
  if (setup.policy === 'openai') {
    if (!isHttp(setup.endpoint.baseUrl)) faults.push('The endpoint needs an address: http://host:port/v1.');
    if (setup.endpoint.model.trim() === '') faults.push('Name the model of the endpoint.');
  }
  if (setup.server === 'url' && !isHttp(setup.serverUrl))
    faults.push('The server needs an address: http://host:port.');
  return faults;
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
