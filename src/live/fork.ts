/** A fork: an episode's beginning in a session of its own, and then another way on. The origin is not touched. */
import type { LoopConfig, Policy } from '../agent';
import { policyTools, type JsonObject } from '../gym';
import { messageText, type Episode } from '../model';
import { configFor } from './task';
import { createRun } from './create-run';
import type { Run, RunSetup } from './run';
import { callsAt, type Recording } from './replay';
import { taskRowOf } from './replay-row';

export interface ForkOptions extends Omit<RunSetup, 'task' | 'config' | 'prefix' | 'log' | 'policy'> {
  /** Who goes on. */
  readonly policy: Policy;
  /** What the loop of the episode had, where absent. */
  readonly config?: LoopConfig;
  /** Names the origin: the id of its source, and its number there. */
  readonly origin: { readonly source: string; readonly episode: number };
}

/**
 * A run whose first steps, up to `step`, are those of an episode: live or imported. It stands still after that step, where
 * its results can be changed, once `ready` is resolved. Throws where the episode has no such step, or its prompt cannot be
 * given to the loop.
 */
export function forkAt(recording: Recording, step: number, options: ForkOptions): Run {
  const { episode } = recording;
  if (!Number.isInteger(step) || step < -1 || step >= episode.steps.length) {
    throw new Error(`There is no step ${step} to fork at: the episode has ${episode.steps.length}.`);
  }
  const { origin, config, ...setup } = options;
  const task = forkTask(recording, options);
  return createRun({
    ...setup,
    ...(setup.ref === undefined && episode.task !== undefined ? { ref: episode.task } : {}),
    task,
    config: config ?? configOf(episode, step, task, options),
    prefix: { episode, step, fork: { ...origin, step } },
  });
}

/** The task's row; where nobody kept it, the prompt and tools as the episode shows them. */
export function forkTask(recording: Recording, { server }: Pick<ForkOptions, 'server'>): JsonObject {
  const { episode } = recording;
  const row = taskRowOf(recording);
  if (row['responses_create_params'] !== undefined) return row;
  const prompt = episode.messages.filter(({ bornAtStep }) => bornAtStep < 0);
  return {
    ...row,
    responses_create_params: {
      input: prompt.map((message) => ({ role: message.role, content: messageText(message) })),
      tools: server.environment === undefined ? [] : policyTools(server.environment),
    },
  };
}

/** Limits that the beginning itself was under must not end it: it is known to have gone on. */
function configOf(
  episode: Episode,
  step: number,
  task: JsonObject,
  { server }: Pick<ForkOptions, 'server'>,
): LoopConfig {
  const base = configFor(task, server.environment);
  const calls = episode.steps.slice(0, step + 1).map(({ index }) => callsAt(episode, index).length);
  const { maxModelLength, responseLength } = episode.limits ?? {};
  return {
    ...base,
    ...(episode.statelm === undefined ? {} : { statelm_enabled: true, dialect: episode.statelm.dialect }),
    ...(maxModelLength === undefined ? {} : { max_model_length: maxModelLength }),
    ...(responseLength === undefined ? {} : { response_length: responseLength }),
    max_parallel_calls: Math.max(base.max_parallel_calls, ...calls),
    max_assistant_turns: null,
    max_user_turns: null,
  };
}
