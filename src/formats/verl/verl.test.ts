import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatOf, lintEpisode, partText, toolCallsOf, viewAt, type Episode } from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import { verlDump } from './verl';
import {
  conversations,
  inputOf,
  misleading,
  outputOf,
  row,
  rowNamed,
  say,
  verlFixtures,
  type RowName,
} from './verl.fixtures';

function episodeOf(value: unknown): Episode {
  const [episode] = expectSound(verlDump, recordOf(value));
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

const key = (value: unknown): string | undefined => episodeOf(value).task?.key;

const imported = (name: RowName): Episode => episodeOf(rowNamed(name));

/** `0 policy assistant: reasoning <think>…</think> | call add({})` */
function told({ messages }: Episode): string[] {
  return messages.map(({ bornAtStep, origin, role, parts, toolResultFor }) => {
    const shown = parts.map((part) =>
      part.kind === 'text' ? JSON.stringify(part.text) : `${part.kind} ${partText(part)}`,
    );
    const answers = toolResultFor === undefined ? '' : ` for ${toolResultFor.join(' ')}`;
    return `${bornAtStep} ${origin} ${role}${answers}: ${shown.join(' | ')}`;
  });
}

const transcriptOf = ({ messages }: Episode): string =>
  messages.map(({ inferredFrom }) => inferredFrom ?? '?').join('');

const reasons = ({ gaps }: Episode, about: string): string[] =>
  gaps.filter((gap) => gap.about === about).map(({ reason }) => reason);

describe('the history', () => {
  test.each<[RowName, string[]]>([
    [
      'a call, its answer and the end',
      [
        '0 policy assistant: reasoning <think>\nI will use the tool.\n</think> | call add({"a": 48.0, "b": 24})',
        '0 environment tool for 2.0: "72"',
        '1 policy assistant: "It is \\\\boxed{72}."',
      ],
    ],
    [
      'two calls with two answers',
      [
        '0 policy assistant: "First both.\\n" | call add({"a": 1}) | call stop({})',
        '0 environment tool for 2.0: "1"',
        '0 environment tool for 2.1: "stopped"',
        '1 policy assistant: "Done."',
      ],
    ],
    [
      'two calls and one answer',
      [
        '0 policy assistant: call add({"a": 1}) | call add({"a": 2})',
        '0 environment tool: "busy"',
        '1 policy assistant: "Hm."',
      ],
    ],
    ['no tools', ['-1 prompt user: "Two plus two?"', '0 policy assistant: "4"']],
    ['no roles in the input', ['-1 prompt user: "Two plus two is"', '0 policy assistant: " 4"']],
    ['an empty output', ['0 policy assistant: ']],
    ['a thought that never ends', ['0 policy assistant: reasoning <think>\nand so on']],
    ['a thought that the template opened', ['0 policy assistant: reasoning Easy.\n</think> | "\\n\\n72"']],
    [
      'a call that is no JSON',
      [
        '0 policy assistant: "<tool_call>\\n{\\"name\\": \\"add\\", \\"arguments\\": {\\"a\\": 1}\\n</tool_call>"',
        '0 environment tool: "Error: invalid JSON"',
        '1 policy assistant: "12"',
      ],
    ],
    [
      'an answer that was cut off',
      ['0 policy assistant: call add({})', '0 environment tool for 2.0: "user\\nassistant\\n7"'],
    ],
    ['a cue that nothing followed', ['0 policy assistant: call add({})', '0 environment tool for 2.0: "7"']],
    [
      'a cue at the head of the output',
      ['0 policy assistant: call add({})', '0 environment tool for 2.0: "7"', '1 policy assistant: "Seven."'],
    ],
    [
      'lines that read like roles in what was said',
      [
        '-1 prompt user: "Explain these roles:\\nuser\\nsystem\\nand stop."',
        '0 policy assistant: "A chat looks like\\nuser\\nHello\\nassistant\\nHi\\nand so on."',
      ],
    ],
    [
      'a user who answers',
      [
        '-1 prompt user: "Guess."',
        '0 policy assistant: "Four?"',
        '0 environment user: "Higher."',
        '1 policy assistant: "Five?"',
      ],
    ],
    [
      'a thought left open before a call',
      [
        '0 policy assistant: reasoning <think>\nhm\n | call add({})',
        '0 environment tool for 2.0: "1"',
        '1 policy assistant: reasoning <think>\nok\n</think> | "One."',
      ],
    ],
    [
      'a policy that speaks of itself in the prompt',
      [
        '-1 prompt user: "Who?"',
        '-1 prompt assistant: "An\\nassistant\\nof yours."',
        '-1 prompt user: "Ah."',
        '0 policy assistant: "Yes."',
      ],
    ],
  ])('of %s', (name, expected) => {
    const all = told(imported(name));
    expect(all.slice(all.length - expected.length)).toEqual(expected);
    expect(all.length - expected.length).toBe(expected.some((line) => line.startsWith('-1')) ? 0 : 2);
  });

  test('takes calls and answers of the prompt for given', () => {
    const { messages, steps } = imported('calls and answers in the prompt');
    expect(messages.map(({ origin, role }) => `${origin} ${role}`)).toEqual([
      'prompt system',
      'prompt user',
      'prompt assistant',
      'prompt tool',
      'policy assistant',
    ]);
    expect(messages[3]?.toolResultFor).toEqual(['2.0']);
    expect(steps).toHaveLength(1);
  });

  test('does not take the word of a user for a turn of the policy', () => {
    const { messages } = episodeOf({
      input: 'user\nWho am I?\nassistant\nor not?\nassistant\n',
      output: 'You.',
      score: 0,
      step: 1,
    });
    expect(messages).toHaveLength(2);
    expect(messages[0]?.parts).toEqual([{ kind: 'text', text: 'Who am I?\nassistant\nor not?' }]);
  });
});

describe('the texts', () => {
  test.each(verlFixtures.map(({ name, value }) => [name, value] as const))('are kept: %s', (_, value) => {
    const { input, output } = JSON.parse(JSON.stringify(value));
    expect(transcriptOf(episodeOf(value))).toBe(input + output);
  });

  test('are kept, whatever stands in them', () => {
    fc.assert(
      fc.property(misleading, misleading, fc.nat(9), (input, output, num_turns) => {
        const episode = episodeOf({ input, output, score: 1, step: 0, num_turns });
        expect(transcriptOf(episode)).toBe(input + output);
      }),
      { numRuns: 2000 },
    );
  });

  test('are told apart as they were rendered', () => {
    fc.assert(
      fc.property(conversations, ({ prompt, turns }) => {
        const { messages } = episodeOf(row(prompt, turns));
        const expected = [...prompt, ...turns].flatMap(({ role, texts }) =>
          texts.map((text) => ({ role, text })),
        );
        expect(messages.map(({ role }) => role)).toEqual(expected.map(({ role }) => role));
        messages.forEach(({ role, parts }, nth) => {
          if (role === 'assistant') return;
          expect(parts).toEqual([{ kind: 'text', text: expected[nth]?.text }]);
        });
      }),
    );
  });

  test('pair every call with its answer', () => {
    fc.assert(
      fc.property(conversations, ({ prompt, turns }) => {
        const episode = episodeOf(row(prompt, turns));
        const called = episode.messages.flatMap(toolCallsOf).map(({ callId }) => callId);
        expect(new Set(called).size).toBe(called.length);
        expect(episode.messages.flatMap((message) => message.toolResultFor ?? [])).toEqual(called);
        expect(lintEpisode(episode)).toEqual([]);
      }),
    );
  });

  test('are read in a time that grows with them, not with their square', () => {
    for (const piece of [
      '<think>\n',
      '\nuser\n<tool_response>',
      '\nassistant\n',
      '<tool_call>\n{"a":',
      '\n',
    ]) {
      const text = piece.repeat(50_000);
      expect(transcriptOf(episodeOf({ input: text, output: text, score: 1, step: 0 }))).toBe(text + text);
    }
  });
});

test('the view of a later step holds what was said before it', () => {
  const episode = imported('a call, its answer and the end');
  expect(chatOf(viewAt(episode, 1)).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
});

test('lists the tools of the system prompt', () => {
  const { tools } = imported('no tools');
  expect(tools).toEqual([]);
  expect(imported('a call that is no JSON').tools).toEqual([
    {
      name: 'add',
      description: 'Adds.',
      parameters: { type: 'object' },
    },
    { name: 'stop' },
  ]);
});

describe('the task', () => {
  test('is the same for the same input and answer, and another otherwise', () => {
    const question = [say('user', 'Two plus two?')];
    const [a, b] = [
      row(question, [say('assistant', '4')]),
      row(question, [say('assistant', '5')], { step: 9 }),
    ];
    expect(key(a)).toMatch(/^[0-9a-f]{16}$/);
    expect(key(a)).toBe(key(b));
    expect(key(row(question, [say('assistant', '4')], { gts: '4' }))).not.toBe(key(a));
    expect(key(row([say('user', 'Two plus one?')], [say('assistant', '4')]))).not.toBe(key(a));
  });

  test('is told by the id where there is one', () => {
    const episode = imported('a second output of a session');
    expect(episode.task).toEqual({ key: '7f_3a', rollout: 2, attempt: 1 });
    expect(reasons(episode, 'messages')).toContainEqual(expect.stringContaining('output 1 of its session'));
    expect(imported('an id that is no session').task).toEqual({ key: '7f3a-99' });
  });

  test('can be followed over training steps although the id changes', () => {
    const prompts = ['a_0_0', 'b_4_0'].map(
      (uid) => episodeOf(row([say('user', 'Hi')], [say('assistant', 'Hi')], { uid })).metrics['prompt'],
    );
    expect(prompts[0]).toBe(prompts[1]);
  });
});

describe('the outcome', () => {
  test('is the score, and the rest are metrics', () => {
    const { outcome, metrics } = imported('a call, its answer and the end');
    expect(outcome).toEqual({ components: {}, reward: 1 });
    expect({ ...metrics }).toEqual({
      gts: '72',
      acc: true,
      pred: '72',
      num_turns: 4,
      request_id: 'r0',
      training_step: 5,
    });
    expect(imported('no tools').metrics).not.toHaveProperty('reward');
  });

  test.each([NaN, Infinity, null, 'high', [1]])('is no reward where the score is %s', (score) => {
    const episode = episodeOf({
      input: inputOf([]),
      output: outputOf([say('assistant', 'x')]),
      score,
      step: 1,
    });
    expect(episode.outcome).toEqual({ components: {}, noReward: 'not-a-number' });
    expect(reasons(episode, 'reward')).toEqual([
      expect.stringContaining(String(score ?? 'null').slice(0, 3)),
    ]);
  });
});

test('is recognised by its fields alone', () => {
  expect(detectFormat(rowNamed('no tools'))?.id).toBe('verl_dump');
  expect(detectFormat({ input: 'a', output: 'b', score: NaN, step: 3 })?.id).toBe('verl_dump');
  expect(detectFormat({ input: 'a', output: 'b' })?.id).toBe('json');
  expect(detectFormat({ input: 'a', output: 'b', score: 1 })?.id).toBe('json');
});
