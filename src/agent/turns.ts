import {
  entriesOf,
  type ContextEdit,
  type Episode,
  type Message,
  type Part,
  type Role,
  type ToolCall,
} from '../model';
import type { LoopConfig } from './config';
import type { Ending, LoopState, RunTask } from './events';
import type { Run } from './fold';
import type { Emission } from './policy';

/** What the turns of a run become in the history, and what follows from them. */

/** The prompt. With StateLM on, only what a person said can be named by the policy, and in training alone. */
export function promptMessages({ messages }: RunTask, config: LoopConfig): Message[] {
  let next = 0;
  let below = 0;
  return messages.map(({ role, text }) => ({
    msgId: isNumbered(role, config) ? next++ : --below,
    role,
    origin: 'prompt',
    parts: [{ kind: 'text', text }],
    bornAtStep: -1,
    raw: [],
  }));
}

function isNumbered(role: Role, { statelm_enabled, dialect }: LoopConfig): boolean {
  if (!statelm_enabled) return true;
  return dialect === 'rl' && role !== 'system' && role !== 'developer';
}

export function emittedMessage(run: Readonly<Run>, { text, toolCalls, reasoning }: Emission): Message {
  const parts: Part[] = [];
  if (reasoning !== undefined && reasoning !== '')
    parts.push({ kind: 'reasoning', text: reasoning, form: 'full' });
  if (text !== '') parts.push({ kind: 'text', text });
  toolCalls.forEach((call, index) => {
    const callId = call.callId ?? `call_${run.calls + index + 1}`;
    parts.push({ kind: 'call', call: { callId, name: call.name, arguments: call.arguments } });
  });
  return {
    msgId: run.nextId,
    role: 'assistant',
    origin: 'policy',
    parts,
    bornAtStep: run.steps.length,
    raw: [],
  };
}

export function resultPart(text: string): Part {
  return { kind: entriesOf(text) === undefined ? 'text' : 'json', text };
}

/** `nth`: its place among the results of the turn. */
export function resultMessage(run: Readonly<Run>, call: ToolCall, nth: number, text: string): Message {
  const caller = run.messages.at(-1);
  return {
    msgId: run.nextId + nth,
    role: 'tool',
    origin: 'environment',
    parts: [resultPart(text)],
    toolResultFor: [call.callId],
    toolName: call.name,
    ...(run.traits === undefined || caller === undefined ? {} : { invokedBy: caller.msgId }),
    bornAtStep: run.steps.length - 1,
    raw: [],
  };
}

export function userMessage(run: Readonly<Run>, text: string): Message {
  const lowest = run.messages.reduce((low, { msgId }) => Math.min(low, msgId), 0);
  return {
    msgId: isNumbered('user', run.config) ? run.nextId : lowest - 1,
    role: 'user',
    origin: 'environment',
    parts: [{ kind: 'text', text }],
    bornAtStep: run.steps.length - 1,
    raw: [],
  };
}

/** Where a transition leads. */
export interface Direction {
  next: LoopState;
  end?: Ending;
}

export function ending(termination: Ending['termination'], error?: string): Required<Direction> {
  return { next: 'TERMINATED', end: { termination, ...(error === undefined ? {} : { error }) } };
}

/** After the run's next emission: `tokens` is how many it has. */
export function afterEmission(
  { maskLength, assistantTurns, userTurns, config }: Readonly<Run>,
  tokens: number,
  hasCalls: boolean,
  interacts: boolean,
): Direction {
  if (maskLength + tokens >= config.response_length) return ending('response_length');
  const limit = turnLimit(assistantTurns + 1, userTurns, config);
  if (limit !== undefined) return ending(limit);
  if (hasCalls) return { next: 'PROCESSING_TOOLS' };
  return interacts ? { next: 'INTERACTING' } : ending('no_tool_call');
}

function turnLimit(
  assistantTurns: number,
  userTurns: number,
  { max_assistant_turns, max_user_turns }: LoopConfig,
): 'max_assistant_turns' | 'max_user_turns' | undefined {
  if (max_assistant_turns !== null && assistantTurns >= max_assistant_turns) return 'max_assistant_turns';
  if (max_user_turns !== null && userTurns >= max_user_turns) return 'max_user_turns';
  return undefined;
}

/** After the calls of a turn: `tokens` is how many their results are. */
export function afterCalls(
  { maskLength, assistantTurns, userTurns, config }: Readonly<Run>,
  tokens: number,
  { finished, edited }: { finished: boolean; edited: boolean },
): Direction {
  if (maskLength + tokens >= config.response_length) return ending('response_length');
  if (finished) return ending('finish');
  const limit = turnLimit(assistantTurns, userTurns, config);
  if (limit !== undefined) return ending(limit);
  return { next: edited || rendersAlways(config) ? 'PENDING' : 'GENERATING' };
}

/** Whether every call gets a context that was rendered for it. */
export function rendersAlways({ statelm_enabled, dialect }: LoopConfig): boolean {
  return statelm_enabled && dialect === 'inference';
}

/**
 * The edit that the accepted deletes of a turn make. What a person said stays. An id that was taken before its message
 * was there takes effect with the first edit after it.
 */
export function editOf(
  run: Readonly<Run>,
  results: readonly Message[],
  asked: readonly number[],
): ContextEdit {
  const born = new Map(results.map((message) => [message.msgId, message]));
  const named = (id: number): Message | undefined => born.get(id) ?? run.byId.get(id);
  const late = [...run.unborn].filter((id) => named(id) !== undefined);
  const by = run.messages.at(-1)?.msgId;
  return {
    step: run.steps.length - 1,
    kind: 'delete',
    msgIds: [...late, ...asked].filter((id) => {
      const role = named(id)?.role;
      return role === undefined || role === 'assistant' || role === 'tool';
    }),
    ...(by === undefined ? {} : { by }),
  };
}

/** The calls of the last emission. */
export function lastCalls({ messages }: Pick<Episode, 'messages'>): ToolCall[] {
  return (messages.at(-1)?.parts ?? []).flatMap((part) => (part.kind === 'call' ? [part.call] : []));
}
