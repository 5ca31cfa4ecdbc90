/** What an environment is: state, a way to seed it, tools that change it, a verifier; with tasks and scripts to try it on. */
import * as v from 'valibot';
import type { ChecklistProfile } from './checklist/profile';
import type { Json, JsonObject } from './json';

export type ObjectSchema = v.GenericSchema<unknown, { readonly [key: string]: unknown }>;
export type Issues = readonly v.BaseIssue<unknown>[];
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: Issues };

export interface ToolOutcome<State> {
  /** Absent: the tool left the state as it was. */
  readonly state?: State;
  readonly result: Json;
}

export interface Tool<State> {
  readonly name: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
  readonly result: v.GenericSchema;
  /** Never changes the state, so that no write is made for it. */
  readonly readOnly: boolean;
  parse(body: unknown): Parsed<(state: State) => ToolOutcome<State>>;
}

/** Makes a tool whose arguments have the type of its schema. */
export function tool<State, Parameters extends ObjectSchema>(definition: {
  readonly name: string;
  readonly description: string;
  readonly parameters: Parameters;
  readonly result: v.GenericSchema;
  readonly readOnly?: boolean;
  run(state: State, args: v.InferOutput<Parameters>): ToolOutcome<State>;
}): Tool<State> {
  const { name, description, parameters, result, readOnly = false } = definition;
  return {
    name,
    description,
    parameters,
    result,
    readOnly,
    parse: (body) => parsed(parameters, body, (args) => (state: State) => definition.run(state, args)),
  };
}

/** A tool as a model is told of it, in the shape of `responses_create_params.tools`. */
export interface ToolSchema extends JsonObject {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly strict: boolean;
}

export interface Verdict {
  readonly reward: number;
  readonly [extra: string]: Json;
}

/** A task in the shape of NeMo Gym's JSONL: the request to the model, and beside it what seed and verify need. */
export interface Task extends JsonObject {
  readonly responses_create_params: JsonObject;
}

export interface ScriptedCall {
  readonly name: string;
  /** Text instead of an object: arguments as a model may really write them, broken ones included. */
  readonly arguments: JsonObject | string;
}

export interface Emission {
  readonly text: string;
  readonly toolCalls: readonly ScriptedCall[];
}

/** An episode written down in advance: what the policy emits at each call. */
export interface Script {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Index into the environment's tasks. */
  readonly task: number;
  readonly emissions: readonly Emission[];
  readonly expect: { readonly reward: number };
}

/** How the server knows whose request it is: a signed cookie, or a cookie in which the client names itself. */
export type SessionKind = { readonly kind: 'signed' } | { readonly kind: 'named'; readonly cookie: string };
export type ReverifyMode = 'stateless' | 'unsupported' | 'unknown';

/** An environment as the server sees it: states are JSON, read and checked where they are loaded. */
export interface Environment {
  readonly name: string;
  /** First half of the cookie's name, as NeMo Gym calls its servers. */
  readonly serverName: string;
  readonly title: string;
  readonly description: string;
  readonly stateful: boolean;
  readonly reverify: ReverifyMode;
  readonly session: SessionKind;
  readonly seedSchema: ObjectSchema;
  readonly verifySchema: ObjectSchema;
  readonly tools: ReadonlyMap<string, ToolEndpoint>;
  /** Tools of the policy that need the context and therefore run in the agent loop. */
  readonly loopTools: readonly ToolSchema[];
  readonly tasks: readonly Task[];
  readonly scripts: readonly Script[];
  readonly checklist: ChecklistProfile;
  /** Seconds without a request after which a session goes, and between two looks. */
  readonly idle: { readonly timeout: number; readonly interval: number };
  /** Loads what tools need to be synchronous (a tokenizer). Awaited before every call; cheap once done. */
  prepare(): Promise<void>;
  seed(body: unknown): Parsed<Json | undefined>;
  verify(body: unknown): Parsed<(stored: Json | undefined) => Verdict>;
}

export interface ToolEndpoint {
  readonly name: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
  readonly result: v.GenericSchema;
  readonly readOnly: boolean;
  parse(body: unknown): Parsed<(stored: Json | undefined) => ToolOutcome<Json>>;
}

export interface EnvironmentDefinition<
  State extends Json,
  Seed extends ObjectSchema,
  Verify extends ObjectSchema,
> {
  readonly name: string;
  readonly serverName: string;
  readonly title: string;
  readonly description: string;
  readonly session?: SessionKind;
  readonly idle?: { readonly timeout: number; readonly interval: number };
  /** Absent: the environment is stateless, and nothing is kept. */
  readonly state?: v.GenericSchema<unknown, State>;
  /** What a session that was never seeded starts with. */
  initial(): State;
  readonly seed: { readonly schema: Seed; state(body: v.InferOutput<Seed>): State };
  readonly tools: readonly Tool<State>[];
  readonly verify: {
    readonly schema: Verify;
    /** Only asked for sessions that have a state; one without gets reward 0. */
    judge(state: State, body: v.InferOutput<Verify>): Verdict;
  };
  readonly loopTools?: readonly ToolSchema[];
  readonly tasks: readonly Task[];
  readonly scripts: readonly Script[];
  readonly checklist: ChecklistProfile;
  prepare?(): Promise<void>;
}

/** As the per-user workflow has it: half an hour, looked at every five minutes. */
export const DEFAULT_IDLE = { timeout: 1800, interval: 300 } as const;

export function defineEnvironment<State extends Json, Seed extends ObjectSchema, Verify extends ObjectSchema>(
  definition: EnvironmentDefinition<State, Seed, Verify>,
): Environment {
  const { state: stateSchema, seed, verify } = definition;
  const load = (stored: Json): State => {
    if (stateSchema === undefined) return definition.initial();
    const read = v.safeParse(stateSchema, stored);
    if (!read.success)
      throw new Error(`The stored state of this session is not a state of ${definition.name}.`);
    return read.output;
  };
  const endpoint = (of: Tool<State>): ToolEndpoint => ({
    name: of.name,
    description: of.description,
    parameters: of.parameters,
    result: of.result,
    readOnly: of.readOnly,
    parse: (body) => {
      const found = of.parse(body);
      if (!found.ok) return found;
      return {
        ok: true,
        value: (stored) => found.value(stored === undefined ? definition.initial() : load(stored)),
      };
    },
  });
  return {
    name: definition.name,
    serverName: definition.serverName,
    title: definition.title,
    description: definition.description,
    stateful: stateSchema !== undefined,
    // State that is gone cannot be verified again; what needs none can.
    reverify: stateSchema === undefined ? 'stateless' : 'unsupported',
    session: definition.session ?? { kind: 'signed' },
    idle: definition.idle ?? DEFAULT_IDLE,
    seedSchema: seed.schema,
    verifySchema: verify.schema,
    tools: new Map(definition.tools.map((of) => [of.name, endpoint(of)])),
    loopTools: definition.loopTools ?? [],
    tasks: definition.tasks,
    scripts: definition.scripts,
    checklist: definition.checklist,
    prepare: async () => definition.prepare?.(),
    seed: (body) =>
      parsed(seed.schema, body, (read) => (stateSchema === undefined ? undefined : seed.state(read))),
    verify: (body) =>
      parsed(verify.schema, body, (read) => (stored: Json | undefined) => {
        if (stateSchema === undefined) return verify.judge(definition.initial(), read);
        return stored === undefined ? { reward: 0 } : verify.judge(load(stored), read);
      }),
  };
}

function parsed<Schema extends ObjectSchema, T>(
  schema: Schema,
  body: unknown,
  make: (value: v.InferOutput<Schema>) => T,
): Parsed<T> {
  const read = v.safeParse(schema, body);
  return read.success ? { ok: true, value: make(read.output) } : { ok: false, issues: read.issues };
}
