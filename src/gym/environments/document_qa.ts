import * as v from 'valibot';
import { wellFormed } from '../../tokens';
import { defineEnvironment } from '../environment';
import { stringAt } from '../json';
import { STORY } from './document_qa_story';
import { documentTools, loopTools, noteTools, prepareTokenizer, State } from './document_qa_tools';
import { episodeFields, finalText, recordedCalls, task, text } from './nemo';

const Seed = v.looseObject({
  document_content: text('The document, which only the tools can reach.'),
  question: v.optional(text('What is asked about it.'), ''),
  notes: v.optional(v.array(v.object({ key: v.string(), summary: v.string(), content: v.string() })), []),
});

/** Articles, punctuation, case and spacing do not matter: `The  Lamp.` is `lamp`. */
export function normalise(answer: string): string {
  return answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && word !== 'a' && word !== 'an' && word !== 'the')
    .join(' ');
}

/** What `finish` was called with, else the last thing that was said. */
function finalAnswer(response: unknown): string | undefined {
  const finish = recordedCalls(response).findLast((call) => call.name === 'finish');
  return stringAt(finish?.arguments, 'answer') ?? finalText(response);
}

export const documentQa = defineEnvironment({
  name: 'document_qa',
  serverName: 'DocumentQaResourcesServer',
  title: 'Document QA (StateLM)',
  description:
    'A long document behind tools: cut it, search it, read it chunk by chunk, take notes, delete what is no longer needed, answer. Document, cursor, index and notes are session state.',
  state: State,
  initial: (): State => ({
    document: '',
    question: '',
    index: null,
    cursor: null,
    scanning: false,
    notes: [],
    searched: [],
  }),
  prepare: prepareTokenizer,
  seed: {
    schema: Seed,
    state: ({ document_content, question, notes }) => ({
      document: wellFormed(document_content),
      question,
      index: null,
      cursor: null,
      scanning: false,
      notes: notes.map(({ key, summary, content }) => ({ key, summary, full_content: content })),
      searched: [],
    }),
  },
  tools: [...documentTools, ...noteTools],
  loopTools,
  verify: {
    schema: v.looseObject({
      ...episodeFields,
      expected_answer: v.union([v.string(), v.array(v.string())]),
      question: v.optional(v.string()),
    }),
    judge: (state, { response, expected_answer, question }) => {
      const answer = finalAnswer(response);
      const accepted = Array.isArray(expected_answer) ? expected_answer : [expected_answer];
      // The question of the session is what the episode was about; a verify for another one is not about this session.
      const asked = question === undefined || question === state.question;
      const correct =
        asked && answer !== undefined && accepted.some((one) => normalise(one) === normalise(answer));
      return { reward: correct ? 1 : 0, final_answer: answer ?? null, answers_own_question: asked };
    },
  },
  tasks: [
    task('Who built the lamp on the outer mole?', {
      document_content: STORY,
      question: 'Who built the lamp on the outer mole?',
      expected_answer: ['Astrid Moen and her oldest pupils', 'Astrid Moen and her pupils', 'Astrid Moen'],
    }),
    task('In which month was the outer mole lit for the first time?', {
      document_content: STORY,
      question: 'In which month was the outer mole lit for the first time?',
      expected_answer: 'October',
    }),
  ],
  scripts: [
    {
      name: 'document-success',
      title: 'Search, read, note, delete, answer',
      description:
        'The policy cuts the document, finds the entry that settles the question, writes it down, deletes the chunk from its context and answers from the note.',
      task: 0,
      emissions: [
        { text: 'I will look at the length first.', toolCalls: [{ name: 'analyzeText', arguments: {} }] },
        {
          text: 'Short enough for small chunks.',
          toolCalls: [{ name: 'buildIndex', arguments: { chunk_size: 80, overlap: 0 } }],
        },
        {
          text: 'Where is the lamp built?',
          toolCalls: [{ name: 'searchEngine', arguments: { keyword: 'lamp built, mole lit' } }],
        },
        {
          text: 'The entry of October looks right.',
          toolCalls: [{ name: 'readChunk', arguments: { chunk_id: 6 } }],
        },
        {
          text: 'That settles it. I write it down.',
          toolCalls: [
            {
              name: 'note',
              arguments: {
                key: 'builder',
                summary: 'who built the lamp',
                content:
                  'Astrid Moen and her oldest pupils built it, in October, with brass from Henrik Dahl (chunk 6).',
              },
            },
          ],
        },
        {
          text: 'The chunk is not needed any more.',
          toolCalls: [{ name: 'deleteContext', arguments: { message_ids: [8] } }],
        },
        { text: '', toolCalls: [{ name: 'readNote', arguments: { key: 'builder' } }] },
        {
          text: 'The note answers it.',
          toolCalls: [{ name: 'finish', arguments: { answer: 'Astrid Moen' } }],
        },
      ],
      expect: { reward: 1 },
    },
    {
      name: 'document-scan-and-delete',
      title: 'Read through, delete as you go',
      description:
        'The policy reads the whole document chunk by chunk and deletes each chunk before it reads the next, so that its context never holds more than one. Three deletes make three snapshots, and with the end four training samples.',
      task: 1,
      emissions: [
        {
          text: 'I will read it through in large chunks.',
          toolCalls: [{ name: 'buildIndex', arguments: { chunk_size: 200, overlap: 0 } }],
        },
        { text: '', toolCalls: [{ name: 'readChunk', arguments: { enable_scan: true } }] },
        {
          text: 'Spring and summer: everybody talks of a lamp, nobody lights one. Away with it.',
          toolCalls: [{ name: 'deleteContext', arguments: { message_ids: [4] } }],
        },
        { text: '', toolCalls: [{ name: 'readChunk', arguments: { enable_scan: true } }] },
        {
          text: 'Still none. Away with this one, too.',
          toolCalls: [{ name: 'deleteContext', arguments: { message_ids: [8] } }],
        },
        { text: '', toolCalls: [{ name: 'readChunk', arguments: { enable_scan: true } }] },
        {
          text: 'Here it is. I write it down before the text goes.',
          toolCalls: [
            {
              name: 'note',
              arguments: {
                key: 'lit',
                summary: 'when the mole was lit',
                content: 'First lit on the night of the ninth of October.',
              },
            },
          ],
        },
        {
          text: 'The note is enough.',
          toolCalls: [{ name: 'deleteContext', arguments: { message_ids: [12] } }],
        },
        {
          text: 'It was in October.',
          toolCalls: [{ name: 'finish', arguments: { answer: 'October' } }],
        },
      ],
      expect: { reward: 1 },
    },
    {
      name: 'document-deleted-too-early',
      title: 'Deleted before it was noted',
      description:
        'The policy reads the right chunk and deletes it without taking a note. What is left in its context is the rumour of the first search result, and that is what it answers.',
      task: 0,
      emissions: [
        {
          text: 'Small chunks first.',
          toolCalls: [{ name: 'buildIndex', arguments: { chunk_size: 80, overlap: 0 } }],
        },
        {
          text: 'Who speaks of building a lamp?',
          toolCalls: [{ name: 'searchEngine', arguments: { keyword: 'build the lamp' } }],
        },
        { text: 'The entry of October.', toolCalls: [{ name: 'readChunk', arguments: { chunk_id: 6 } }] },
        {
          text: 'That is a long text. Away with it.',
          toolCalls: [{ name: 'deleteContext', arguments: { message_ids: [6] } }],
        },
        {
          text: 'The search result said that Henrik would build it.',
          toolCalls: [{ name: 'finish', arguments: { answer: 'Henrik Dahl' } }],
        },
      ],
      expect: { reward: 0 },
    },
  ],
  checklist: {
    name: 'document_qa',
    stateful: true,
    seed: {
      document_content: 'Ada wrote the first program.',
      question: 'Who wrote the first program?',
      notes: [{ key: 'log', summary: 'what was done', content: 'start' }],
    },
    otherSeed: {
      document_content: 'Grace found the moth.',
      question: 'Who found the moth?',
      notes: [{ key: 'log', summary: 'what was done', content: 'elsewhere' }],
    },
    write: { path: '/updateNote', body: { mode: 'append', key: 'log', new_content: 'step' } },
    read: { path: '/readNote', body: { key: 'log' }, at: 'full_content' },
    seen: {
      seeded: 'start',
      written: 'start\nstep',
      otherSeeded: 'elsewhere',
      concurrent: { writes: 12, value: `start${'\nstep'.repeat(12)}` },
    },
    verify: {
      body: {
        question: 'Who wrote the first program?',
        expected_answer: 'Ada',
        response: {
          output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Ada.' }] }],
        },
      },
      reward: 1,
    },
  },
});
