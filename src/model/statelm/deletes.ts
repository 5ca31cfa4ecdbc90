import type { ContextEdit, Message } from '../episode';
import { itemsOf, stringValue } from '../json-text';
import { messageText } from '../text';
import { exchangesOf, fieldsOf, resultFields, succeeded } from './exchanges';

/** One `deleteContext` call and what became of it. */
export interface DeleteCall {
  step: number;
  /** The assistant message that asked. */
  by: Message;
  result?: Message;
  /** The ids it named, in the source's numbering. */
  asked: number[];
  /** Accepted by the loop; a call that was refused or never answered edits nothing. */
  accepted: boolean;
  /** The ids the result says were deleted. */
  deleted: number[];
}

/**
 * The delete calls of a history, in either dialect: `{"message_ids": [2, 3]}` answered by
 * `Successfully deleted 2 message(s) from context.`, or `{"msg_id": 2}` answered by
 * `{"status": "success", "deleted_msg_id": 2, "deleted_role": "tool"}`.
 */
export function deleteCallsOf(messages: readonly Message[]): DeleteCall[] {
  return exchangesOf(messages)
    .filter(({ call }) => call.name === 'deleteContext')
    .map(({ call, by, result, step }) => {
      const asked = askedFor(call.arguments);
      const deleted = result === undefined ? undefined : deletedBy(result, asked);
      return {
        step,
        by,
        ...(result === undefined ? {} : { result }),
        asked,
        accepted: deleted !== undefined,
        deleted: deleted ?? [],
      };
    });
}

function askedFor(args: string): number[] {
  const fields = fieldsOf(args);
  const ids = fields.get('message_ids') ?? fields.get('msg_id');
  if (ids === undefined) return [];
  return (itemsOf(ids) ?? [ids]).flatMap(idFrom);
}

/** The ids a result says were deleted, or undefined where it says that nothing was. */
function deletedBy(result: Message, asked: number[]): number[] | undefined {
  if (/^Successfully deleted \d+ message\(s\)/.test(messageText(result))) return asked;
  const fields = resultFields(result);
  if (!succeeded(fields)) return undefined;
  const one = fields.get('deleted_msg_id');
  const many = fields.get('deleted_msg_ids');
  if (one !== undefined) return idFrom(one);
  return many === undefined ? asked : (itemsOf(many) ?? [many]).flatMap(idFrom);
}

/** `8`, `8.0` and `"8"` all name message 8. */
function idFrom(json: string): number[] {
  const id = Number(json.startsWith('"') ? stringValue(json) : json);
  return Number.isSafeInteger(id) ? [id] : [];
}

/**
 * The edits that the delete calls made: all of one turn are one edit. An edit holds the messages that it turns into
 * stubs; an id that was accepted before its message existed takes effect at the first edit after its birth.
 * `alsoAt`: steps at which the source says that an edit took place, whatever their calls did.
 */
export function editsFrom(messages: readonly Message[], alsoAt: readonly number[] = []): ContextEdit[] {
  // An id that stands twice deletes both.
  const bySourceId = new Map<number, Message[]>();
  for (const message of messages) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    const id = message.sourceMsgId ?? message.msgId;
    const namesakes = bySourceId.get(id);
    if (namesakes === undefined) bySourceId.set(id, [message]);
    else namesakes.push(message);
  }
  const byStep = new Map<number, { by?: number; ids: number[] }>(alsoAt.map((step) => [step, { ids: [] }]));
  for (const call of deleteCallsOf(messages)) {
    if (!call.accepted) continue;
    const edit = byStep.get(call.step) ?? { ids: [] };
    edit.by ??= call.by.msgId;
    for (const id of call.deleted) edit.ids.push(id);
    byStep.set(call.step, edit);
  }

  const edits: ContextEdit[] = [];
  const gone = new Set<number>();
  let waiting: number[] = [];
  for (const [step, { by, ids }] of [...byStep].toSorted(([a], [b]) => a - b)) {
    const msgIds: number[] = [];
    const unborn = new Set<number>();
    for (const id of [...waiting, ...ids]) {
      for (const message of bySourceId.get(id) ?? []) {
        if (message.bornAtStep > step) unborn.add(id);
        else if (!gone.has(message.msgId)) {
          gone.add(message.msgId);
          msgIds.push(message.msgId);
        }
      }
    }
    waiting = [...unborn];
    edits.push({ step, kind: 'delete', msgIds, ...(by === undefined ? {} : { by }) });
  }
  return edits;
}
