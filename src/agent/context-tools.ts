import { isObject, pythonJson, type JsonObject, type Message, type ToolSpec } from '../model';
import type { LoopConfig } from './config';

/** Tools that need the context, which only the loop has. */
export const CONTEXT_TOOLS: readonly ToolSpec[] = [
  {
    name: 'deleteContext',
    description: 'Delete assistant or tool messages by their message IDs to save tokens.',
    parameters: {
      type: 'object',
      properties: {
        msg_id: { type: 'integer', description: 'Which message to delete.' },
        message_ids: { type: 'array', items: { type: 'integer' }, description: 'Several IDs at once.' },
      },
    },
  },
  {
    name: 'checkBudget',
    description: 'How much of the context is left.',
    parameters: { type: 'object', properties: {} },
  },
  {
    name: 'getContextStats',
    description: 'Statistics of the current context, message by message.',
    parameters: { type: 'object', properties: {} },
  },
  {
    name: 'finish',
    description: 'Give the answer and end.',
    parameters: {
      type: 'object',
      properties: { answer: { type: 'string', description: 'The answer, as short as can be.' } },
      required: ['answer'],
    },
  },
];

/** What the tools can see of the run. */
export interface ContextFacts {
  readonly config: LoopConfig;
  /** With the message that makes the calls. */
  readonly messages: readonly Message[];
  readonly deleted: ReadonlySet<number>;
  /** Emissions so far, this one included. */
  readonly assistantTurns: number;
  /** Tokens of the context, the emission included. */
  readonly contextLength: number;
  /** Tokens that a message takes up in the context, by its position in `messages`. */
  tokens(position: number): number;
}

export interface ContextAnswer {
  readonly text: string;
  /** The ids of a delete that was accepted, as they were asked for. */
  readonly deletes?: readonly number[];
  readonly finished?: true;
}

export function runContextTool(tool: string, args: JsonObject, facts: ContextFacts): ContextAnswer {
  switch (tool) {
    case 'deleteContext':
      return deleteContext(args, facts);
    case 'checkBudget':
      return { text: pythonText(budgetOf(facts)) };
    case 'getContextStats':
      return { text: pythonText(statsOf(facts)) };
    case 'finish':
      return finish(args);
    default:
      return failure(`Unknown tool '${tool}'.`);
  }
}

export function failure(error: string): { readonly text: string } {
  return { text: pythonText({ error }) };
}

function pythonText(value: object): string {
  const json = JSON.stringify(value);
  return pythonJson(json) ?? json;
}

function deleteContext(args: JsonObject, facts: ContextFacts): ContextAnswer {
  const asked = args['message_ids'] ?? args['msg_id'];
  const ids = asked === undefined ? [] : idsFrom(asked);
  if (ids === undefined) return failure('message_ids must be message IDs: whole numbers.');
  return facts.config.dialect === 'rl' ? deleteUnasked(ids) : deleteKnown(ids, facts);
}

/** The training loop takes every id, also one that no message has. */
function deleteUnasked(ids: readonly number[]): ContextAnswer {
  return { text: `Successfully deleted ${ids.length} message(s) from context.`, deletes: ids };
}

function deleteKnown(ids: readonly number[], { messages }: ContextFacts): ContextAnswer {
  if (ids.length === 0) return failure('msg_id is required');
  const roles: string[] = [];
  for (const id of ids) {
    const role = messages.findLast((message) => message.msgId === id)?.role;
    if (role === undefined) return failure(`msg_id ${id} not found`);
    if (role !== 'assistant' && role !== 'tool')
      return failure(`msg_id ${id} is a ${role} message and stays`);
    roles.push(role);
  }
  const text = pythonText(
    ids.length === 1
      ? { status: 'success', deleted_msg_id: ids[0], deleted_role: roles[0] }
      : { status: 'success', deleted_msg_ids: ids, deleted_roles: roles },
  );
  return { text, deletes: ids };
}

/** One id or a list of them; `8`, `8.0` and `"8"` all name message 8. Undefined where one is none. */
function idsFrom(asked: unknown): number[] | undefined {
  const ids: number[] = [];
  for (const each of Array.isArray(asked) ? asked : [asked]) {
    const isText = typeof each === 'string' && each.trim() !== '';
    const id = typeof each === 'number' || isText ? Number(each) : NaN;
    if (!Number.isSafeInteger(id)) return undefined;
    ids.push(id);
  }
  return ids;
}

function budgetOf({ config, assistantTurns, contextLength }: ContextFacts): object {
  const { max_model_length, max_assistant_turns } = config;
  return {
    conv_rounds: assistantTurns,
    available_tokens: Math.max(0, max_model_length - contextLength),
    available_rounds: max_assistant_turns === null ? null : Math.max(0, max_assistant_turns - assistantTurns),
  };
}

function statsOf(facts: ContextFacts): object {
  const { config, messages, deleted, contextLength } = facts;
  return {
    context_tokens: contextLength,
    max_model_length: config.max_model_length,
    total_messages: messages.length,
    deleted_messages: messages.filter(({ msgId }) => deleted.has(msgId)).length,
    messages: messages.map(({ msgId, role, toolName }, position) => ({
      ...(msgId < 0 ? {} : { msg_id: msgId }),
      role,
      ...(toolName === undefined ? {} : { tool_name: toolName }),
      tokens: facts.tokens(position),
      deleted: deleted.has(msgId),
    })),
  };
}

function finish({ answer }: JsonObject): ContextAnswer {
  if (answer === undefined) return failure('answer is required');
  if (isObject(answer) || Array.isArray(answer)) return failure('answer must be text');
  return { text: pythonText({ final_answer: answer }), finished: true };
}
