/** Plays a script against a server, without an agent loop: seed, the tool calls in order, verify. */
import type { Exchange, GymClient } from './client';
import type { Environment, Script, ScriptedCall } from './environment';
import { at, isJsonObject, parseJson, sameJson, type Json, type JsonObject } from './json';
import { taskRows } from './tasks';

export interface Played {
  readonly exchanges: readonly Exchange[];
  /** Undefined where verify did not answer with one. */
  readonly reward: number | undefined;
  /** `response.output` as a rollout file would have it. */
  readonly output: readonly JsonObject[];
}

export async function playScript(
  client: GymClient,
  environment: Environment,
  script: Script,
): Promise<Played> {
  const row = taskRows(environment)[script.task];
  if (row === undefined) throw new Error(`${script.name}: ${environment.name} has no task ${script.task}.`);
  const first = client.exchanges.length;
  await client.seed(row);
  const output: JsonObject[] = [];
  for (const { text, toolCalls } of script.emissions) {
    if (text !== '') {
      output.push({
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
        status: 'completed',
      });
    }
    for (const call of toolCalls) {
      const call_id = `call_${output.length}`;
      const args = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
      output.push({ type: 'function_call', call_id, name: call.name, arguments: args, status: 'completed' });
      output.push({
        type: 'function_call_output',
        call_id,
        output: JSON.stringify(await resultOf(client, environment, call)),
      });
    }
  }
  const verdict = await client.verify({ ...row, response: { object: 'response', output } });
  const reward = at(verdict.response.json, 'reward');
  return {
    exchanges: client.exchanges.slice(first),
    reward: typeof reward === 'number' ? reward : undefined,
    output,
  };
}

async function resultOf(client: GymClient, environment: Environment, call: ScriptedCall): Promise<Json> {
  const args = typeof call.arguments === 'string' ? parseJson(call.arguments) : call.arguments;
  if (args === undefined || !isJsonObject(args)) return { error: 'The arguments are not a JSON object.' };
  if (environment.loopTools.some((tool) => tool.name === call.name))
    return { status: 'run by the agent loop' };
  const { response } = await client.call(call.name, args);
  return response.json ?? { error: `The server answered ${response.status}.` };
}

/** The first exchange in which two runs of the same script differ: what was asked, or what was answered. */
export function firstDifference(one: readonly Exchange[], other: readonly Exchange[]): number | undefined {
  const length = Math.max(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const left = one[index];
    const right = other[index];
    if (left === undefined || right === undefined) return index;
    const same =
      left.request.path === right.request.path &&
      left.response.status === right.response.status &&
      sameJson(left.request.body, right.request.body) &&
      sameJson(left.response.json, right.response.json);
    if (!same) return index;
  }
  return undefined;
}
