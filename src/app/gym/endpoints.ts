/** What one can ask of an environment, each with a body to start from. */
import { jsonSchema, type Environment, type Json, type JsonObject } from '../../gym';
import { fieldsOf, type FieldKind } from './form';

export interface Endpoint {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly description: string;
  /** Of the body; absent where there is none. */
  readonly schema: JsonObject | undefined;
  readonly example: JsonObject;
  readonly group: 'Episode' | 'Tools' | 'About the server';
}

const get = (name: string, description: string): Endpoint => ({
  name,
  method: 'GET',
  description,
  schema: undefined,
  example: {},
  group: 'About the server',
});

export function endpointsOf(environment: Environment): Endpoint[] {
  const { checklist } = environment;
  const tools = [...environment.tools.values()].map((tool): Endpoint => ({
    name: tool.name,
    method: 'POST',
    description: tool.description,
    schema: jsonSchema(tool.parameters),
    example: exampleOf(environment, tool.name) ?? smallest(jsonSchema(tool.parameters)),
    group: 'Tools',
  }));
  return [
    {
      name: 'seed_session',
      method: 'POST',
      description: 'Starts the session: what was there is replaced.',
      schema: jsonSchema(environment.seedSchema),
      example: checklist.stateful ? checklist.seed : fieldsOfTask(environment),
      group: 'Episode',
    },
    ...tools,
    {
      name: 'verify',
      method: 'POST',
      description: 'The reward of the episode: the request, echoed, with reward.',
      schema: jsonSchema(environment.verifySchema),
      example: checklist.stateful ? checklist.verify.body : fieldsOfTask(environment),
      group: 'Episode',
    },
    get('tools', 'The tools and their schemas.'),
    get('metrics', 'Sessions, requests, errors and latency.'),
    get('reverify_mode', 'Whether a stored rollout can be verified again.'),
    get('openapi.json', 'Everything above, as OpenAPI.'),
  ];
}

/** As the checklist or a script calls the tool. */
function exampleOf({ checklist, scripts }: Environment, tool: string): JsonObject | undefined {
  const calls = checklist.stateful ? [checklist.write, checklist.read] : [checklist.call];
  const known = calls.find(({ path }) => path === `/${tool}`)?.body;
  if (known !== undefined) return known;
  for (const { emissions } of scripts) {
    for (const call of emissions.flatMap(({ toolCalls }) => toolCalls)) {
      if (call.name === tool && typeof call.arguments !== 'string') return call.arguments;
    }
  }
  return undefined;
}

/** A small value for everything that must be there. */
function smallest(schema: JsonObject): JsonObject {
  const values: Record<FieldKind, Json> = {
    text: 'x',
    integer: 1,
    number: 1,
    boolean: true,
    choice: '',
    json: [],
  };
  return Object.fromEntries(
    fieldsOf(schema)
      .filter(({ required }) => required)
      .map(({ name, kind, options }) => [name, options[0] ?? values[kind]]),
  );
}

/** The first task's own fields, without the request to the model. */
function fieldsOfTask({ tasks }: Environment): JsonObject {
  const entries: [string, Json][] = Object.entries(tasks[0] ?? {});
  return Object.fromEntries(entries.filter(([name]) => name !== 'responses_create_params'));
}
