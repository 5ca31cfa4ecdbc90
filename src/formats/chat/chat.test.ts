import { describe, expect, test } from 'vitest';
import { seenAs, type Episode } from '../../model';
import { expectLossless, expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import {
  alpacaRecords,
  chatFixtures,
  chatRecords,
  openaiRecords,
  promptRecords,
  responsesRecords,
  sharegptRecords,
} from './chat.fixtures';

function imported(value: unknown): Episode {
  const record = recordOf(value, 3);
  const format = detectFormat(value);
  const [episode] = format === undefined ? [] : expectSound(format, record);
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

function counted(value: unknown): unknown {
  return detectFormat(value)?.summarise(recordOf(value))[0]?.counts;
}

/** `user: text`, `assistant: (thoughts) text -> call`, with the step each was born at. */
function told({ messages }: Episode): string[] {
  return messages.map(({ role, roleLabel, bornAtStep, parts, toolResultFor }) => {
    const texts = parts.map((part) => {
      if (part.kind === 'call') return `-> ${part.call.name}(${part.call.arguments}) as ${part.call.callId}`;
      if (part.kind === 'reasoning') return `(${part.text})`;
      return 'text' in part ? part.text : part.kind;
    });
    const answers = toolResultFor === undefined ? '' : ` for ${toolResultFor.join('+')}`;
    return `${bornAtStep} ${roleLabel ?? role}${answers}: ${texts.join(' ')}`;
  });
}

test.each(chatFixtures.map((fixture) => [fixture.format, fixture.name, fixture] as const))(
  '%s is recognised: %s',
  (format, _, { value }) => {
    expect(detectFormat(value)?.id).toBe(format);
    expectLossless(imported(value));
  },
);

describe('OpenAI chat', () => {
  test('a turn of the assistant is a step, and that it was one is said to be inferred', () => {
    const episode = imported(openaiRecords['questions and answers']);
    expect(told(episode)).toEqual([
      '-1 system: Be brief.',
      '-1 user: One and one?',
      '0 assistant: Two.',
      '0 user: And this? image',
      '1 assistant: (<think>A picture.</think>) A picture.',
    ]);
    expect(episode.title).toBe('One and one?');
    expect(episode.gaps).toContainEqual(
      expect.objectContaining({ about: 'views', reason: expect.stringContaining('inferred') }),
    );
    expect(episode.metrics).toEqual({ messages_of_weight_0: 1 });
    expect(seenAs(episode, 1)).toHaveLength(4);
  });

  test('calls, results and tools', () => {
    const episode = imported(openaiRecords['calls and results']);
    expect(told(episode)).toEqual([
      '-1 developer: Count.',
      '-1 user: Add 1.',
      '0 assistant: (The tool.) -> add({"a": 1.0}) as call_1 -> add({"a": 1.0}) as call_2',
      '0 tool for call_1: 1',
      '0 tool for call_2: 2',
      '1 assistant: It is 2.',
    ]);
    expect(episode.tools).toMatchObject([{ name: 'add', description: 'Adds numbers.' }]);
    expect(counted(openaiRecords['calls and results'])).toMatchObject({
      messages: 4,
      toolCalls: 2,
      toolResults: 2,
      reasoning: 1,
    });
  });

  test('a function result answers the last call of its name', () => {
    expect(told(imported(openaiRecords['function calls of the old kind']))).toEqual([
      '-1 user: Add 1.',
      '0 assistant: -> add({}) as /messages/1/function_call',
      '0 tool for /messages/1/function_call: 1',
      '1 assistant: No more.',
    ]);
  });
});

describe('chat messages', () => {
  test('say what stands in other files, and keep what stands beside them', () => {
    const { gaps, metrics, outcome } = imported(chatRecords['with images beside them']);
    expect(gaps.find(({ about }) => about === 'messages')?.reason).toContain(
      '1 image of this conversation is a file',
    );
    expect(metrics).toEqual({ id: 7 });
    expect(outcome.reward).toBe(0.5);
  });

  test('of Anthropic: each result is a message of its own, before what the user says', () => {
    const value = chatRecords["with Anthropic's blocks"];
    expect(told(imported(value))).toEqual([
      '-1 system: Be brief.',
      '-1 user: Read a.txt',
      '0 assistant: (A file.) sealed Reading. -> Read({"path":"a.txt"}) as toolu_1 -> Read({"path":"b.txt"}) as toolu_2',
      '0 tool for toolu_1: A',
      '0 tool for toolu_2: none image',
      '0 user: Go on.',
      '1 assistant: A.',
    ]);
    expect(counted(value)).toMatchObject({ messages: 5, toolCalls: 2, toolResults: 2, reasoning: 1 });
    expect(imported(value).messages[4]?.parts[1]).toEqual({
      kind: 'image',
      url: 'data:image/png;base64,iVBORw0KGgo=',
    });
  });

  test('of LLaMA-Factory', () => {
    expect(told(imported(chatRecords["with LLaMA-Factory's parts"]))).toEqual([
      '-1 system: Be brief.',
      '-1 user: Add 1.',
      '0 assistant: (The tool.) -> add({"a":1}) as /messages/2/content/1 not a call',
      '0 tool: 1',
    ]);
  });
});

test('ShareGPT: an observation answers the calls before it', () => {
  expect(told(imported(sharegptRecords['calls and observations']))).toEqual([
    '-1 system: Count.',
    '-1 user: Add 1.',
    '0 assistant: -> add({"a":1}) as /conversations/1#0 -> add({}) as /conversations/1#1',
    '0 tool for /conversations/1#0+/conversations/1#1: 2',
    '1 assistant: It is 2.',
  ]);
  expect(imported(sharegptRecords['calls and observations']).tools).toMatchObject([{ name: 'add' }]);
  expect(told(imported(sharegptRecords['people and a model'])).at(-1)).toBe('0 critic: Right.');
});

test('Alpaca: what was before, the question with its input, the answer', () => {
  expect(told(imported(alpacaRecords['a question']))).toEqual(['-1 user: Add.\n1 and 1', '0 assistant: 2']);
  expect(told(imported(alpacaRecords['a question with what was before']))).toEqual([
    '-1 system: Be brief.',
    '-1 user: Hello.',
    '0 assistant: Hi.',
    '0 user: And again?',
    '1 assistant: 3',
  ]);
});

test('a prompt and its completion, as text and as messages', () => {
  expect(told(imported(promptRecords.texts))).toEqual(['-1 user: One and one?', '0 assistant:  two']);
  expect(told(imported(promptRecords.messages))).toEqual(['-1 user: One and one?', '0 assistant: Two.']);
  expect(imported(promptRecords.messages).outcome.reward).toBe(1);
});

describe('OpenAI Responses', () => {
  test('by itself says that the request is not there', () => {
    const episode = imported(responsesRecords['by itself']);
    expect(told(episode)).toEqual(['-1 system: Be brief.', '0 assistant: (Easy.) -> add({}) as call_1 Two.']);
    expect(episode).toMatchObject({
      model: 'm',
      outcome: { termination: 'completed' },
      metrics: { output_tokens: 7 },
    });
    expect(episode.messages.map(({ raw }) => raw)).toEqual([
      ['/instructions'],
      ['/output/0', '/output/1', '/output/2'],
    ]);
  });

  test('beside its request', () => {
    const episode = imported(responsesRecords['beside its request']);
    expect(told(episode)[0]).toBe('-1 user: One and one?');
    expect(episode.messages[0]?.raw).toEqual(['/request/input/0']);
    expect(episode.messages[1]?.raw[0]).toBe('/response/output/0');
    expect(episode.steps).toEqual([{ index: 0, unfinished: 'max_output_tokens' }]);
  });
});

test.each([
  [{ messages: [] }],
  [{ messages: [{ content: 'x' }] }],
  [{ messages: 'text' }],
  [{ conversations: [{ from: 'human' }] }],
  [{ instruction: 'Add.' }],
  [{ prompt: 1, completion: 'x' }],
  [{ object: 'response' }],
])('%j is none of these', (value) => {
  expect(detectFormat(value)?.id).toBe('json');
});
