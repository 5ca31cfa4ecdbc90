/**
 * Replay: the episode's seed and its tool calls in a new session, each result beside the recorded one, then the verifier
 * again. The state that a verifier of a stateful server looks at is gone after a run; this builds it anew.
 */
import {
  answersIn,
  broughtBy,
  messageText,
  toolCallsOf,
  type Episode,
  type Exchange,
  type SessionState,
  type ToolCall,
} from '../model';
import { detailOf, rewardIn, verifyBody } from './environment';
import { objectFrom } from './json';
import { missingFrom, recordedBody, responseIn, taskRowOf } from './replay-row';
import { sameResult } from './result';
import { openSession, type Session } from './session';
import type { LiveServer } from './server';
import { LOOP_TOOLS } from './task';

/** An episode and what its file says beside it. */
export interface Recording {
  readonly episode: Episode;
  /** The record it was read from, as parsed JSON: a rollout's row may hold the seed itself. */
  readonly record?: unknown;
  /** The task input that belongs to it (`joinInputs`): the seed and what the verifier expects. */
  readonly input?: unknown;
}

export type ReverifyMode = 'stateless' | 'unsupported' | 'unknown';

export interface ReplayedCall {
  readonly step: number;
  readonly call: ToolCall;
  readonly recorded: string;
  /** Undefined where no answer came. */
  readonly replayed?: string;
  readonly same: boolean;
}

export interface Replay {
  readonly status: 'reproduced' | 'diverged' | 'unreplayable';
  /** Where it was replayed: the server's label. */
  readonly server?: string;
  /** The first step that came out differently. */
  readonly step?: number;
  /** A sentence: what differs, or why it cannot be replayed. */
  readonly reason?: string;
  readonly recordedReward?: number;
  readonly replayedReward?: number;
  /** What the server says of verifying again, and what that means here. */
  readonly mode: ReverifyMode;
  readonly explanation: string;
  readonly calls: readonly ReplayedCall[];
  readonly exchanges: readonly Exchange[];
  /** The session's state after seeding and after each step that changed it. */
  readonly states: readonly SessionState[];
}

export interface ReplayOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export async function replayEpisode(
  recording: Recording,
  server: LiveServer,
  options: ReplayOptions = {},
): Promise<Replay> {
  const { episode } = recording;
  const { signal } = options;
  const session = openSession({
    server,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
  const calls: ReplayedCall[] = [];
  let mode: ReverifyMode = 'unknown';
  const done = (found: Pick<Replay, 'status' | 'step' | 'reason' | 'replayedReward'>): Replay => ({
    ...found,
    server: server.label,
    ...(episode.outcome.reward === undefined ? {} : { recordedReward: episode.outcome.reward }),
    mode,
    explanation: explain(mode, server),
    calls,
    exchanges: session.exchanges,
    states: session.states,
  });
  const cannot = (reason: string): Replay => done({ status: 'unreplayable', reason });

  const row = taskRowOf(recording);
  const missing = missingFrom(row, recording, server);
  if (missing !== undefined) return cannot(missing);
  mode = await reverifyMode(server, options);

  const seeded = await session.post('/seed_session', row, { step: -1, purpose: 'seed' }, signal);
  signal?.throwIfAborted();
  if (seeded.response === undefined)
    return cannot(`The server cannot be reached: ${seeded.error ?? 'no answer'}.`);
  if (seeded.response.status >= 400) {
    return cannot(
      `The server refused the seed with ${seeded.response.status}: ${detailOf(seeded.response.body)}`,
    );
  }

  let diverged: { step: number; reason: string } | undefined;
  const edits = (episode.states ?? []).filter(({ edited }) => edited === true);
  const redo = editsOf(edits, session, server);
  const first = await redo(-1);
  if (first !== undefined) return cannot(first);
  const wasSent = sentIn(episode);
  for (const { index: step } of episode.steps) {
    for (const { call, recorded } of callsAt(episode, step)) {
      if (!wasSent(call)) continue;
      const replayed = await replayCall(session, step, call, server, signal);
      if (replayed === 'loop') continue;
      signal?.throwIfAborted();
      const same = replayed.text !== undefined && sameResult(recorded, replayed.text);
      calls.push({
        step,
        call,
        recorded,
        ...(replayed.text === undefined ? {} : { replayed: replayed.text }),
        same,
      });
      if (replayed.text === undefined) {
        return cannot(`${call.name} at step ${step} was not answered: ${replayed.error ?? 'no answer'}.`);
      }
      if (!same)
        diverged ??= {
          step,
          reason: `The result of ${call.name} at step ${step} differs from the recorded one.`,
        };
    }
    const refused = await redo(step);
    if (refused !== undefined) return cannot(refused);
  }

  const body = recordedBody(episode, 'verify') ?? {
    ...verifyBody(row, episode),
    ...responseIn(recording.record),
  };
  const lastStep = episode.steps.length - 1;
  const verified = await session.post('/verify', body, { step: lastStep, purpose: 'verify' }, signal);
  signal?.throwIfAborted();
  if (verified.response === undefined)
    return cannot(`The verifier did not answer: ${verified.error ?? 'no answer'}.`);
  if (verified.response.status >= 400) {
    return cannot(
      `The verifier refused with ${verified.response.status}: ${detailOf(verified.response.body)}`,
    );
  }
  const reward = rewardIn(verified.response.body);
  if (reward === undefined) return cannot('The verifier gave no reward.');
  const recordedReward = episode.outcome.reward;
  if (diverged === undefined && recordedReward !== undefined && recordedReward !== reward) {
    const reason = `All results are the same, but the verifier gave ${reward} where ${recordedReward} was recorded.`;
    diverged = { step: Math.max(lastStep, 0), reason };
  }
  if (diverged !== undefined) return done({ status: 'diverged', ...diverged, replayedReward: reward });
  return done({ status: 'reproduced', replayedReward: reward });
}

/** The calls of a step that were answered, and what came of each. */
export function callsAt(episode: Episode, step: number): { call: ToolCall; recorded: string }[] {
  const { resultsOf } = answersIn(episode);
  return broughtBy(episode, step)
    .emitted.flatMap(toolCallsOf)
    .flatMap((call) => {
      const results = resultsOf.get(call);
      // What was never answered was never sent: the episode had ended.
      return results === undefined ? [] : [{ call, recorded: results.map(messageText).join('\n') }];
    });
}

async function replayCall(
  session: Session,
  step: number,
  call: ToolCall,
  server: LiveServer,
  signal: AbortSignal | undefined,
): Promise<'loop' | { text?: string; error?: string }> {
  // No arguments at all mean an empty object.
  const args = call.arguments.trim() === '' ? {} : objectFrom(call.arguments);
  // What the loop answered itself never reached the server: its own tools, arguments that are no object.
  if (args === undefined || isLoopTool(call.name, server)) return 'loop';
  const { response, error } = await session.post(
    `/${encodeURIComponent(call.name)}`,
    args,
    { step, purpose: 'call', callId: call.callId },
    signal,
  );
  if (response === undefined) return error === undefined ? {} : { error };
  return { text: response.body };
}

/** Where the requests were recorded they say which calls reached the server; elsewhere any may have. */
function sentIn({ exchanges = [] }: Episode): (call: ToolCall) => boolean {
  if (!exchanges.some(({ purpose }) => purpose === 'seed')) return () => true;
  const sent = new Set(exchanges.map(({ callId }) => callId));
  return ({ callId }) => sent.has(callId);
}

export function isLoopTool(name: string, { environment }: Pick<LiveServer, 'environment'>): boolean {
  return environment?.tools.has(name) !== true && LOOP_TOOLS.has(name);
}

/** Carries out again what a person had changed by hand, after the step they did it at. */
function editsOf(
  edits: readonly SessionState[],
  session: Session,
  server: LiveServer,
): (step: number) => Promise<string | undefined> {
  return async (step) => {
    for (const edit of edits.filter((one) => one.step === step)) {
      if (server.states === undefined) {
        return `A person changed the session's state by hand after step ${step}, and this server lets nobody do that.`;
      }
      await session.edit(edit.value, step);
    }
    return undefined;
  };
}

async function reverifyMode(server: LiveServer, { timeoutMs, signal }: ReplayOptions): Promise<ReverifyMode> {
  // In a session of its own: the episode's begins with its seed.
  const asking = openSession({ server, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const { response } = await asking.get('/reverify_mode', { step: -1, purpose: 'other' }, signal);
  const said = response?.status === 200 ? response.body : '';
  if (/\bstateless\b/.test(said)) return 'stateless';
  return /\bunsupported\b/.test(said) ? 'unsupported' : 'unknown';
}

function explain(mode: ReverifyMode, server: LiveServer): string {
  const seen =
    server.states === undefined ? ' The state itself cannot be seen from outside this server.' : '';
  switch (mode) {
    case 'stateless':
      return 'The server is stateless: its verifier needs nothing but the record. The calls were made again to compare their results.';
    case 'unsupported':
      return `The server refuses to verify rollouts again, because the session state its verifier looks at is gone. The replay built that state anew: a new session, the recorded seed, the recorded calls in their order; so that the verifier sees what it saw then.${seen}`;
    case 'unknown':
      return `The server does not say whether rollouts can be verified again. The replay built the session anew from the recorded seed and calls, which is right for servers with and without state.${seen}`;
  }
}

/** The episode with what its replay found out: exchanges, and the state after each step. It stays as it is otherwise. */
export function withReplay(episode: Episode, replay: Replay): Episode {
  if (replay.states.length === 0) return { ...episode, exchanges: [...replay.exchanges] };
  return {
    ...episode,
    exchanges: [...replay.exchanges],
    states: [...replay.states],
    gaps: episode.gaps.filter(({ about }) => about !== 'state'),
  };
}
