import type { ContextEdit, Episode, Message } from '../episode';
import { historyOf } from '../history';
import type { Place, Rule } from './finding';

/** What the policy deleted from its context. Compactions are the harness's and follow other rules. */

const deleteUnknown: Rule = {
  id: 'delete-unknown-id',
  severity: 'warning',
  explanation:
    'The policy deleted a message id that was not in its history at that step: it misread or made up the id. ' +
    'Nothing was freed, but a loop that does not refuse such a delete still takes a snapshot, which becomes a training ' +
    'sample of its own, and teaches that naming any id succeeds. Consider answering with an error.',
  check(episode) {
    const { byId } = historyOf(episode);
    return deletes(episode).flatMap(({ edit, msgId, target }) => {
      if (target !== undefined) return [];
      const born = byId.get(msgId)?.bornAtStep;
      const why = born === undefined ? 'which does not exist' : `which did not exist before step ${born}`;
      return [
        {
          message: `Deletes message ${msgId}, ${why}`,
          step: edit.step,
          ...(edit.by === undefined ? {} : { msgId: edit.by }),
        },
      ];
    });
  },
};

const deletePrompt: Rule = {
  id: 'delete-user-or-system',
  severity: 'warning',
  explanation:
    'The policy deleted a message of the user or the system. Later steps ran without the question or the ' +
    'instructions, so what they were rewarded for may no longer have been in their context. Loops usually refuse ' +
    'this: look whether the reward of this episode still means what it should.',
  check: (episode) =>
    deletes(episode).flatMap(({ edit, msgId, target }) => {
      if (target === undefined || target.role === 'assistant' || target.role === 'tool') return [];
      return [{ message: `Deletes message ${msgId}, of the ${target.role}`, step: edit.step, msgId }];
    }),
};

const deleteTwice: Rule = {
  id: 'delete-twice',
  severity: 'info',
  explanation:
    'The policy deleted a message that was already gone. Nothing changed in the context, but the turn and its tokens ' +
    'were spent, and the delete still makes a snapshot of its own. Frequent repeats say that the policy does not see ' +
    'in its view what it has deleted.',
  check(episode) {
    const gone = new Map<number, number>();
    const places: Place[] = [];
    for (const edit of episode.edits) {
      for (const msgId of edit.msgIds) {
        const since = gone.get(msgId);
        if (since === undefined && thereAt(episode, msgId, edit.step)) gone.set(msgId, edit.step);
        if (since === undefined || edit.kind !== 'delete') continue;
        const when = since === edit.step ? 'in the same step' : `at step ${since}`;
        places.push({ message: `Deletes message ${msgId}, already gone ${when}`, step: edit.step, msgId });
      }
    }
    return places;
  },
};

const deleteItself: Rule = {
  id: 'delete-itself',
  severity: 'warning',
  explanation:
    'The message that asked for the delete deleted itself. From the next step on the policy no longer sees what it ' +
    'deleted or why, and tends to do it again. The tokens of the message are still trained, in the sample taken before ' +
    'the edit.',
  check: (episode) =>
    deletes(episode).flatMap(({ edit, msgId, target }) =>
      target !== undefined && edit.by === msgId
        ? [{ message: `Message ${msgId} deletes itself`, step: edit.step, msgId }]
        : [],
    ),
};

export const editRules: readonly Rule[] = [deleteUnknown, deletePrompt, deleteTwice, deleteItself];

/** Every id that a delete names, and the message if it was there by then. */
function deletes(episode: Episode): { edit: ContextEdit; msgId: number; target: Message | undefined }[] {
  return episode.edits
    .filter(({ kind }) => kind === 'delete')
    .flatMap((edit) =>
      [...new Set(edit.msgIds)].map((msgId) => ({ edit, msgId, target: thereAt(episode, msgId, edit.step) })),
    );
}

function thereAt(episode: Episode, msgId: number, step: number): Message | undefined {
  const message = historyOf(episode).byId.get(msgId);
  return message !== undefined && message.bornAtStep <= step ? message : undefined;
}
