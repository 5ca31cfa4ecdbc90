export { Breakpoints, type Breakpoint, type BreakpointHit } from './breakpoints';
export { gymEnvironment, type GymEnvironment, type GymEnvironmentOptions } from './environment';
export { forkAt, forkTask, type ForkOptions } from './fork';
export { guessEnvironment, type EnvironmentGuess } from './guess';
export { isJsonObject } from './json';
export {
  forgetLog,
  keptRuns,
  loadLog,
  saveLog,
  type KeptRun,
  type KeyValueStore,
  type LogKeeper,
  type RunDescription,
} from './keep';
export { openSlots, type Slots } from './pool';
export { proxyFetch, proxyTransport } from './proxy';
export { parsePredicate, PredicateError, type Predicate } from './predicate';
export { emissionAt, type Prefix } from './prefix';
export {
  replayEpisode,
  withReplay,
  type Recording,
  type Replay,
  type ReplayedCall,
  type ReplayOptions,
  type ReverifyMode,
} from './replay';
export {
  createReplayer,
  replayAll,
  type ChooseServer,
  type ReplayAllOptions,
  type Replayer,
} from './replay-all';
export { createRun } from './create-run';
export type { Run, RunSetup, RunSnapshot, RunStatus } from './run';
export {
  localServer,
  remoteServer,
  statesOf,
  type LiveServer,
  type LocalServerOptions,
  type StateAccess,
} from './server';
export { openSession, type Occasion, type Session, type SessionOptions } from './session';
export { configFor, LOOP_TOOLS, promptIn, runTask, toolsFor } from './task';
