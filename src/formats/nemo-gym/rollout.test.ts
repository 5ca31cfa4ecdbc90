import { describe, expect, test } from 'vitest';
import { chatOf, partText, viewAt, type Episode } from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { call, result, rollout, rolloutNamed, said, user, type RolloutName } from './nemo-gym.fixtures';
import { nemoGymRollout } from './rollout';

function imported(name: RolloutName): Episode {
  return episodeOf(rolloutNamed(name));
}

function episodeOf(value: unknown): Episode {
  expect(nemoGymRollout.confidence(value)).toBeGreaterThan(0.5);
  const [episode] = expectSound(nemoGymRollout, recordOf(value, 5));
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

/** The history, a line per message: `0 policy assistant: reasoning/summary One more. | call add({"n":1})`. */
function told({ messages }: Episode): string[] {
  return messages.map(({ bornAtStep, origin, role, roleLabel, parts, toolResultFor }) => {
    const shown = parts.map((part) => {
      const form =
        part.kind === 'reasoning' ? `/${part.form}` : part.kind === 'unknown' ? `/${part.type}` : '';
      if (part.kind === 'text') return JSON.stringify(part.text);
      return `${part.kind}${form} ${part.kind === 'unknown' ? '' : partText(part)}`.trim();
    });
    const answers = toolResultFor === undefined ? '' : ` for ${toolResultFor.join(' ')}`;
    return `${bornAtStep} ${origin} ${roleLabel ?? role}${answers}: ${shown.join(' | ')}`;
  });
}

function reasons({ gaps }: Episode, about: string): string[] {
  return gaps.filter((gap) => gap.about === about).map(({ reason }) => reason);
}

/** The view of a step as the model saw it, each message by its text or the call it made. */
function seenAt(episode: Episode, step: number): string[] {
  return chatOf(viewAt(episode, step)).map(({ content, tool_calls }) =>
    typeof content === 'string' ? content : (tool_calls?.[0]?.id ?? ''),
  );
}

/** A turn of one token. */
function spoken(text: string, prompt: number[]): object {
  return { ...said(text), prompt_token_ids: prompt, generation_token_ids: [9] };
}

describe('the history', () => {
  test.each<[RolloutName, string[]]>([
    [
      'a tool call and its result',
      [
        '-1 prompt developer: "Count."',
        '-1 prompt user: "Add 1."',
        '0 policy assistant: reasoning/summary One more. | call add({"n":1})',
        '0 environment tool for c1: "{\\"count\\":1}"',
        '1 policy assistant: "It is 1."',
      ],
    ],
    ['a string as input', ['-1 prompt user: "Add 1."', '0 policy assistant: "2"']],
    ['an empty input', ['0 policy assistant: "2"']],
    ['items without a type', ['-1 prompt user: "Add 1."', '0 policy assistant: "2"']],
    [
      'instructions beside the input',
      ['-1 prompt system: "Count."', '-1 prompt user: "Add 1."', '0 policy assistant: "2"'],
    ],
    [
      'turns of the environment in the output',
      [
        '-1 prompt system: "Blackjack."',
        '-1 prompt user: "hand: 8 5"',
        '0 policy assistant: "hit"',
        '0 environment user: "hand: 8 5 3"',
        '1 policy assistant: "hit"',
        '1 environment system: "bust"',
      ],
    ],
    [
      'the conversation so far in the input',
      [
        '-1 prompt user: "Cancel it."',
        '-1 prompt assistant: reasoning/summary Look. | call find({"n":1})',
        '-1 prompt tool for c0: "ok"',
        '-1 prompt assistant: "Which one?"',
        '-1 prompt user: "That."',
        '0 policy assistant: call cancel({"n":1})',
        '0 environment tool for c1: "ok"',
        '1 policy assistant: "Done."',
      ],
    ],
    [
      'parallel calls',
      [
        '-1 prompt user: "Add 2."',
        '0 policy assistant: call add({"n":1}) | call add({"n":1})',
        '0 environment tool for c1: "ok"',
        '0 environment tool for c2: "ok"',
        '1 policy assistant: "2"',
      ],
    ],
    [
      'reasoning after its call',
      [
        '-1 prompt user: "Add 1."',
        '0 policy assistant: call add({"n":1}) | reasoning/summary I add.',
        '0 environment tool for c1: "ok"',
        '1 policy assistant: "1"',
      ],
    ],
    [
      'one result for several calls',
      [
        '-1 prompt user: "List."',
        '0 policy assistant: "Two commands." | call bash({"n":1}) | call bash({"n":1})',
        '0 environment tool for call_0_1 call_0_2: "$ ls\\n$ pwd"',
        '1 policy assistant: "Done."',
      ],
    ],
    [
      'reasoning in all its forms',
      [
        '-1 prompt user: "Think."',
        '0 policy assistant: reasoning/summary First. | reasoning/summary Second. | sealed [encrypted reasoning] | ' +
          'reasoning/full All of it. | sealed [encrypted reasoning] | "4"',
      ],
    ],
    [
      'thoughts in the text',
      [
        '-1 prompt user: "2+2?"',
        '0 policy assistant: reasoning/inline <think>\nTwo and two.\n</think> | "\\n\\n4"',
        '0 environment user: "3+3?"',
        '1 policy assistant: reasoning/inline three and three</think> | "6"',
        '1 environment user: "4+4?"',
        '2 policy assistant: reasoning/inline <think>it was cut o',
      ],
    ],
    [
      'images and other parts',
      [
        '-1 prompt user: "What is it?" | image [image] | image [image] | unknown/input_file | unknown/input_audio',
        '0 policy assistant: call look({"n":1})',
        '0 environment tool for c1: "seen" | image [image]',
        '1 policy assistant: refusal I will not say.',
      ],
    ],
    [
      'items of a provider',
      [
        '-1 prompt user: "Search."',
        '0 policy assistant: unknown/web_search_call | call python(print(1))',
        '0 environment tool for c1: "1"',
        '1 policy assistant: unknown/computer_call',
        '1 environment tool for c2: unknown/computer_call_output',
        '2 policy assistant: "Found."',
      ],
    ],
    ['an empty output', ['-1 prompt user: "Fix it."']],
    [
      'snapshots that grow',
      [
        '-1 environment user: "2+3?"',
        '0 policy assistant: call add({"n":1}) | call add({"n":1})',
        '0 environment tool for c1: "ok"',
        '0 environment tool for c2: "ok"',
        '1 policy assistant: call add({"n":1})',
        '1 environment tool for c3: "ok"',
        '2 policy assistant: "5"',
      ],
    ],
    [
      'snapshots that start with the request',
      [
        '-1 prompt system: "Count."',
        '-1 environment user: "go"',
        '0 policy assistant: call add({"n":1})',
        '0 environment tool for c1: "ok"',
        '1 policy assistant: "1"',
      ],
    ],
    [
      'snapshots without old reasoning',
      [
        '-1 environment user: "go"',
        '0 policy assistant: reasoning/summary first | call add({"n":1})',
        '0 environment tool for c1: "ok"',
        '1 policy assistant: reasoning/summary then | call add({"n":1})',
        '1 environment tool for c2: "ok"',
      ],
    ],
  ])('%s', (name, lines) => {
    expect(told(imported(name))).toEqual(lines);
  });

  test('says where each message stands in the record', () => {
    expect(imported('a tool call and its result').messages.map(({ raw }) => raw)).toEqual([
      ['/responses_create_params/input/0'],
      ['/responses_create_params/input/1'],
      ['/response/output/0', '/response/output/1'],
      ['/response/output/2'],
      ['/response/output/3'],
    ]);
  });

  test('shows a role it does not know under its own name', () => {
    const { messages } = episodeOf(rollout([{ role: 'critic', content: 'Hm.' }], []));
    expect(messages).toMatchObject([{ role: 'user', roleLabel: 'critic' }]);
  });

  test('keeps the images as they are', () => {
    const [message] = imported('images and other parts').messages;
    expect(message?.parts.filter(({ kind }) => kind === 'image')).toEqual([
      { kind: 'image', url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' },
      { kind: 'image', url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' },
    ]);
  });
});

describe('snapshots of the context', () => {
  test('a hidden state is kept, and the later views show its placeholder where it stood', () => {
    const episode = imported('snapshots that hide old states');
    const hidden = '[Previous environment state - hidden]';
    expect(told(episode).filter((line) => line.includes('user'))).toEqual([
      `-1 environment user: "${hidden}"`,
      '0 environment user: "state 1"',
      '1 environment user: "state 2"',
      '2 environment user: "state 3"',
    ]);
    expect(seenAt(episode, 1)).toEqual([hidden, 'c1', 'ok', 'state 1']);
    expect(seenAt(episode, 2)).toEqual([hidden, 'c1', 'ok', hidden, 'c2', 'ok', 'state 2']);
    expect(seenAt(episode, 3)).toEqual([
      hidden,
      'c1',
      'ok',
      hidden,
      'c2',
      'ok',
      hidden,
      'c3',
      'ok',
      'state 3',
    ]);
    expect(reasons(episode, 'views')).toEqual([expect.stringContaining('first observation')]);
  });

  test('turns that were left out are in the history and not in the later views', () => {
    const episode = imported('snapshots that leave old turns out');
    expect(seenAt(episode, 1)).toEqual(['Click.', 'state 0', 'c1', 'one']);
    expect(seenAt(episode, 2)).toEqual(['Click.', 'state 0', '[omitted]', 'c2', 'two']);
    expect(seenAt(episode, 3)).toEqual(['Click.', 'state 0', '[omitted]', 'c3', 'three']);
    expect(reasons(episode, 'views')).toEqual([]);
  });

  test('a turn of which only a part is left out is said and not cut', () => {
    const episode = imported('snapshots without old reasoning');
    expect(episode.edits).toEqual([]);
    expect(reasons(episode, 'views')).toEqual([expect.stringContaining('parts of earlier turns')]);
  });

  test('are counted as they stand in the file, and once as metrics', () => {
    const [summary] = nemoGymRollout.summarise(recordOf(rolloutNamed('snapshots that grow')));
    expect(summary?.counts).toMatchObject({ messages: 4, toolCalls: 8, toolResults: 8 });
    expect(summary?.metrics).toEqual({
      transitions: 3,
      distinct_items: 8,
      distinct_tool_calls: 3,
      task_idx: 4,
    });
  });

  test('mark the model calls, also where the environment said nothing between two', () => {
    const episode = episodeOf(
      rollout(
        [],
        [
          [user('a'), said('b')],
          [user('a'), said('b'), said('c')],
        ],
      ),
    );
    expect(told(episode)).toEqual([
      '-1 environment user: "a"',
      '0 policy assistant: "b"',
      '1 policy assistant: "c"',
    ]);
  });

  test('unrelated ones follow one another', () => {
    const episode = episodeOf(rollout([], [[said('a'), user('b')], [said('c')]]));
    expect(told(episode)).toEqual([
      '0 policy assistant: "a"',
      '0 environment user: "b"',
      '1 policy assistant: "c"',
    ]);
    expect(reasons(episode, 'views')).toHaveLength(1);
  });
});

describe('gaps', () => {
  test.each<[RolloutName, string, string]>([
    ['one result for several calls', 'results', 'One result for 2 calls: it names only call_0_1'],
    ['calls that were never answered', 'results', 'add (c1), add (c2) have no result'],
    ['a result that nothing called', 'results', 'answers call_87'],
    ['reasoning in all its forms', 'reasoning', '2 reasoning items have no text'],
    ['the conversation so far in the input', 'messages', 'does not tell whether this policy made them'],
    ['an empty input', 'messages', 'does not show what the policy was asked'],
    ['an empty output', 'messages', 'What the policy made is in model_patch.'],
    ['no reward', 'reward', 'has no reward'],
    ['a reward that is none', 'reward', 'is null'],
    ['empty token ids', 'tokens', 'no token ids'],
    ['token ids that are none', 'tokens', 'not all whole numbers'],
  ])('%s: %s', (name, about, text) => {
    expect(reasons(imported(name), about)).toEqual([expect.stringContaining(text)]);
  });

  test.each([NaN, Infinity, -Infinity])('a reward of %s is called by its name', (reward) => {
    const episode = episodeOf({ ...rollout('x', [said('y')]), reward });
    expect(reasons(episode, 'reward')).toEqual([
      `The reward of this record is ${reward}, which is not a finite number.`,
    ]);
    expect(episode.outcome).toMatchObject({ noReward: 'not-a-number' });
  });

  test('are not there where nothing is missing', () => {
    const { gaps } = imported('token ids');
    expect(gaps.map(({ about }) => about)).toEqual(['state', 'timing']);
  });

  test.each([
    ['a result each', [call('c1'), call('c2'), result('c1'), result('c2')], []],
    ['the first result twice', [call('c1'), call('c2'), result('c1'), result('c1')], ['add (c2) has']],
    [
      'another result later',
      [call('c1'), call('c2'), call('c3'), result('c1'), said('x'), result('c2')],
      ['add (c3) has'],
    ],
    ['a result that names the last', [call('c1'), call('c2'), result('c2')], ['add (c1) has']],
  ])('calls share no result where the data shows %s', (_, output, missing) => {
    const episode = episodeOf(rollout('x', output));
    expect(episode.messages.every(({ toolResultFor }) => (toolResultFor ?? []).length < 2)).toBe(true);
    expect(reasons(episode, 'results')).toEqual(missing.map((text) => `${text} no result in this file.`));
  });
});

describe('outcome and numbers', () => {
  test('task, title, model, tools and metrics', () => {
    const episode = imported('a tool call and its result');
    expect(episode).toMatchObject({
      id: '5',
      title: 'task 17 · rollout 3',
      task: { key: '17', rollout: 3 },
      model: 'policy',
      tools: [{ name: 'add', description: 'Adds to the counter.', parameters: { required: ['n'] } }],
      outcome: { reward: 1, termination: 'completed' },
    });
    expect(episode.metrics).toEqual({
      hit: true,
      'OCR/Regular Text': 0.5,
      agent: 'simple_agent',
      input_tokens: 5,
      output_tokens: 7,
      total_tokens: 12,
    });
  });

  test.each([
    [{ instance_id: 'astropy-1', question: 'Why?' }, 'astropy-1'],
    [{ task_id: 7 }, 'task_id 7'],
    [{ question: `Why\n ${'so '.repeat(40)}?` }, `Why ${'so '.repeat(25)}…`],
    [{ task_idx: 4 }, 'task 4'],
    [{ _ng_task_index: 1, _ng_rollout_index: 0, _ng_attempt_index: 2 }, 'task 1 · rollout 0 · attempt 2'],
    [{ id: {} }, 'record 5'],
  ])('a title from %j', (more, title) => {
    expect(episodeOf(rollout('x', [said('y')], more)).title).toBe(title);
  });

  test('tokens belong to their step', () => {
    const { steps } = imported('token ids');
    expect(steps.map(({ tokens }) => tokens)).toEqual([
      {
        promptIds: Int32Array.of(1, 2),
        generationIds: Int32Array.of(3, 4),
        logprobs: Float32Array.of(-0.5, NaN),
      },
      {
        promptIds: Int32Array.of(1, 2, 3, 4, 5),
        generationIds: Int32Array.of(6),
        logprobs: Float32Array.of(-1),
      },
    ]);
    expect(imported('empty token ids').steps).toEqual([{ index: 0 }]);
    for (const id of [1.5, 2 ** 31, -1, null, '7']) {
      const item = { ...said('1'), prompt_token_ids: [1], generation_token_ids: [2, id] };
      expect(episodeOf(rollout('x', [item])).steps).toEqual([{ index: 0 }]);
    }
  });

  test('where the tokens do not go on, another training sample begins', () => {
    const samplesOf = (second: number[]) =>
      nemoGymRollout.summarise(recordOf(rollout('x', [spoken('1', [1]), user('on'), spoken('2', second)])))[0]
        ?.samples;
    expect(samplesOf([1, 9, 2])).toBe(1);
    expect(samplesOf([1, 2])).toBe(2);
    expect(nemoGymRollout.summarise(recordOf(rollout('x', [])))[0]?.samples).toBe(0);
    episodeOf(rollout('x', [spoken('1', [1]), user('on'), spoken('2', [1, 2])]));
  });

  test('what is long or says nothing is no metric', () => {
    const more = { log: 'a\nb', text: 'x'.repeat(81), empty: '', none: null, list: [1], label: 'b' };
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    expect(episodeOf(rollout('x', [said('y')], more, { usage })).metrics).toEqual({ label: 'b' });
    const chat = { usage: { prompt_tokens: 3, completion_tokens: 0 } };
    expect(episodeOf(rollout('x', [said('y')], {}, chat)).metrics).toEqual({
      input_tokens: 3,
      output_tokens: 0,
    });
  });

  test('components of the reward', () => {
    const { outcome, metrics } = imported('a reward of several components');
    expect({ ...outcome.components }).toEqual({ correctness: 1, format: 0.5, style: 0 });
    expect(metrics).toEqual({ correctness: 1, 'reward.format': 0.5, reward_style: 0 });
    const twice = { reward_components: { format: 0.5 }, reward_format: 9 };
    expect({ ...episodeOf(rollout('x', [said('y')], twice)).outcome.components }).toEqual({ format: 0.5 });
    expect({ ...imported('breakdowns elsewhere').outcome.components }).toEqual({
      DB: 1,
      speed: 0.25,
      'attempt 0': 0,
      'attempt 1': 1,
      'step 0': 0.1,
    });
  });

  test('how it ended', () => {
    expect(imported('a cut-off answer').outcome.termination).toBe('max_output_tokens');
    expect(imported('a cut-off answer').steps).toEqual([{ index: 0, unfinished: 'max_output_tokens' }]);
    expect(imported('an error of the provider')).toMatchObject({
      outcome: { termination: 'failed', error: 'server_error: overloaded' },
      steps: [{ unfinished: 'failed' }],
    });
    expect(imported('turns of the environment in the output').outcome).toMatchObject({
      reward: -1,
      termination: 'terminated',
    });
    expect(imported('breakdowns elsewhere').outcome.termination).toBe('user_stop');
    expect(imported('an empty output').outcome.verdict).toBe('not resolved');
  });

  test('a reward that is not one is not taken for one', () => {
    expect(imported('no reward').outcome).toEqual({ components: {} });
    expect(imported('a reward that is none').outcome).toMatchObject({ noReward: 'not-a-number' });
    for (const reward of ['1', true, [1]]) {
      expect(episodeOf(rollout('x', [said('y')], { reward })).outcome.reward).toBeUndefined();
    }
  });

  test('keys that mean something to JavaScript are only names', () => {
    const { metrics } = imported('hostile keys');
    expect(Object.entries(metrics)).toEqual([
      ['__proto__', 7],
      ['constructor', true],
    ]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  test('two records of the same rollout are told apart by their place', () => {
    const value = rolloutNamed('a tool call and its result');
    const [a, b] = [
      nemoGymRollout.episode(recordOf(value, 3), 0),
      nemoGymRollout.episode(recordOf(value, 4), 0),
    ];
    expect(a.title).toBe(b.title);
    expect(a.id).not.toBe(b.id);
  });
});
