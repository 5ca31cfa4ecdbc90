/** Runs the loop over an environment, one transition at a time, and lets a person in between two of them. */
import { createLoop, foldEpisode, type Loop, type LoopEvent, type Policy } from '../agent';
import type { Episode } from '../model';
import { chatMl } from '../tokens';
import { Breakpoints, type BreakpointHit } from './breakpoints';
import { gymEnvironment, type GymEnvironment } from './environment';
import { playPrefix, prefixPolicy } from './prefix';
import type { Run, RunSetup, RunSnapshot, RunStatus } from './run';
import { beforeEnd, ContextLength, trafficIn } from './run-log';
import { editableNow, isBetweenSteps, lastAnswered, lastStep, stateGap, statusOf } from './standing';
import { runTask } from './task';

export function createRun(setup: RunSetup): Run {
  const { id, server, prefix } = setup;
  // A run that is played again because its session is gone is still the fork that it was.
  const fork = prefix?.fork ?? prefix?.episode.fork;
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
  let context = new ContextLength();
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
      ...(fork === undefined ? {} : { fork }),
    });
    kept = log?.length ?? 0;
    context = new ContextLength();
    stopping = new AbortController();
    status = statusOf(loop);
    streamed = '';
    hit = undefined;
  };
  open(setup.log);

  /** One transition; true where a breakpoint says to pause. */
  const transition = async (): Promise<boolean> => {
    const { length } = loop.log;
    const before = context.after(loop.log);
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
      tokens: [before, context.after(loop.log)],
      stateBefore,
    });
    return hit !== undefined;
  };

  /** Transitions until `isEnough` says so, a breakpoint is met, or the run is over. One driver at a time. */
  const drive = (isEnough: () => boolean, isPaced = false): Promise<void> => {
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
          await wait(isPaced ? delayMs : 0, stopping.signal);
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

  const setState = async (value: unknown, step: number): Promise<void> => {
    const { length } = environment.session.states;
    await environment.session.edit(value, step);
    loop.amend({ kind: 'observed', states: environment.session.states.slice(length) });
  };

  /** Plays what comes before anything else. What came of it is told at its end: until then all is kept that was. */
  const begin = (): Promise<void> => {
    if (beginning === undefined) {
      tell();
      return Promise.resolve();
    }
    status = 'running';
    const playing = playPrefix(beginning, loop, stopping.signal, setState).finally(() => {
      driving = undefined;
      status = statusOf(loop);
      tell();
      changed();
    });
    driving = playing;
    // Whoever waits for it is told; nobody has to.
    playing.catch(() => undefined);
    return playing;
  };
  let ready = setup.log === undefined ? begin() : Promise.resolve();

  const settle = async (): Promise<void> => {
    stopping.abort(new DOMException('Stopped.', 'AbortError'));
    await driving?.catch(() => undefined);
  };

  const snapshotNow = (): RunSnapshot => {
    const { log } = loop;
    const { length } = log;
    const now = episode();
    const canSetState = server.states !== undefined && environment.session.id !== undefined;
    return {
      id,
      title: now.title,
      server: server.label,
      policy: setup.policy.name,
      status,
      state: loop.state,
      step: loop.step,
      episode: now,
      // Few look at it, and it only ever grows at its end.
      get log() {
        return log.slice(0, length);
      },
      streamed,
      contextTokens: context.after(log),
      ...(hit === undefined ? {} : { hit }),
      ...(now.outcome.error === undefined ? {} : { error: now.outcome.error }),
      breakpoints: breakpoints.list,
      delayMs,
      editable: editableNow(loop, status === 'running', canSetState),
    };
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
    getSnapshot: () => (snapshot ??= snapshotNow()),
    advance: () => drive(() => true),
    step: () => {
      const from = lastStep(loop);
      return drive(() => lastStep(loop) > from && isBetweenSteps(loop));
    },
    run: () => drive(() => false, true),
    pause: () => {
      wantsPause = true;
    },
    stop: async () => {
      await settle();
      stopping = new AbortController();
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
