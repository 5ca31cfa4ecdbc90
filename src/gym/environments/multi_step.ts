import * as v from 'valibot';
import { defineEnvironment, tool } from '../environment';
import { arrayAt } from '../json';
import { episodeFields, integer, recordedCalls, task, text } from './nemo';

const getValue = tool({
  name: 'get_synonym_value',
  description: 'The value of a synonym.',
  parameters: v.object({ synonym: text('The synonym to get the value for.') }),
  result: v.object({ synonym_value: v.number() }),
  readOnly: true,
  run: (_state: null, { synonym }) => ({ result: { synonym_value: characterSum(synonym) } }),
});

const extract = tool({
  name: 'extract_synonym_values',
  description: 'Hand in the values of all synonyms of the term that the question is about.',
  parameters: v.object({
    synonym_values: v.pipe(
      v.array(integer('The value of one synonym.')),
      v.description('The values, in the order of the list.'),
    ),
  }),
  result: v.object({ success: v.boolean() }),
  readOnly: true,
  run: (_state: null) => ({ result: { success: true } }),
});

/** Sum of the code points: `Warm` is 87 + 97 + 114 + 109 = 407. */
function characterSum(word: string): number {
  return Array.from(word, (character) => character.codePointAt(0) ?? 0).reduce((sum, code) => sum + code, 0);
}

const SYSTEM = [
  'You extract synonym values. Find the term that the question is about, get the value of each of its synonyms in the list',
  'below, and extract all of them at once, in the order of the list. Do not extract the value of the term itself.',
  '',
  "'Chilly' is another word for 'Cold'.",
  "'Blazing' is another word for 'Hot'.",
  "'Hushed' is another word for 'Quiet'.",
  "'Warm' is another word for 'Hot'.",
  "'Frosty' is another word for 'Cold'.",
].join('\n');

function synonymTask(question: string, term: string, synonyms: readonly string[]) {
  return task(
    question,
    {
      expected_synonyms: synonyms,
      expected_synonym_values: synonyms.map(characterSum),
      minefield_label: term,
      minefield_label_value: characterSum(term),
    },
    { system: SYSTEM, parallel: false },
  );
}

export const multiStep = defineEnvironment({
  name: 'multi_step',
  serverName: 'MultiStepResourcesServer',
  title: 'Multi step',
  description:
    'Several calls that build on each other, without any state on the server: the verifier reads the calls themselves.',
  initial: () => null,
  seed: { schema: v.looseObject({}), state: () => null },
  tools: [getValue, extract],
  verify: {
    schema: v.looseObject({
      ...episodeFields,
      expected_synonym_values: v.array(v.number()),
      expected_synonyms: v.optional(v.array(v.string())),
      minefield_label: v.optional(v.string()),
      minefield_label_value: v.optional(v.number()),
    }),
    judge: (
      _state,
      { response, expected_synonym_values: expected, minefield_label, minefield_label_value },
    ) => {
      const last = recordedCalls(response).findLast((call) => call.name === 'extract_synonym_values');
      const actual = arrayAt(last?.arguments, 'synonym_values').filter((value) => typeof value === 'number');
      const accuracy =
        actual.length === expected.length && actual.every((value, index) => value === expected[index]);
      const found = new Set(actual);
      const wanted = new Set(expected);
      const overlap =
        expected.length === 0 ? 0 : [...wanted].filter((value) => found.has(value)).length / expected.length;
      const raw = arrayAt(last?.arguments, 'synonym_values');
      return {
        reward: accuracy ? 1 : 0,
        parsed_synonym_values: actual,
        accuracy,
        set_overlap: overlap,
        original_term_minefield_hit:
          (minefield_label !== undefined && raw.includes(minefield_label)) ||
          (minefield_label_value !== undefined && raw.includes(minefield_label_value)),
        order_instruction_following_failure: !accuracy && overlap === 1,
      };
    },
  },
  tasks: [
    synonymTask('Why do deserts get so hot by day?', 'Hot', ['Blazing', 'Warm']),
    synonymTask('How do penguins live with the cold?', 'Cold', ['Chilly', 'Frosty']),
  ],
  scripts: [
    {
      name: 'synonyms-success',
      title: 'Look up, look up, hand in',
      description: 'Two look-ups and an extraction in the order of the list.',
      task: 0,
      emissions: [
        { text: '', toolCalls: [{ name: 'get_synonym_value', arguments: { synonym: 'Blazing' } }] },
        { text: '', toolCalls: [{ name: 'get_synonym_value', arguments: { synonym: 'Warm' } }] },
        {
          text: '',
          toolCalls: [{ name: 'extract_synonym_values', arguments: { synonym_values: [711, 407] } }],
        },
        { text: '[711, 407]', toolCalls: [] },
      ],
      expect: { reward: 1 },
    },
    {
      name: 'synonyms-wrong-order',
      title: 'Right values, wrong order',
      description:
        'All values are there, so the overlap is 1, but not in the order of the list: reward 0, and the verifier says why.',
      task: 0,
      emissions: [
        { text: '', toolCalls: [{ name: 'get_synonym_value', arguments: { synonym: 'Warm' } }] },
        { text: '', toolCalls: [{ name: 'get_synonym_value', arguments: { synonym: 'Blazing' } }] },
        {
          text: '',
          toolCalls: [{ name: 'extract_synonym_values', arguments: { synonym_values: [407, 711] } }],
        },
        { text: '[407, 711]', toolCalls: [] },
      ],
      expect: { reward: 0 },
    },
  ],
  checklist: {
    name: 'multi_step',
    stateful: false,
    call: { path: '/get_synonym_value', body: { synonym: 'Warm' } },
  },
});
