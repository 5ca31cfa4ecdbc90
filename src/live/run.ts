/** A run with the debugger's controls. It changes only between transitions of the loop, and everything of it is in its log. */
import {
  createLoop,
  foldEpisode,
  type Emission,
  type Loop,
  type LoopConfig,
  type LoopEvent,
  type LoopState,
  type Policy,
  type Termination,
} from '../agent';
import type { JsonObject } from '../gym';
import type { Episode, Gap, TaskRef } from '../model';
import { chatMl, type ChatTemplate, type Tokenizer } from '../tokens';
import { Breakpoints, type Breakpoint, type BreakpointHit } from './breakpoints';
import { gymEnvironment, type GymEnvironment } from './environment';
import { prefixEdits, prefixPolicy, prefixResults, type Prefix } from './prefix';
import type { LiveServer } from './server';
import { asItStands, beforeEnd, contextTokens, endOf, trafficIn } from './run-log';
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
  /**
   * After a failure or a stop: takes that transition back, so that it can be tried again. What it had changed on the server
   * is taken back too: the state is put back, or the steps before it are played again in a new session.
   */
  retry(): Promise<void>;
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
  /** What is played before the policy is asked. */
  let beginning = prefix;
  const policy: Policy = {
    name: setup.policy.name,
    emit: (request) => prefixPolicy(beginning, setup.policy, setup.tokenizer.id, request.step).emit(request),
  };

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

  const gap = stateGap(server);
  let shown: { of: Episode; episode: Episode } | undefined;
  /** The loop's episode, with what it cannot know: that the state behind this server is not to be seen. */
  const episode = (): Episode => {
    const of = loop.episode;
    if (gap === undefined) return of;
    if (shown?.of !== of) shown = { of, episode: { ...of, gaps: [...of.gaps, gap] } };
    return shown.episode;
  };
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

  const open = (log: readonly LoopEvent[] | undefined): void => {
    environment = gymEnvironment({
      server,
      task: setup.task,
      ...(setup.timeoutMs === undefined ? {} : { timeoutMs: setup.timeoutMs }),
      ...(log === undefined ? {} : trafficIn(log)),
    });
    loop = createLoop({
      config: setup.config,
      policy,
      environment,
      tokenizer: setup.tokenizer,
      template,
      task: runTask(setup.task, setup.ref, id),
      ...(log === undefined ? {} : { log }),
      ...(prefix?.fork === undefined ? {} : { fork: prefix.fork }),
    });
    kept = log?.length ?? 0;
    stopping = new AbortController();
    status = statusOf(loop);
    streamed = '';
    hit = undefined;
  };
  open(setup.log);

  /** One transition; true where a breakpoint says to pause. */
  const transition = async (): Promise<boolean> => {
    const { length } = loop.log;
    const before = contextTokens(loop.log);
    const watched = breakpoints.list.length > 0;
    const stateBefore = environment.session.states.at(-1);
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
      episode,
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

  /** Told at its end, so that what was kept of a run that is taken up again stays until all of it is there again. */
  const play = async (played: Prefix): Promise<void> => {
    const isPlayed = (): boolean =>
      lastStep(loop) >= played.step && isBetweenSteps(loop) && loop.log.some(({ type }) => type === 'seeded');
    status = 'running';
    while (loop.state !== 'TERMINATED' && !isPlayed()) {
      await loop.advance({ signal: stopping.signal });
      const results = prefixResults(played, loop);
      if (results.size > 0) loop.amend({ kind: 'results', texts: results });
      for (const { value, step } of prefixEdits(played, loop)) await setState(value, step);
    }
    tell();
    status = statusOf(loop);
    changed();
    if (lastStep(loop) < played.step) {
      const { error, termination } = loop.episode.outcome;
      throw new Error(
        `The beginning could not be played up to step ${played.step}: ${error ?? termination ?? 'it ended'}`,
      );
    }
  };

  const setState = async (value: unknown, step: number): Promise<void> => {
    const { length } = environment.session.states;
    await environment.session.edit(value, step);
    loop.amend({ kind: 'observed', states: environment.session.states.slice(length) });
  };

  /** Plays what comes before anything else, if there is something. */
  const begin = (): Promise<void> => {
    if (beginning !== undefined) return play(beginning);
    tell();
    return Promise.resolve();
  };
  let ready = setup.log === undefined ? begin() : Promise.resolve();

  const settle = async (): Promise<void> => {
    stopping.abort(new DOMException('Stopped.', 'AbortError'));
    await Promise.allSettled([driving, ready]);
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
        title: episode().title,
        server: server.label,
        policy: setup.policy.name,
        status,
        state: loop.state,
        step: loop.step,
        episode: episode(),
        log: [...loop.log],
        streamed,
        contextTokens: contextTokens(loop.log),
        ...(hit === undefined ? {} : { hit }),
        ...(episode().outcome.error === undefined ? {} : { error: episode().outcome.error }),
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
      beginning = prefix;
      open(undefined);
      ready = begin();
      changed();
      await ready;
    },
    retry: async () => {
      if ((status !== 'failed' && status !== 'stopped') || driving !== undefined) return;
      const log = beforeEnd(loop.log);
      const done = trafficIn(loop.log.slice(log.length)).exchanges.some(
        ({ purpose, response }) => purpose === 'call' && response !== undefined,
      );
      const { states } = trafficIn(log);
      const last = states.at(-1);
      if (!done || (server.states !== undefined && last?.session !== undefined)) {
        open(log);
        // Calls of the transition that is taken back have changed it already.
        if (done && last?.session !== undefined) await server.states?.write(last.session, last.value);
      } else {
        beginning = { episode: foldEpisode(log), step: lastAnswered(log) };
        open(undefined);
        ready = begin();
      }
      changed();
      await ready;
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
    editState: async (value) => {
      await setState(value, lastStep(loop));
      tell();
      changed();
    },
  };
}

function stateGap({ states, environment, label }: LiveServer): Gap | undefined {
  if (states !== undefined || environment?.stateful === false) return undefined;
  return { about: 'state', reason: `The session state behind ${label} cannot be seen from outside it.` };
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
  if (end !== undefined && failures.has(end.termination)) return 'failed';
  if (loop.done) return 'finished';
  return loop.log.length > 1 ? 'paused' : 'ready';
}

const failures: ReadonlySet<Termination> = new Set(['policy_error', 'template_error', 'environment_error']);

/** The last step whose calls have been answered. */
function lastAnswered(log: readonly LoopEvent[]): number {
  return log.filter(({ type }) => type === 'answered' || type === 'interacted').length - 1;
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
