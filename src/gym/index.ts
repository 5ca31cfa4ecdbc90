/** What the page, the live runs and the command line use. Modules that need Node (`node-host`, `store/redis`, `store/open`) are imported by path. */
export { runChecklist, CHECKS } from './checklist/checklist';
export type { CheckId, ChecklistOptions, CheckResult, CheckStatus } from './checklist/checklist';
export type { ChecklistProfile, ProfileCall, StatefulProfile, StatelessProfile } from './checklist/profile';
export { readProfile } from './checklist/read-profile';
export { createGymClient } from './client';
export type { Exchange, ExchangeResponse, GymClient, GymClientOptions } from './client';
export { defineEnvironment, tool } from './environment';
export type {
  Emission,
  Environment,
  Script,
  ScriptedCall,
  Task,
  ToolEndpoint,
  ToolSchema,
  Verdict,
} from './environment';
export { environmentNamed, environments } from './environments';
export { createPerUserAssistant } from './environments/per_user_assistant';
export { DEFAULT_PER_USER_CONFIG, readPerUserConfig } from './environments/per_user_config';
export type { PerUserConfig } from './environments/per_user_config';
export { sameJson } from './json';
export type { Json, JsonObject } from './json';
export { isMistake, MISTAKE_HEADER, MISTAKES, mistakesOn, parseMistakes } from './mistakes';
export type { MistakeName, Mistakes } from './mistakes';
export { jsonSchema, openApi, toolSchemas } from './openapi';
export { firstDifference, playScript } from './script';
export type { Played } from './script';
export { createGym } from './server';
export type { Gym, GymOptions, Served } from './server';
export { SESSION_ID_KEY } from './session';
export { httpStore } from './store/http';
export { indexedDbStore } from './store/indexeddb';
export { memoryStore } from './store/memory';
export { STORE_TRAITS, StoreError } from './store/store';
export type { Clock, Store, Stored, StoreEntry, StoreKind } from './store/store';
export { policyTools, taskRows, tasksJsonl } from './tasks';
export { carriedFetch, COOKIE_HEADER, directTransport, SET_COOKIE_HEADER, tabTransport } from './transport';
export type { FetchLike, Incoming, Outgoing, Transport } from './transport';
