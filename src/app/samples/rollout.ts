import { randomFrom, type Random } from './random';

/** Writes rollouts as NeMo Gym does: a row per rollout, its items in the shape of OpenAI's Responses API. */

export type Item = Record<string, unknown>;

export type Content = string | Item[];

/** What the policy does in one model call, and what follows. */
export interface Turn {
  /** Summaries of its reasoning; an empty list for reasoning without any. */
  think?: string[];
  say?: string;
  calls?: Call[];
  /** A turn of the environment after it, made when the calls have been answered. */
  observe?: () => Content;
}

export interface Call {
  name: string;
  /** A string is written as it is, also if it is no JSON. */
  args: Record<string, unknown> | string;
  /** Instead of an id of its own. */
  callId?: string;
}

/** Answers a call; undefined leaves it without a result. */
export type Environment = (name: string, args: Record<string, unknown>, nth: number) => Content | undefined;

export interface Tool {
  name: string;
  description: string;
  parameters: Record<string, { type: string; description: string }>;
}

export interface Rollout {
  task: number;
  rollout: number;
  agent: string;
  /** A string is one user message. */
  prompt: string | Item[];
  tools: Tool[];
  turns: Turn[];
  environment?: Environment;
  reward?: number | null;
  /** Further fields of the row, and of its response. */
  row?: Item;
  response?: Item;
  /** Changes the finished items, for what a turn cannot say. */
  finish?: (items: Item[]) => Item[];
}

export const model = 'example/policy-8b';

export function user(content: Content): Item {
  return { role: 'user', content, type: 'message' };
}

export function system(content: string): Item {
  return { role: 'system', content, type: 'message' };
}

export function text(content: string): Item {
  return { type: 'input_text', text: content };
}

/** One row. Ids follow from the agent's name, task and rollout. */
export function row(plan: Rollout): Item {
  const random = randomFrom(seedOf(plan));
  const tools = plan.tools.map(toolSpec);
  const input = typeof plan.prompt === 'string' ? [user(plan.prompt)] : plan.prompt;
  const played = outputOf(plan, random);
  const output = plan.finish === undefined ? played : plan.finish(played);
  return {
    responses_create_params: {
      input,
      tools,
      parallel_tool_calls: true,
      tool_choice: 'auto',
      temperature: 1,
      max_output_tokens: 4096,
      metadata: null,
    },
    response: {
      id: `resp_${random.hex(24)}`,
      created_at: 1_767_225_600 + 600 * plan.task + 11 * plan.rollout,
      error: null,
      incomplete_details: null,
      metadata: {},
      model,
      object: 'response',
      output,
      parallel_tool_calls: true,
      temperature: 1,
      tool_choice: 'auto',
      tools,
      top_p: 1,
      status: 'completed',
      usage: usageOf(input, output),
      ...plan.response,
    },
    ...(plan.reward === undefined ? {} : { reward: plan.reward }),
    ...plan.row,
    _ng_task_index: plan.task,
    _ng_rollout_index: plan.rollout,
    agent_ref: { type: 'responses_api_agents', name: plan.agent },
  };
}

export function jsonl(rows: readonly (Item | string)[]): string {
  return rows.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join('');
}

function outputOf({ turns, environment }: Rollout, random: Random): Item[] {
  return turns.flatMap((turn) => {
    const calls = (turn.calls ?? []).map((call) => ({ callId: `call_${random.hex(12)}`, ...call }));
    return [
      ...(turn.think === undefined ? [] : [reasoningItem(turn.think, random)]),
      ...(turn.say === undefined ? [] : [messageItem(turn.say, random)]),
      ...calls.map((call) => callItem(call, random)),
      ...calls.flatMap(({ name, args, callId }, nth) => {
        const output = environment?.(name, typeof args === 'string' ? {} : args, nth);
        return output === undefined ? [] : [{ call_id: callId, output, type: 'function_call_output' }];
      }),
      ...(turn.observe === undefined ? [] : [user(turn.observe())]),
    ];
  });
}

function reasoningItem(summaries: string[], random: Random): Item {
  const summary = summaries.map((each) => ({ text: each, type: 'summary_text' }));
  return { id: `rs_${random.hex(16)}`, summary, type: 'reasoning', encrypted_content: null };
}

function messageItem(said: string, random: Random): Item {
  const content = [{ annotations: [], text: said, type: 'output_text', logprobs: null }];
  return { id: `msg_${random.hex(16)}`, content, role: 'assistant', status: 'completed', type: 'message' };
}

function callItem({ name, args, callId }: Call, random: Random): Item {
  const written = typeof args === 'string' ? args : JSON.stringify(args);
  const id = `fc_${random.hex(16)}`;
  return { arguments: written, call_id: callId, name, type: 'function_call', id, status: 'completed' };
}

function toolSpec({ name, description, parameters }: Tool): Item {
  return {
    type: 'function',
    name,
    description,
    parameters: {
      type: 'object',
      properties: parameters,
      required: Object.keys(parameters),
      additionalProperties: false,
    },
    strict: true,
  };
}

/** About four characters are a token; an image counts as 85, whatever its bytes. */
function usageOf(input: readonly Item[], output: readonly Item[]): Item {
  const tokens = (items: readonly Item[]): number => {
    const written = JSON.stringify(items).replaceAll(/data:image[^"]+/g, ' '.repeat(340));
    return Math.ceil(written.length / 4);
  };
  const input_tokens = tokens(input);
  const output_tokens = tokens(output);
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
}

function seedOf({ agent, task, rollout }: Rollout): number {
  let seed = 1000 * task + rollout;
  for (const char of agent) seed = (Math.imul(seed, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return seed;
}
