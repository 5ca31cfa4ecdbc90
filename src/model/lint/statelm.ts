import type { Episode, Message } from '../episode';
import { deleteCallsOf, type DeleteCall } from '../statelm/deletes';
import { exchangesOf } from '../statelm/exchanges';
import { excerpt, messageText } from '../text';
import { placeOf, type Place, type Rule } from './finding';

/** Ids and deletes as StateLM's loops keep them. */

const duplicateMsgId: Rule = {
  id: 'duplicate-msg-id',
  severity: 'error',
  explanation:
    'Two messages of the history have the same msg_id. The policy addresses messages by it: a delete of one deletes both. ' +
    'Look for a counter that is not shared by user, assistant and tool messages.',
  check: (episode) =>
    episode.messages.flatMap((message) =>
      message.sourceMsgId === undefined
        ? []
        : [{ message: `msg_id ${message.sourceMsgId} stands twice in the history`, ...placeOf(message) }],
    ),
};

const wrongInvoker: Rule = {
  id: 'wrong-invoking-assistant',
  severity: 'warning',
  explanation:
    'A tool result says that another message called it than the one that did. The reference computes the id as "the one ' +
    'before", which is wrong for the second of several parallel results. The policy reads this id in its view.',
  check(episode) {
    if (episode.statelm === undefined) return [];
    const callers = callersOf(episode);
    return episode.messages.flatMap((message) => {
      const caller = callers.get(message);
      if (message.invokedBy === undefined || caller === undefined) return [];
      const id = caller.sourceMsgId ?? caller.msgId;
      if (message.invokedBy === id) return [];
      const says = `Result ${message.sourceMsgId ?? message.msgId} names message ${message.invokedBy}`;
      return [{ message: `${says} as its caller, which was ${id}`, ...placeOf(message) }];
    });
  },
};

/** The assistant whose call each tool result answers; for a result of no known call, the assistant before it. */
function callersOf(episode: Episode): Map<Message, Message> {
  const callers = new Map<Message, Message>();
  let last: Message | undefined;
  for (const message of episode.messages) {
    if (message.role === 'assistant') last = message;
    // A failed model call is noted as a result that nobody asked for.
    else if (last !== undefined && last.bornAtStep === message.bornAtStep) callers.set(message, last);
  }
  for (const { by, result } of exchangesOf(episode.messages))
    if (result !== undefined) callers.set(result, by);
  return callers;
}

const promptTwice: Rule = {
  id: 'prompt-twice',
  severity: 'info',
  explanation:
    'The reference copies the prompt into full_history and then appends its first message once more, with an id. Here it ' +
    'stands once, as in the views that were sent.',
  check({ statelm }) {
    if (statelm?.repeatedPrompt === undefined) return [];
    return [
      { message: 'The first prompt message stands twice in full_history', msgId: statelm.repeatedPrompt },
    ];
  },
};

const deleteWithoutEffect: Rule = {
  id: 'delete-without-effect',
  severity: 'warning',
  explanation:
    'The loop accepted a delete of what the user or the system said, and rendered it all the same: the policy was told of ' +
    'a success that did not happen, and a snapshot was taken. Consider refusing such a delete.',
  check(episode) {
    if (episode.statelm === undefined) return [];
    const kept = new Map<number, Message>();
    for (const message of episode.messages) {
      if (message.role !== 'assistant' && message.role !== 'tool') kept.set(message.msgId, message);
    }
    return deleteCallsOf(episode.messages).flatMap((call) =>
      call.deleted.flatMap((id) => {
        const target = kept.get(id);
        // Ids below zero are ours: the source gave none, and nothing can be deleted by them.
        if (target === undefined || id < 0) return [];
        return [
          {
            message: `Deletes message ${id}, of the ${target.role}, which stays in view`,
            step: call.step,
            msgId: id,
          },
        ];
      }),
    );
  },
};

const deleteRefused: Rule = {
  id: 'delete-refused',
  severity: 'info',
  explanation:
    'The loop refused a delete: nothing was edited and no snapshot was taken. The policy named an id that does not exist, ' +
    'none at all, or a message that may not be deleted.',
  check: (episode) =>
    episode.statelm === undefined
      ? []
      : deleteCallsOf(episode.messages).flatMap(({ accepted, result, by, asked }) => {
          if (accepted || result === undefined) return [];
          const what = asked.length === 0 ? 'A delete of nothing' : `A delete of ${asked.join(', ')}`;
          return [{ message: `${what} was refused: ${excerpt(messageText(result))}`, ...placeOf(by) }];
        }),
};

const deletesNotAsRecorded: Rule = {
  id: 'deletes-not-as-recorded',
  severity: 'error',
  explanation:
    'The ids that the source lists as deleted at the end are not those that its delete calls deleted. The views rebuilt here ' +
    'follow the calls; those that the model saw followed the list.',
  check(episode) {
    const recorded = episode.statelm?.recordedDeletes;
    if (recorded === undefined) return [];
    const calls = deleteCallsOf(episode.messages);
    const listed = new Set(recorded);
    const accepted = new Set(calls.flatMap(({ deleted }) => deleted));
    return [
      ...recorded.filter((id) => !accepted.has(id)).map((id) => listedOnly(id, calls)),
      ...[...accepted]
        .filter((id) => !listed.has(id))
        .map((id) => ({
          message: `Message ${id} was deleted, but is not among the deleted ids at the end`,
          ...placeOfCall(calls.find(({ deleted }) => deleted.includes(id))),
        })),
    ];
  },
};

function listedOnly(id: number, calls: readonly DeleteCall[]): Place {
  const call = calls.find(({ asked }) => asked.includes(id));
  const why =
    call === undefined
      ? 'no call asked for it'
      : call.result === undefined
        ? 'the call that asked for it has no result'
        : 'the call that asked for it failed';
  return { message: `Message ${id} is among the deleted ids at the end, but ${why}`, ...placeOfCall(call) };
}

function placeOfCall(call: DeleteCall | undefined): Pick<Place, 'step' | 'msgId'> {
  return call === undefined ? {} : { step: call.step, msgId: call.by.msgId };
}

export const statelmRules: readonly Rule[] = [
  duplicateMsgId,
  wrongInvoker,
  promptTwice,
  deleteWithoutEffect,
  deleteRefused,
  deletesNotAsRecorded,
];
