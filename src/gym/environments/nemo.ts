/** NeMo Gym's shapes: task rows, and the parts of a verify request that hold what the model did. */
import * as v from 'valibot';
import type { Task } from '../environment';
import { arrayAt, at, isObject, parseJson, stringAt, type Json, type JsonObject } from '../json';

/** What a verify request brings besides the task's own fields. The server echoes it; few verifiers look into it. */
export const episodeFields = {
  responses_create_params: v.optional(
    v.pipe(v.looseObject({}), v.description('What the model was asked, as the task has it.')),
  ),
  response: v.optional(
    v.pipe(
      v.looseObject({ output: v.optional(v.array(v.unknown())) }),
      v.description('What the model did: its messages and calls are in `output`.'),
    ),
  ),
};

export const integer = (description: string) =>
  v.pipe(v.number(), v.safeInteger(), v.description(description));
export const text = (description: string) => v.pipe(v.string(), v.description(description));

interface TaskOptions {
  readonly system?: string;
  readonly parallel?: boolean;
}

/** A row of task inputs. Its tools are put in by the environment that lists it. */
export function task(user: string, fields: JsonObject, { system, parallel }: TaskOptions = {}): Task {
  return {
    responses_create_params: {
      input: [
        ...(system === undefined ? [] : [{ role: 'system', content: system }]),
        { role: 'user', content: user },
      ],
      ...(parallel === undefined ? {} : { parallel_tool_calls: parallel }),
    },
    ...fields,
  };
}

export interface RecordedCall {
  readonly name: string;
  /** Undefined where the arguments are not JSON. */
  readonly arguments: Json | undefined;
}

/** The function calls of `response.output`, in order. */
export function recordedCalls(response: unknown): RecordedCall[] {
  return arrayAt(response, 'output').flatMap((item): RecordedCall[] => {
    const name = stringAt(item, 'name');
    if (at(item, 'type') !== 'function_call' || name === undefined) return [];
    return [{ name, arguments: parseJson(stringAt(item, 'arguments') ?? '') }];
  });
}

/** The text of the last assistant message of `response.output`. */
export function finalText(response: unknown): string | undefined {
  const message = arrayAt(response, 'output').findLast((item) => at(item, 'type') === 'message');
  if (!isObject(message)) return undefined;
  const content = message['content'];
  if (typeof content === 'string') return content;
  return arrayAt(message, 'content')
    .map((part) => stringAt(part, 'text') ?? '')
    .join('');
}
