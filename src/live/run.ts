/** A run with the debugger's controls, as others see it. */
import type { Emission, LoopConfig, LoopEvent, LoopState, Policy } from '../agent';
import type { JsonObject } from '../gym';
import type { Episode, TaskRef } from '../model';
import type { ChatTemplate, Tokenizer } from '../tokens';
import type { Breakpoint, BreakpointHit } from './breakpoints';
import type { Prefix } from './prefix';
import type { LiveServer } from './server';

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
