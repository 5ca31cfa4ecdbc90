export { DEFAULT_CONFIG, type LoopConfig, type TruncateSide } from './config';
export { readConfig, writeConfig, type ConfigProblem, type ConfigRead } from './config-yaml';
export { CONTEXT_TOOLS } from './context-tools';
export { EnvironmentError } from './environment';
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
export { foldEpisode } from './fold';
export { createLoop, type AdvanceOptions, type Amendment, type Loop, type LoopOptions } from './loop';
export { manualPolicy, type ManualPolicy } from './policies/manual';
export { openAiPolicy, type OpenAiOptions } from './policies/openai';
export { recordedEmission, recordedPolicy } from './policies/recorded';
export { readScripts, scriptedPolicy, type ScriptedEmission } from './policies/scripted';
export { PolicyError, type Emission, type EmittedCall, type Policy, type PolicyRequest } from './policy';
