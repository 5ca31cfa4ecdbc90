import { messageOf } from '../episode.fixtures';
import { specify } from './lint.fixtures';
import { deletedOne, deleteTurn, statelm } from './statelm.fixtures';

const refused = '{"error": "msg_id 9 not found"}';

specify('duplicate-msg-id', [
  {
    what: 'an id that stands twice',
    episode: statelm([
      messageOf(1, 'policy', { bornAtStep: 0 }),
      messageOf(-1, 'environment', { bornAtStep: 0, sourceMsgId: 1 }),
    ]),
    finds: ['msg_id 1 stands twice in the history @0 #-1'],
  },
  { what: 'ids that differ', episode: statelm(deleteTurn(0, 1, '{}', refused)), finds: [] },
]);

const twoResults = (second: number) => [
  messageOf(1, 'policy', { bornAtStep: 0 }),
  messageOf(2, 'environment', { bornAtStep: 0, invokedBy: 1 }),
  messageOf(3, 'environment', { bornAtStep: 0, invokedBy: second }),
];

specify('wrong-invoking-assistant', [
  {
    what: 'the second of two results that names the first',
    episode: statelm(twoResults(2)),
    finds: ['Result 3 names message 2 as its caller, which was 1 @0 #3'],
  },
  { what: 'both naming the assistant', episode: statelm(twoResults(1)), finds: [] },
  {
    what: 'a failed model call, which nobody asked for',
    episode: statelm([
      messageOf(1, 'policy', { bornAtStep: 0 }),
      messageOf(2, 'environment', { bornAtStep: 1, invokedBy: 7, toolResultFor: ['api_failure'] }),
    ]),
    finds: [],
  },
]);

specify('prompt-twice', [
  {
    what: 'a prompt that was repeated',
    episode: statelm([], { repeatedPrompt: 0 }),
    finds: ['The first prompt message stands twice in full_history #0'],
  },
  { what: 'one that was not', episode: statelm([]), finds: [] },
]);

specify('delete-without-effect', [
  {
    what: 'the question, accepted',
    episode: statelm(deleteTurn(0, 1, '{"message_ids": [0]}', deletedOne)),
    finds: ['Deletes message 0, of the user, which stays in view @0 #0'],
  },
  { what: 'the question, refused', episode: statelm(deleteTurn(0, 1, '{"msg_id": 0}', refused)), finds: [] },
  {
    what: 'its own message',
    episode: statelm(deleteTurn(0, 1, '{"message_ids": [1]}', deletedOne)),
    finds: [],
  },
]);

specify('delete-refused', [
  {
    what: 'an unknown id',
    episode: statelm(deleteTurn(0, 1, '{"msg_id": 9}', refused)),
    finds: ['A delete of 9 was refused: {"error": "msg_id 9 not found"} @0 #1'],
  },
  {
    what: 'arguments that name nothing',
    episode: statelm(deleteTurn(0, 1, '{}', 'Error: broken')),
    finds: ['A delete of nothing was refused: Error: broken @0 #1'],
  },
  {
    what: 'a delete that was accepted in the other dialect',
    episode: statelm(deleteTurn(0, 1, '{"msg_id": 1}', '{"status": "success", "deleted_msg_id": 1}')),
    finds: [],
  },
]);

specify('deletes-not-as-recorded', [
  {
    what: 'a delete that failed and is listed',
    episode: statelm(deleteTurn(0, 1, '{"msg_id": 9}', refused), { recordedDeletes: [9] }),
    finds: ['Message 9 is among the deleted ids at the end, but the call that asked for it failed @0 #1'],
  },
  {
    what: 'a delete that succeeded and is not listed, and an id out of nowhere',
    episode: statelm(deleteTurn(0, 1, '{"message_ids": 1}', deletedOne), { recordedDeletes: [5] }),
    finds: [
      'Message 5 is among the deleted ids at the end, but no call asked for it',
      'Message 1 was deleted, but is not among the deleted ids at the end @0 #1',
    ],
  },
  {
    what: 'an unknown id that the loop accepted and lists',
    episode: statelm(deleteTurn(0, 1, '{"message_ids": [77]}', deletedOne), { recordedDeletes: [77] }),
    finds: [],
  },
]);
