/** The schemas of an environment as JSON Schema: for `/tools`, `/openapi.json` and the page's forms. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { Environment, ToolSchema } from './environment';
import { isJsonObject, parse, type Json, type JsonObject } from './json';

export function jsonSchema(schema: v.GenericSchema): JsonObject {
  const { $schema: _dialect, ...converted } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
  });
  // Through JSON, which drops what is undefined and makes it plain data.
  const plain = parse(JSON.stringify(converted));
  return isJsonObject(plain) ? plain : {};
}

/** In the shape that `responses_create_params.tools` has. */
export function toolSchemas(environment: Environment): ToolSchema[] {
  return [...environment.tools.values()].map((tool) => {
    const parameters = jsonSchema(tool.parameters);
    const required = Array.isArray(parameters['required']) ? parameters['required'] : [];
    const properties = parameters['properties'] ?? {};
    return {
      type: 'function',
      name: tool.name,
      description: tool.description,
      parameters: { ...parameters, additionalProperties: false },
      // Strict calls must give every argument; a tool with optional ones cannot ask for that.
      strict: required.length === Object.keys(isJsonObject(properties) ? properties : {}).length,
    };
  });
}

const post = (summary: string, body: JsonObject, answer: Json, name: string): JsonObject => ({
  post: {
    operationId: name,
    summary,
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      200: { description: 'Success', content: { 'application/json': { schema: answer } } },
      422: {
        description: 'The body does not fit its schema',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } },
      },
    },
  },
});
const get = (summary: string, name: string): JsonObject => ({
  get: {
    operationId: name,
    summary,
    responses: { 200: { description: 'Success', content: { 'application/json': {} } } },
  },
});

export function openApi(environment: Environment, base: string): JsonObject {
  const verify = jsonSchema(environment.verifySchema);
  return {
    openapi: '3.1.0',
    info: { title: environment.title, description: environment.description, version: '1' },
    servers: [{ url: base }],
    paths: {
      '/seed_session': post(
        'Start the session anew',
        jsonSchema(environment.seedSchema),
        { type: 'object' },
        'seed_session',
      ),
      ...Object.fromEntries(
        [...environment.tools.values()].map((tool) => [
          `/${tool.name}`,
          post(tool.description, jsonSchema(tool.parameters), jsonSchema(tool.result), tool.name),
        ]),
      ),
      '/verify': post(
        'Reward of the episode: the request, echoed, plus reward',
        verify,
        {
          allOf: [
            verify,
            { type: 'object', properties: { reward: { type: 'number' } }, required: ['reward'] },
          ],
        },
        'verify',
      ),
      '/aggregate_metrics': post(
        'Statistics over verify responses',
        {
          type: 'object',
          properties: { verify_responses: { type: 'array', items: { type: 'object' } } },
          required: ['verify_responses'],
        },
        { type: 'object' },
        'aggregate_metrics',
      ),
      '/reverify_mode': get('Whether a stored rollout can be verified again', 'reverify_mode'),
      '/tools': get('The tools and their schemas', 'tools'),
      '/metrics': get('Sessions, requests, errors and latency', 'metrics'),
    },
    components: {
      schemas: {
        HTTPValidationError: {
          type: 'object',
          properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } } },
        },
        ValidationError: {
          type: 'object',
          required: ['loc', 'msg', 'type'],
          properties: {
            loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
            msg: { type: 'string' },
            type: { type: 'string' },
          },
        },
      },
    },
  };
}
