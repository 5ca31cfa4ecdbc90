/** The loop's environment over a session with a resources server. */
import {
  EnvironmentError,
  type LoopEnvironment,
  type ToolAnswer,
  type Traffic,
  type VerifyAnswer,
} from '../agent';
import { findExporter } from '../formats';
import type { JsonObject } from '../gym';
import {
  at,
  emptyRecord,
  numberAt,
  stringAt,
  type Episode,
  type Exchange,
  type JsonObject as ModelObject,
  type SessionState,
  type Step,
} from '../model';
import { isJson, isJsonObject } from './json';
import { openSession, type Session } from './session';
import type { LiveServer } from './server';
import { toolsFor } from './task';

export interface GymEnvironmentOptions {
  readonly server: LiveServer;
  /** The task's row: seeds the session, and is sent to the verifier. */
  readonly task: JsonObject;
  readonly timeoutMs?: number;
  /** What a run that goes on has behind it; its session is taken up again. */
  readonly exchanges?: readonly Exchange[];
  readonly states?: readonly SessionState[];
}

export interface GymEnvironment extends LoopEnvironment {
  readonly session: Session;
}

export function gymEnvironment(options: GymEnvironmentOptions): GymEnvironment {
  const { server, task } = options;
  const { tools, loopTools } = toolsFor(task, server.environment);
  const session = openSession(options);

  /** What `work` brought, as the loop takes it: states point at exchanges of the same answer. */
  const withTraffic = async <T extends object>(
    work: () => Promise<{ exchange: Exchange; answer: (body: string, status: number) => T }>,
  ): Promise<T & Traffic> => {
    const [exchangesBefore, statesBefore] = [session.exchanges.length, session.states.length];
    const { exchange, answer } = await work();
    const traffic = {
      exchanges: session.exchanges.slice(exchangesBefore),
      states: session.states.slice(statesBefore).map((state) => ({
        ...state,
        ...(state.exchange === undefined ? {} : { exchange: state.exchange - exchangesBefore }),
      })),
    };
    if (exchange.response === undefined) {
      const why = exchange.error ?? 'the connection ended';
      throw new EnvironmentError(`${nameOf(exchange)} was not answered: ${why}.`, traffic);
    }
    return { ...answer(exchange.response.body, exchange.response.status), ...traffic };
  };

  return {
    name: server.environment?.name ?? server.label,
    tools,
    loopTools,
    // One after the other, so that the state after each call can be told.
    parallel: false,
    session,
    seed: (signal) =>
      withTraffic(async () => ({
        exchange: await session.post('/seed_session', task, { step: -1, purpose: 'seed' }, signal),
        answer: (body, status) =>
          status >= 400 ? { error: `The server refused the seed with ${status}: ${detailOf(body)}` } : {},
      })),
    call: (tool, args, { step, callId, signal }) =>
      withTraffic<ToolAnswer>(async () => ({
        exchange: await session.post(
          `/${encodeURIComponent(tool)}`,
          jsonOf(args),
          {
            step,
            purpose: 'call',
            callId,
          },
          signal,
        ),
        // As NeMo Gym's agents do it: whatever the server says is what the model reads, a refusal too.
        answer: (body) => ({ text: body }),
      })),
    verify: (episode, signal) =>
      withTraffic<VerifyAnswer>(async () => ({
        exchange: await session.post(
          '/verify',
          verifyBody(task, episode),
          {
            step: episode.steps.length - 1,
            purpose: 'verify',
          },
          signal,
        ),
        answer: verdictOf,
      })),
  };
}

function jsonOf(args: ModelObject): JsonObject {
  return isJsonObject(args) ? args : {};
}

function nameOf({ request }: Exchange): string {
  return `${request.method} ${request.url}`;
}

/** FastAPI says what was wrong under `detail`. */
export function detailOf(body: string): string {
  try {
    const detail = at(JSON.parse(body), 'detail');
    if (typeof detail === 'string') return detail;
    if (Array.isArray(detail)) {
      return detail
        .map((one: unknown) => {
          const place = at(one, 'loc');
          return `${Array.isArray(place) ? `${place.join('.')}: ` : ''}${stringAt(one, 'msg') ?? ''}`;
        })
        .join('; ');
    }
  } catch {
    // Not ours, and no JSON: as it is.
  }
  return body.slice(0, 200);
}

/** NeMo Gym's request: the task's row, and what the policy did as `response`. */
export function verifyBody(task: JsonObject, episode: Episode): JsonObject {
  return { ...task, response: responseOf(episode) };
}

/** What the policy did, as the Responses API writes it, without token ids: no verifier needs them. */
function responseOf(episode: Episode): JsonObject {
  const bare = { ...episode, steps: episode.steps.map(withoutTokens) };
  const row: unknown = JSON.parse(findExporter('nemo-gym')?.write(bare) ?? '{}');
  const response = at(row, 'response');
  return isJsonObject(response) ? response : { object: 'response', output: [] };
}

function withoutTokens(step: Step): Step {
  const bare = { ...step };
  delete bare.tokens;
  return bare;
}

function verdictOf(body: string, status: number): VerifyAnswer {
  if (status >= 400) return { error: `The verifier answered ${status}: ${detailOf(body)}` };
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return { error: 'The verifier did not answer with JSON.' };
  }
  const reward = at(answer, 'reward');
  const components = emptyRecord<number>();
  for (const [name, value] of Object.entries(componentsIn(answer))) {
    if (typeof value === 'number' && Number.isFinite(value)) components[name] = value;
  }
  const verdict = stringAt(answer, 'verdict');
  return {
    ...(typeof reward === 'number' ? { reward } : { error: 'The verifier gave no reward.' }),
    ...(Object.keys(components).length === 0 ? {} : { components }),
    ...(verdict === undefined ? {} : { verdict }),
  };
}

function componentsIn(answer: unknown): object {
  const given = at(answer, 'reward_components');
  return typeof given === 'object' && given !== null ? given : {};
}

/** The reward in what a verifier answered, where there is one. */
export function rewardIn(body: string): number | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    return isJson(answer) ? numberAt(answer, 'reward') : undefined;
  } catch {
    return undefined;
  }
}
