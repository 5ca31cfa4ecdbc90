import type { Message, ToolCall } from '../episode';
import { toolCallsOf } from '../history';
import { messageText } from '../text';
import { entriesOf, stringValue } from '../json-text';

/** A tool call and what came back for it. */
export interface ToolExchange {
  call: ToolCall;
  /** The assistant message that made the call. */
  by: Message;
  result?: Message;
  step: number;
}

/**
 * Every call with its result, in the order of the calls. Call ids are not always unique (the training loop gives all
 * parallel calls one id) or there at all, so a result goes to the first open call of the same turn with its id, else
 * with its tool's name, else to the first open one.
 */
export function exchangesOf(messages: readonly Message[]): ToolExchange[] {
  const exchanges: ToolExchange[] = [];
  let open: ToolExchange[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      open = toolCallsOf(message).map((call) => ({ call, by: message, step: message.bornAtStep }));
      for (const exchange of open) exchanges.push(exchange);
    } else if (message.role === 'tool') {
      const answered = callFor(message, open);
      if (answered === undefined) continue;
      answered.result = message;
      open = open.filter((exchange) => exchange !== answered);
    }
  }
  return exchanges;
}

function callFor(result: Message, open: readonly ToolExchange[]): ToolExchange | undefined {
  const ids = result.toolResultFor ?? [];
  if (ids.length > 0) return open.find(({ call }) => ids.includes(call.callId));
  return open.find(({ call }) => call.name === result.toolName) ?? open[0];
}

/** The fields of a JSON object in a text, values as written; none where it is no object. */
export function fieldsOf(text: string): ReadonlyMap<string, string> {
  return new Map(entriesOf(text)?.map(({ key, value }) => [key, value]));
}

export function resultFields(result: Message): ReadonlyMap<string, string> {
  return fieldsOf(messageText(result));
}

/** The tools answer `{"status": "success", ...}`, or `{"error": ...}`, or plain text when they broke. */
export function succeeded(fields: ReadonlyMap<string, string>): boolean {
  return fields.get('status') === '"success"' && !fields.has('error');
}

/** What Python's `str()` makes of a JSON value: a string is itself, `null` is `None`. Containers stay JSON. */
export function pythonStr(json: string): string {
  if (json.startsWith('"')) return stringValue(json);
  const words: Record<string, string> = { null: 'None', true: 'True', false: 'False' };
  return words[json] ?? json;
}

/** Whether Python takes a JSON value for true: not `null`, `false`, zero, or empty. */
export function isTruthy(json: string | undefined): boolean {
  if (json === undefined) return false;
  return !/^(?:null|false|""|\[\s*\]|\{\s*\}|-?0+(?:\.0+)?(?:[eE][+-]?\d+)?)$/.test(json);
}
