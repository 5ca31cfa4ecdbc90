export { DEFAULT_CONFIG, type LoopConfig, type TruncateSide } from './config';
export type {
  CallContext,
  InteractionAnswer,
  LoopEnvironment,
  SeedAnswer,
  ToolAnswer,
  Traffic,
  VerifyAnswer,
} from './environment';
export type * from './events';
export { createLoop, type AdvanceOptions, type Amendment, type Loop, type LoopOptions } from './loop';
export { PolicyError, type Emission, type EmittedCall, type Policy, type PolicyRequest } from './policy';
