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
 * The edits that the delete calls made: all of one turn are one edit, and hold the ids as they were asked for, unknown
 * and repeated ones included. What a person said is never deleted, whatever was asked. An id that was accepted before
 * its message existed takes effect at the first edit after its birth, and stands in that one too.
 * `alsoAt`: steps at which the source says that an edit took place, whatever their calls did.
 */
export function editsFrom(messages: readonly Message[], alsoAt: readonly number[] = []): ContextEdit[] {
  const named = namesOf(messages);
  const byStep = new Map<number, { by?: number; ids: number[] }>(alsoAt.map((step) => [step, { ids: [] }]));
  for (const call of deleteCallsOf(messages)) {
    if (!call.accepted) continue;
    const edit = byStep.get(call.step) ?? { ids: [] };
    edit.by ??= call.by.msgId;
    for (const id of call.deleted) edit.ids.push(id);
    byStep.set(call.step, edit);
  }

  let unborn: Message[] = [];
  return [...byStep]
    .toSorted(([a], [b]) => a - b)
    .map(([step, { by, ids }]) => {
      const msgIds = unborn.filter(({ bornAtStep }) => bornAtStep <= step).map(({ msgId }) => msgId);
      unborn = unborn.filter(({ bornAtStep }) => bornAtStep > step);
      for (const id of ids) {
        for (const target of named.get(id) ?? [{ msgId: id, bornAtStep: -1 }]) {
          msgIds.push(target.msgId);
          if ('role' in target && target.bornAtStep > step) unborn.push(target);
        }
      }
      return { step, kind: 'delete', msgIds, ...(by === undefined ? {} : { by }) };
    });
}

/** The messages that an id deletes, by the source's numbering: both where it stands twice, none of a person's. */
function namesOf(messages: readonly Message[]): Map<number, Message[]> {
  const named = new Map<number, Message[]>();
  for (const message of messages) {
    const id = message.sourceMsgId ?? message.msgId;
    const namesakes = named.get(id) ?? [];
    if (message.role === 'assistant' || message.role === 'tool') namesakes.push(message);
    named.set(id, namesakes);
  }
  return named;
}
