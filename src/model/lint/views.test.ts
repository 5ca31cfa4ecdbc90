import type { Episode } from '../episode';
import { episodeOf, messageOf } from '../episode.fixtures';
import { recordViews } from '../recorded';
import { specify } from './lint.fixtures';
import { statelm } from './statelm.fixtures';

const question = messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'Why?' }] });
const emitted = messageOf(1, 'policy', { bornAtStep: 0, parts: [{ kind: 'text', text: 'So.' }] });

function recorded(content: string, more: string[] = []): Episode {
  const messages = [content, ...more].map((text) => ({ role: 'user', content: text }));
  return episodeOf({
    messages: [question, emitted],
    recordedViews: recordViews([{ step: 0, messages }], () => false),
  });
}

specify('view-differs', [
  {
    what: 'another question',
    episode: recorded('Who?'),
    finds: [
      'Message 0 of the view was rebuilt as “"user","Why?",null,[],null]” and recorded as “"user","Who?",null,[],null]” @0',
    ],
  },
  {
    what: 'a message more',
    episode: recorded('Why?', ['Go on.']),
    finds: ['Message 1 of the recorded view is not in the rebuilt one @0'],
  },
  { what: 'the same view', episode: recorded('Why?'), finds: [] },
]);

/** Two calls whose prompts are these ids; the first emits 7. */
function called(first: number[], second: number[], edited = false): Episode {
  return episodeOf({
    messages: [emitted, messageOf(2, 'policy', { bornAtStep: 1 })],
    edits: edited ? [{ step: 0, kind: 'delete', msgIds: [1] }] : [],
    steps: [
      { index: 0, tokens: { promptIds: Int32Array.from(first), generationIds: Int32Array.of(7) } },
      { index: 1, tokens: { promptIds: Int32Array.from(second), generationIds: Int32Array.of(8) } },
    ],
  });
}

specify('prompt-not-continued', [
  {
    what: 'an emission that was tokenized anew',
    episode: called([1, 2], [1, 2, 9, 3]),
    finds: [
      'Prompt and emission of step 0 are not repeated by the next prompt: token 2 was id 7 and is 9 @1',
    ],
  },
  {
    what: 'a prompt that became shorter after an edit',
    episode: called([1, 2], [1], true),
    finds: [
      'Prompt and emission of step 0 are not repeated by the next prompt: token 1 was id 2 and is missing, explained by the edit in between @1',
    ],
  },
  { what: 'a prompt that goes on where the last call ended', episode: called([1, 2], [1, 2, 7]), finds: [] },
]);

specify('notes-differ', [
  {
    what: 'a note that no call made',
    episode: statelm([emitted], { recordedNotes: '- **a**: one' }),
    finds: ['The notes at the end were recorded as “- **a**: one” and fold to “No notes recorded.”'],
  },
  {
    what: 'the notes as they fold',
    episode: statelm(
      [emitted],
      { recordedNotes: '- **a**: one' },
      { notes: [{ step: 0, key: 'a', change: { kind: 'write', summary: 'one', content: '' } }] },
    ),
    finds: [],
  },
]);
