import * as fc from 'fast-check';
import type { Fixture } from '../harness.fixtures';

/** Dumps as verl writes them: contexts rendered by a ChatML template and decoded without its special tokens. */

export interface Said {
  role: 'system' | 'user' | 'assistant' | 'tool';
  /** A tool's turn can hold several answers. */
  texts: string[];
}

export const say = (role: Said['role'], ...texts: string[]): Said => ({ role, texts });

export function call(name: string, args: string): string {
  return `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;
}

/** The line that names the role, what was said, and the line break that separates it from the next one. */
function rendered({ role, texts }: Said): string {
  if (role !== 'tool') return `${role}\n${texts.join('')}\n`;
  return `user\n${texts.map((text) => `<tool_response>\n${text}\n</tool_response>`).join('\n')}\n`;
}

export function inputOf(prompt: readonly Said[]): string {
  return `${prompt.map(rendered).join('')}assistant\n`;
}

/** The policy's turns and those between them, as they follow the cue at the end of the input. */
export function outputOf(turns: readonly Said[]): string {
  const text = turns.map(rendered).join('');
  return text.slice('assistant\n'.length, -1);
}

export function row(
  prompt: readonly Said[],
  turns: readonly Said[],
  more: Record<string, unknown> = {},
): unknown {
  return {
    input: inputOf(prompt),
    output: outputOf(turns),
    gts: '72',
    score: 1,
    step: 5,
    ...more,
  };
}

const toolPrompt = `You add. Signatures are within <tools></tools> XML tags:
<tools>
{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": {"type": "object"}}}
{"type": "function", "function": {"name": "stop"}}
</tools>

Call like this:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>`;

const prompt = [say('system', toolPrompt), say('user', 'What is 48 + 24?')];
const thought = '<think>\nI will use the tool.\n</think>\n\n';

const rows = {
  'a call, its answer and the end': row(
    prompt,
    [
      say('assistant', `${thought}${call('add', '{"a": 48.0, "b": 24}')}`),
      say('tool', '72'),
      say('assistant', 'It is \\boxed{72}.'),
    ],
    { acc: true, pred: '72', num_turns: 4, request_id: 'r0' },
  ),
  'two calls with two answers': row(prompt, [
    say('assistant', `First both.\n${call('add', '{"a": 1}')}\n${call('stop', '{}')}`),
    say('tool', '1', 'stopped'),
    say('assistant', 'Done.'),
  ]),
  'two calls and one answer': row(prompt, [
    say('assistant', `${call('add', '{"a": 1}')}\n${call('add', '{"a": 2}')}`),
    say('tool', 'busy'),
    say('assistant', 'Hm.'),
  ]),
  'no tools': row([say('user', 'Two plus two?')], [say('assistant', '4')], { gts: null, reward: 1 }),
  'no roles in the input': { input: 'Two plus two is', output: ' 4', gts: ['4', 'four'], score: 0, step: 1 },
  'early rows without an answer to compare with': {
    input: 'user\nHi\nassistant\n',
    output: 'Hi.',
    score: 0.5,
    step: 2,
  },
  'an empty output': row(prompt, [say('assistant', '')], { score: null }),
  'a thought that never ends': row(prompt, [say('assistant', '<think>\nand so on')]),
  'a thought that the template opened': {
    input: `${inputOf(prompt)}<think>\n`,
    output: `Easy.\n</think>\n\n72`,
    gts: '72',
    score: 1,
    step: 5,
  },
  'a call that is no JSON': row(prompt, [
    say('assistant', '<tool_call>\n{"name": "add", "arguments": {"a": 1}\n</tool_call>'),
    say('tool', 'Error: invalid JSON'),
    say('assistant', '12'),
  ]),
  'an answer that was cut off': {
    input: inputOf(prompt),
    output: `${call('add', '{}')}\nuser\n<tool_response>\nuser\nassistant\n7`,
    gts: '72',
    score: 0,
    step: 5,
  },
  'a cue that nothing followed': {
    input: inputOf(prompt),
    output: `${call('add', '{}')}\nuser\n<tool_response>\n7\n</tool_response>\nassistant\n`,
    gts: '72',
    score: 0,
    step: 5,
  },
  'a cue at the head of the output': {
    input: inputOf(prompt),
    output: `assistant\n${call('add', '{}')}\ntool\n7\nassistant\nSeven.`,
    gts: '72',
    score: 0,
    step: 5,
  },
  'lines that read like roles in what was said': row(
    [say('user', 'Explain these roles:\nuser\nsystem\nand stop.')],
    [say('assistant', 'A chat looks like\nuser\nHello\nassistant\nHi\nand so on.')],
    { num_turns: 2 },
  ),
  'a user who answers': row(
    [say('user', 'Guess.')],
    [say('assistant', 'Four?'), say('user', 'Higher.'), say('assistant', 'Five?')],
    { num_turns: 4 },
  ),
  'calls and answers in the prompt': row(
    [
      say('system', toolPrompt),
      say('user', 'And before?'),
      say('assistant', call('add', '{"a": 1}')),
      say('tool', '1'),
    ],
    [say('assistant', 'One.')],
  ),
  'a thought left open before a call': row(prompt, [
    say('assistant', `<think>\nhm\n${call('add', '{}')}`),
    say('tool', '1'),
    say('assistant', '<think>\nok\n</think>One.'),
  ]),
  'a policy that speaks of itself in the prompt': row(
    [say('user', 'Who?'), say('assistant', 'An\nassistant\nof yours.'), say('user', 'Ah.')],
    [say('assistant', 'Yes.')],
  ),
  'a second output of a session': row(prompt, [say('assistant', 'Done.')], { uid: '7f_3a_2_1' }),
  'an id that is no session': row(prompt, [say('assistant', 'Done.')], { uid: '7f3a-99' }),
};

export type RowName = keyof typeof rows;

export const rowNamed = (name: RowName): unknown => rows[name];

export const verlFixtures: Fixture[] = Object.entries(rows).map(([name, value]) => ({
  name,
  format: 'verl_dump',
  value,
}));

/** What cannot be taken for a line that names a role, nor for a tag. */
const words = fc
  .array(fc.constantFrom('user', 'Hi.', 'assistant?', '72', 'x <think> y', 'é中', ' tool', '', '\t'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((lines) => `said: ${lines.join(' ')}\n${lines.join(', ')}!`);

/** A conversation whose turns a reader could not mistake, and what it is made of. */
export const conversations = fc
  .record({
    system: fc.option(words, { nil: undefined }),
    question: words,
    rounds: fc.array(
      fc.record({ before: words, calls: fc.array(words, { minLength: 1, maxLength: 3 }), answers: words }),
      { maxLength: 4 },
    ),
    end: words,
  })
  .map(({ system, question, rounds, end }) => ({
    prompt: [...(system === undefined ? [] : [say('system', system)]), say('user', question)],
    turns: [
      ...rounds.flatMap(({ before, calls, answers }) => [
        say('assistant', [before, ...calls.map((arg) => call('add', JSON.stringify({ arg })))].join('\n')),
        // An answer can hold anything, since its tags say where it ends.
        say('tool', ...calls.map((_, nth) => `${answers}\nuser\nassistant\n${nth}`)),
      ]),
      say('assistant', end),
    ],
  }));

/** Text with everything in it that could mislead a reader. */
export const misleading = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['system', 'user', 'assistant', 'tool'].flatMap((role) => [role, `${role}\n`, `\n${role}\n`]),
        ...['think', 'tool_call', 'tool_response', 'tools'].flatMap((tag) => [
          `<${tag}>`,
          `</${tag}>\n`,
          `\n<${tag}>\n`,
        ]),
        '\n',
        call('add', '{"a": 1}'),
        '{"name": 1, "arguments": ',
        '\ud800',
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(''));
