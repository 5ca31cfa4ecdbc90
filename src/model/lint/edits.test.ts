import type { ContextEdit, Episode } from '../episode';
import { callPart, episodeOf } from '../episode.fixtures';
import { question, specify, turn } from './lint.fixtures';

/** A question (message 0), then two steps: a call (1) and its result (2), a call (3) and its result (4). */
function edited(...edits: ContextEdit[]): Episode {
  const messages = [
    question,
    ...turn(0, 1, [callPart('a')], [['a']]),
    ...turn(1, 3, [callPart('b')], [['b']]),
  ];
  return episodeOf({ messages, edits });
}

specify('delete-unknown-id', [
  {
    what: 'an id that never exists, asked for by a message',
    episode: edited({ step: 0, kind: 'delete', msgIds: [2, 77], by: 1 }),
    finds: ['Deletes message 77, which does not exist @0 #1'],
  },
  {
    what: 'an id that comes later',
    episode: edited({ step: 0, kind: 'delete', msgIds: [4] }),
    finds: ['Deletes message 4, which did not exist before step 1 @0'],
  },
  {
    what: 'a result of the same step',
    episode: edited({ step: 1, kind: 'delete', msgIds: [4] }),
    finds: [],
  },
  { what: 'a compaction', episode: edited({ step: 0, kind: 'compact', msgIds: [77] }), finds: [] },
]);

specify('delete-user-or-system', [
  {
    what: 'the question',
    episode: edited({ step: 1, kind: 'delete', msgIds: [0, 1] }),
    finds: ['Deletes message 0, of the user @1 #0'],
  },
  { what: 'a result', episode: edited({ step: 1, kind: 'delete', msgIds: [2] }), finds: [] },
  {
    what: 'a compaction of the question',
    episode: edited({ step: 1, kind: 'compact', msgIds: [0] }),
    finds: [],
  },
]);

specify('delete-twice', [
  {
    what: 'again in a later step',
    episode: edited({ step: 0, kind: 'delete', msgIds: [2] }, { step: 1, kind: 'delete', msgIds: [1, 2] }),
    finds: ['Deletes message 2, already gone at step 0 @1 #2'],
  },
  {
    what: 'again and again',
    episode: edited(
      { step: 0, kind: 'delete', msgIds: [2] },
      { step: 1, kind: 'delete', msgIds: [2] },
      { step: 1, kind: 'delete', msgIds: [2] },
    ),
    finds: [
      'Deletes message 2, already gone at step 0 @1 #2',
      'Deletes message 2, already gone at step 0 @1 #2',
    ],
  },
  {
    what: 'twice in one edit',
    episode: edited({ step: 0, kind: 'delete', msgIds: [2, 2] }),
    finds: ['Deletes message 2, already gone in the same step @0 #2'],
  },
  {
    what: 'after a compaction took it',
    episode: edited({ step: 0, kind: 'compact', msgIds: [2] }, { step: 1, kind: 'delete', msgIds: [2] }),
    finds: ['Deletes message 2, already gone at step 0 @1 #2'],
  },
  {
    what: 'a compaction of what was deleted',
    episode: edited({ step: 0, kind: 'delete', msgIds: [2] }, { step: 1, kind: 'compact', msgIds: [2] }),
    finds: [],
  },
  {
    what: 'once too early and then in time',
    episode: edited({ step: 0, kind: 'delete', msgIds: [4] }, { step: 1, kind: 'delete', msgIds: [4] }),
    finds: [],
  },
]);

specify('delete-itself', [
  {
    what: 'the message that asked',
    episode: edited({ step: 1, kind: 'delete', msgIds: [3], by: 3 }),
    finds: ['Message 3 deletes itself @1 #3'],
  },
  { what: 'the call before', episode: edited({ step: 1, kind: 'delete', msgIds: [1], by: 3 }), finds: [] },
  { what: 'its own result', episode: edited({ step: 1, kind: 'delete', msgIds: [4], by: 3 }), finds: [] },
]);
