import { isObject, type JsonObject, type Message, type ToolCall } from '../model';
import { errorText } from '../model/error-text';
import {
  CONTEXT_TOOLS,
  failure,
  runContextTool,
  type ContextAnswer,
  type ContextFacts,
} from './context-tools';
import type { Encoder } from './encoder';
import { EnvironmentError, type LoopEnvironment, type ToolAnswer, type Traffic } from './environment';
import type { Run } from './fold';
import { truncated } from './truncate';
import { resultMessage } from './turns';

export interface CallSetting {
  readonly run: Readonly<Run>;
  readonly environment: LoopEnvironment;
  readonly encoder: Encoder;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** What the calls of a turn came to. */
export interface CallsDone {
  readonly results: readonly CallResult[];
  /** In the order of the calls, those without an answer included. */
  readonly traffic: readonly Traffic[];
  /** Why a call has no result: the environment did not answer, or the run was stopped. */
  readonly error?: string;
}

export interface CallResult {
  readonly message: Message;
  /** The same, before it was cut. */
  readonly whole: Message;
  readonly cutFrom?: number;
  readonly reward: number;
  readonly deletes?: readonly number[];
  readonly finished: boolean;
}

/**
 * Runs the calls of a turn. What a call does wrong is its result: the model reads it and the run goes on. Only where the
 * environment does not answer, there is none.
 */
export async function runCalls(calls: readonly ToolCall[], setting: CallSetting): Promise<CallsDone> {
  const outcomes: Outcome[] = [];
  if (setting.environment.parallel !== false) {
    outcomes.push(...(await Promise.all(calls.map((call) => outcomeOf(call, setting)))));
  } else {
    for (const call of calls) {
      const outcome = await outcomeOf(call, setting);
      outcomes.push(outcome);
      if ('error' in outcome) break;
    }
  }
  const failed = outcomes.find((outcome) => 'error' in outcome);
  const answered = outcomes.filter((outcome) => 'answer' in outcome);
  return {
    results: answered.map((outcome, nth) => resultOf(outcome, nth, setting.run)),
    traffic: outcomes.map((outcome) => ('answer' in outcome ? outcome.answer : outcome.traffic)),
    ...(failed === undefined ? {} : { error: failed.error }),
  };
}

interface Answered {
  call: ToolCall;
  answer: Answer;
  timing: { startedAt: number; durationMs: number };
}

type Answer = ToolAnswer & ContextAnswer & { isOwn: boolean };
type Outcome = Answered | { error: string; traffic: Traffic };

async function outcomeOf(call: ToolCall, setting: CallSetting): Promise<Outcome> {
  const startedAt = setting.now();
  try {
    const answer = await answerTo(call, setting);
    const durationMs = Math.max(setting.now() - startedAt, 0);
    return { call, answer, timing: { startedAt: startedAt / 1000, durationMs } };
  } catch (error) {
    return {
      error: errorText(error),
      traffic: error instanceof EnvironmentError ? error.traffic : {},
    };
  }
}

function resultOf({ call, answer, timing }: Answered, nth: number, run: Readonly<Run>): CallResult {
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
    ...(answer.deletes === undefined ? {} : { deletes: answer.deletes }),
    finished: answer.finished === true,
  };
}

async function answerTo(call: ToolCall, { run, environment, encoder, signal }: CallSetting): Promise<Answer> {
  const { name, callId } = call;
  if (run.started?.tools.some((tool) => tool.name === name) !== true)
    return own(failure(`Unknown tool '${name}'.`));
  const args = argumentsOf(call);
  if (typeof args === 'string') return own(failure(args));
  const isServed = environment.tools.some((tool) => tool.name === name);
  if (!isServed && CONTEXT_TOOLS.some((tool) => tool.name === name))
    return own(runContextTool(name, args, factsOf(run, encoder)));
  const answer = await environment.call(name, args, { step: run.steps.length - 1, callId, signal });
  return { ...answer, isOwn: false };
}

function own(answer: ContextAnswer): Answer {
  return { ...answer, isOwn: true };
}

/** The arguments, or why there are none. A call without any means an empty object. */
function argumentsOf({ name, arguments: text }: ToolCall): JsonObject | string {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : `The arguments of ${name} are not a JSON object.`;
  } catch (error) {
    return `The arguments of ${name} are not JSON: ${errorText(error)}`;
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
