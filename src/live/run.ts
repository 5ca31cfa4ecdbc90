/** A run with the debugger's controls. It changes only between transitions of the loop, and everything of it is in its log. */
import {
  createLoop,
  type Emission,
  type Loop,
  type LoopConfig,
  type LoopEvent,
  type LoopState,
  type Policy,
} from '../agent';
import type { JsonObject } from '../gym';
import { stateAt, type Episode, type TaskRef } from '../model';
import { chatMl, type ChatTemplate, type Tokenizer } from '../tokens';
import { asItStands, Breakpoints, type Breakpoint, type BreakpointHit } from './breakpoints';
import { gymEnvironment, type GymEnvironment } from './environment';
import { prefixEdits, prefixPolicy, prefixResults, type Prefix } from './prefix';
import type { LiveServer } from './server';
import { runTask } from './task';

export interface RunSetup {
  readonly id: string;
  readonly server: LiveServer;
  /** The task's row. */
  readonly task: JsonObject;
  /** Which task it is, for grouping. */
  readonly ref?: TaskRef;
  readonly policy: Policy;
  readonly config: LoopConfig;
  readonly tokenizer: Tokenizer;
  /** ChatML where absent. */
  readonly template?: ChatTemplate;
  readonly breakpoints?: readonly Breakpoint[];
  /** Waited between two transitions while it runs by itself. */
  readonly delayMs?: number;
  readonly timeoutMs?: number;
  /** A log to go on from, as it was kept. The session is taken up again. */
  readonly log?: readonly LoopEvent[];
  /** A fork: the beginning of another episode, played again in a session of its own before anything else. */
  readonly prefix?: Prefix;
  /** Told every event as it is added, to keep the log. */
  readonly onEvent?: (event: LoopEvent, index: number) => void;
}

/**
 * `ready`: nothing has happened yet. `failed`: the policy, the server or the network ended it; `retry` goes on from there.
 * `stopped`: a person did.
 */
export type RunStatus = 'ready' | 'running' | 'paused' | 'stopped' | 'failed' | 'finished';

/** A run as it is at one moment. Never changes. */
export interface RunSnapshot {
  readonly id: string;
  readonly title: string;
  readonly server: string;
  readonly policy: string;
  readonly status: RunStatus;
  /** What the next transition does. */
  readonly state: LoopState;
  /** The step of the next emission. */
  readonly step: number;
  readonly episode: Episode;
  readonly log: readonly LoopEvent[];
  /** Text of the emission that is under way. */
  readonly streamed: string;
  readonly contextTokens: number;
  readonly hit?: BreakpointHit;
  readonly error?: string;
  readonly breakpoints: readonly Breakpoint[];
  readonly delayMs: number;
  /** What can be changed before it goes on. */
  readonly editable: { readonly emission: boolean; readonly results: boolean; readonly state: boolean };
}

export interface Run {
  readonly id: string;
  /** Resolves when the prefix of a fork has been played; at once for others. Rejects where that did not work. */
  readonly ready: Promise<void>;
  /** For `useSyncExternalStore`. */
  subscribe(listener: () => void): () => void;
  getSnapshot(): RunSnapshot;
  /** One transition: render, emit, run the calls, verify. */
  advance(): Promise<void>;
  /** On to the end of a step: an emission and what came of it. */
  step(): Promise<void>;
  /** On until it ends, is paused or comes to a breakpoint. */
  run(): Promise<void>;
  /** After the transition that is under way. */
  pause(): void;
  /** Ends it, also in the middle of a transition. Finished steps stay. */
  stop(): Promise<void>;
  /** From the beginning, in a new session. */
  reset(): Promise<void>;
  /** After a failure: takes the failed transition back, so that it can be tried again. */
  retry(): void;
  setDelay(ms: number): void;
  /** Throws a `PredicateError` for a condition that cannot be read. */
  setBreakpoints(breakpoints: readonly Breakpoint[]): void;
  /** The last emission, before its calls are run: its text, its calls, their arguments. */
  editEmission(emission: Emission): void;
  /** Results of the last calls, by position. */
  editResults(texts: ReadonlyMap<number, string>): void;
  /** The session's state on the server. */
  editState(value: unknown): Promise<void>;
}

export function createRun(setup: RunSetup): Run {
  const { id, server, prefix } = setup;
  const template = setup.template ?? chatMl;
  const breakpoints = new Breakpoints();
  breakpoints.set(setup.breakpoints ?? []);
  const listeners = new Set<() => void>();
  const policy = prefix === undefined ? setup.policy : prefixPolicy(prefix, setup.policy);

  let environment: GymEnvironment;
  let loop: Loop;
  let kept = 0;
  let status: RunStatus = 'ready';
  let delayMs = setup.delayMs ?? 0;
  let streamed = '';
  let hit: BreakpointHit | undefined;
  let wantsPause = false;
  let stopping = new AbortController();
  let driving: Promise<void> | undefined;
  let snapshot: RunSnapshot | undefined;

  const changed = (): void => {
    snapshot = undefined;
    for (const listener of listeners) listener();
  };
  const tell = (): void => {
    for (; kept < loop.log.length; kept++) {
      const event = loop.log[kept];
      if (event !== undefined) setup.onEvent?.(event, kept);
    }
  };

  const open = (log: readonly LoopEvent[]): void => {
    const traffic = trafficIn(log);
    environment = gymEnvironment({
      server,
      task: setup.task,
      ...(setup.timeoutMs === undefined ? {} : { timeoutMs: setup.timeoutMs }),
      ...traffic,
    });
    loop = createLoop({
      config: setup.config,
      policy,
      environment,
      tokenizer: setup.tokenizer,
      template,
      task: runTask(setup.task, setup.ref, id),
      ...(log.length === 0 ? {} : { log }),
      ...(prefix?.fork === undefined ? {} : { fork: prefix.fork }),
    });
    kept = log.length;
    stopping = new AbortController();
    status = statusOf(loop);
    if (status === 'paused' && loop.log.length === 0) status = 'ready';
    streamed = '';
    hit = undefined;
  };
  open(setup.log ?? []);

  /** One transition; true where a breakpoint says to pause. */
  const transition = async (): Promise<boolean> => {
    const { length } = loop.log;
    const before = contextTokens(loop.log);
    const watched = breakpoints.list.length > 0;
    const stateBefore = watched ? stateAt(loop.episode, Infinity) : undefined;
    streamed = '';
    await loop.advance({
      signal: stopping.signal,
      onDelta: (text) => {
        streamed += text;
        changed();
      },
    });
    streamed = '';
    tell();
    if (!watched) return false;
    hit = breakpoints.check({
      events: loop.log.slice(length),
      step: Math.max(lastStep(loop), 0),
      episode: () => loop.episode,
      tokens: [before, contextTokens(loop.log)],
      stateBefore,
    });
    return hit !== undefined;
  };

  /** Transitions until `isEnough` says so, a breakpoint is met, or the run is over. One driver at a time. */
  const drive = (isEnough: () => boolean, pace: () => number): Promise<void> => {
    if (driving !== undefined || loop.done) return driving ?? Promise.resolve();
    wantsPause = false;
    hit = undefined;
    status = 'running';
    changed();
    const work = async (): Promise<void> => {
      try {
        const over = (): boolean => loop.done || wantsPause || stopping.signal.aborted;
        for (;;) {
          const broke = await transition();
          changed();
          if (broke || over() || isEnough()) break;
          await wait(pace(), stopping.signal);
          if (over()) break;
        }
      } finally {
        driving = undefined;
        status = statusOf(loop);
        changed();
      }
    };
    driving = work();
    return driving;
  };

  const playPrefix = async (): Promise<void> => {
    if (prefix === undefined || loop.log.length > 0) return;
    const ended = (): boolean => loop.done || loop.state === 'TERMINATED';
    while (!ended() && !(lastStep(loop) >= prefix.step && isBetweenSteps(loop))) {
      await loop.advance({ signal: stopping.signal });
      const results = prefixResults(prefix, loop);
      if (results.size > 0) loop.amend({ kind: 'results', texts: results });
      for (const state of prefixEdits(prefix, loop)) await setState(state.value, state.step);
      tell();
      if (prefix.step < 0 && loop.log.some(({ type }) => type === 'seeded')) break;
    }
    status = statusOf(loop);
    changed();
    if (ended() && lastStep(loop) < prefix.step) {
      const reason = loop.episode.outcome.error ?? loop.episode.outcome.termination ?? 'it ended';
      throw new Error(`The beginning could not be played up to step ${prefix.step}: ${reason}.`);
    }
  };
  let ready = playPrefix();

  const setState = async (value: unknown, step: number): Promise<void> => {
    const { length } = environment.session.states;
    await environment.session.edit(value, step);
    loop.amend({ kind: 'observed', states: environment.session.states.slice(length) });
    tell();
    changed();
  };

  const settle = async (): Promise<void> => {
    stopping.abort(new DOMException('Stopped.', 'AbortError'));
    await driving;
  };

  return {
    id,
    get ready() {
      return ready;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () =>
      (snapshot ??= {
        id,
        title: loop.episode.title,
        server: server.label,
        policy: setup.policy.name,
        status,
        state: loop.state,
        step: loop.step,
        episode: loop.episode,
        log: [...loop.log],
        streamed,
        contextTokens: contextTokens(loop.log),
        ...(hit === undefined ? {} : { hit }),
        ...(loop.episode.outcome.error === undefined ? {} : { error: loop.episode.outcome.error }),
        breakpoints: breakpoints.list,
        delayMs,
        editable: {
          ...editableNow(loop, status),
          state:
            server.states !== undefined &&
            environment.session.id !== undefined &&
            status !== 'running' &&
            !loop.done,
        },
      }),
    advance: () =>
      drive(
        () => true,
        () => 0,
      ),
    step: () => {
      const from = lastStep(loop);
      return drive(
        () => lastStep(loop) > from && isBetweenSteps(loop),
        () => 0,
      );
    },
    run: () =>
      drive(
        () => false,
        () => delayMs,
      ),
    pause: () => {
      wantsPause = true;
    },
    stop: async () => {
      await settle();
      if (loop.done) return;
      loop.stop();
      tell();
      status = statusOf(loop);
      changed();
    },
    reset: async () => {
      await settle();
      open([]);
      changed();
      ready = playPrefix();
      await ready;
    },
    retry: () => {
      if (status !== 'failed' || driving !== undefined) return;
      open(withoutFailure(loop.log));
      changed();
    },
    setDelay: (ms) => {
      delayMs = Math.max(ms, 0);
      changed();
    },
    setBreakpoints: (list) => {
      breakpoints.set(list);
      changed();
    },
    editEmission: (emission) => {
      loop.amend({ kind: 'emission', emission });
      tell();
      changed();
    },
    editResults: (texts) => {
      loop.amend({ kind: 'results', texts });
      tell();
      changed();
    },
    editState: (value) => setState(value, lastStep(loop)),
  };
}

/** The last step that has begun; -1 before the first. */
function lastStep(loop: Loop): number {
  return loop.step - 1;
}

/** Whether the next thing to happen is a new step. */
function isBetweenSteps(loop: Loop): boolean {
  return loop.state === 'PENDING' || loop.state === 'GENERATING';
}

function statusOf(loop: Loop): RunStatus {
  const end = endOf(loop.log);
  if (end?.termination === 'stopped') return 'stopped';
  if (end?.termination === 'policy_error' || end?.termination === 'environment_error') return 'failed';
  return loop.done ? 'finished' : 'paused';
}

function endOf(log: readonly LoopEvent[]) {
  return log.map((event) => asItStands(event)?.end).findLast((end) => end !== undefined);
}

/** The log up to the transition that failed. */
export function withoutFailure(log: readonly LoopEvent[]): LoopEvent[] {
  const failed = log.findIndex((event) => asItStands(event)?.end?.error !== undefined);
  return failed < 0 ? [...log] : log.slice(0, failed);
}

/** All requests and states of a log, as the episode has them. */
export function trafficIn(log: readonly LoopEvent[]): Pick<Required<Episode>, 'exchanges' | 'states'> {
  return {
    exchanges: log.flatMap((event) => ('exchanges' in event ? (event.exchanges ?? []) : [])),
    states: log.flatMap((event) => ('states' in event ? (event.states ?? []) : [])),
  };
}

/** How long the context is: what was rendered last, and what was appended since. */
function contextTokens(log: readonly LoopEvent[]): number {
  let tokens = 0;
  for (let index = log.length - 1; index >= 0; index--) {
    const event = log[index];
    const stands = event === undefined ? undefined : asItStands(event);
    if (stands === undefined || !('ids' in stands) || event?.type === 'amended') continue;
    tokens += stands.ids?.length ?? 0;
    if (stands.type === 'rendered') return tokens + stands.keeps;
  }
  return tokens;
}

function editableNow(loop: Loop, status: RunStatus): { emission: boolean; results: boolean } {
  const last = loop.log.findLast(({ type }) => type !== 'observed');
  const stands = last === undefined ? undefined : asItStands(last);
  const still = status !== 'running' && !loop.done;
  return { emission: still && stands?.type === 'emitted', results: still && stands?.type === 'answered' };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      done();
    }
  });
}
