import { isObject, type JsonObject, type Message, type ToolCall } from '../model';
import {
  CONTEXT_TOOLS,
  failure,
  runContextTool,
  type ContextAnswer,
  type ContextFacts,
} from './context-tools';
import type { Encoder } from './encoder';
import type { LoopEnvironment, ToolAnswer } from './environment';
import type { Run } from './fold';
import { truncated } from './truncate';
import { resultMessage } from './turns';

/** A call that was run, or refused. */
export interface CallDone {
  message: Message;
  /** The same, before it was cut. */
  whole: Message;
  cutFrom?: number;
  reward: number;
  traffic: ToolAnswer;
  deletes?: readonly number[];
  finished: boolean;
}

interface CallSetting {
  readonly run: Readonly<Run>;
  readonly environment: LoopEnvironment;
  readonly encoder: Encoder;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** Runs the calls of a turn. Whatever goes wrong with one is its result: the model reads it and the run goes on. */
export async function runCalls(calls: readonly ToolCall[], setting: CallSetting): Promise<CallDone[]> {
  const runOne = (call: ToolCall, nth: number): Promise<CallDone> => runCall(call, nth, setting);
  if (setting.environment.parallel !== false) return Promise.all(calls.map(runOne));
  const done: CallDone[] = [];
  for (const [nth, call] of calls.entries()) done.push(await runOne(call, nth));
  return done;
}

async function runCall(call: ToolCall, nth: number, setting: CallSetting): Promise<CallDone> {
  const { run, now } = setting;
  const startedAt = now();
  const answer = await answerTo(call, setting);
  const timing = { startedAt: startedAt / 1000, durationMs: Math.max(now() - startedAt, 0) };
  const whole = { ...resultMessage(run, call, nth, answer.text), timing };
  const { max_tool_response_length, tool_response_truncate_side } = run.config;
  // What the loop itself says is never cut.
  const text = answer.isOwn
    ? answer.text
    : truncated(answer.text, max_tool_response_length, tool_response_truncate_side);
  const isCut = text !== answer.text;
  return {
    message: isCut ? { ...resultMessage(run, call, nth, text), timing } : whole,
    whole,
    ...(isCut ? { cutFrom: Array.from(answer.text).length } : {}),
    reward: Number.isFinite(answer.reward) ? (answer.reward ?? 0) : 0,
    traffic: answer,
    ...(answer.deletes === undefined ? {} : { deletes: answer.deletes }),
    finished: answer.finished === true,
  };
}

type Answer = ToolAnswer & ContextAnswer & { isOwn: boolean };

function own(answer: ContextAnswer): Answer {
  return { ...answer, isOwn: true };
}

async function answerTo(call: ToolCall, { run, environment, encoder, signal }: CallSetting): Promise<Answer> {
  const { name, callId } = call;
  if (run.started?.tools.some((tool) => tool.name === name) !== true)
    return own(failure(`Unknown tool '${name}'.`));
  const args = argumentsOf(call);
  if (typeof args === 'string') return own(failure(args));
  try {
    const isServed = environment.tools.some((tool) => tool.name === name);
    if (!isServed && CONTEXT_TOOLS.some((tool) => tool.name === name))
      return own(runContextTool(name, args, factsOf(run, encoder)));
    const answer = await environment.call(name, args, { step: run.steps.length - 1, callId, signal });
    return { ...answer, isOwn: false };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return own(failure(signal.aborted ? 'The run was stopped.' : `${name} failed: ${reason}`));
  }
}

/** The arguments, or why there are none. A call without any means an empty object. */
function argumentsOf({ name, arguments: text }: ToolCall): JsonObject | string {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : `The arguments of ${name} are not a JSON object.`;
  } catch (error) {
    return `The arguments of ${name} are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function factsOf(run: Readonly<Run>, encoder: Encoder): ContextFacts {
  const { config, messages, deleted, assistantTurns, context, seen } = run;
  return {
    config,
    messages,
    deleted,
    assistantTurns,
    contextLength: context.length,
    tokens: (position) => {
      const message = seen[position];
      return message === undefined ? 0 : encoder.count(message);
    },
  };
}
