/** The testing checklist that StateLM's changes to the agent loop came with, line by line. */
import { describe, expect, test } from 'vitest';
import {
  deletedAt,
  maskAt,
  samplesOf,
  seenAs,
  snapshotsOf,
  STUB_TEXT,
  textOfIds,
  type Episode,
} from '../model';
import { DEFAULT_CONFIG } from './config';
import {
  call,
  echoEnvironment,
  loopOf,
  runToEnd,
  STATELM,
  toyTemplate,
  type LoopGiven,
} from './loop.fixtures';

const PLAIN = { ...DEFAULT_CONFIG, response_length: 50_000 };

function run(given: LoopGiven): Promise<Episode> {
  return runToEnd(loopOf({ template: toyTemplate, ...given }));
}

/** The tool messages that a step brought, as text. */
function resultsAt({ messages }: Episode, step: number): string[] {
  return messages
    .filter(({ role, bornAtStep }) => role === 'tool' && bornAtStep === step)
    .map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(''));
}

describe('statelm_enabled = False: backward compatibility', () => {
  const script = [
    call('read', { n: 1 }),
    call('deleteContext', { message_ids: [1] }),
    { text: 'It is here.' },
  ];

  test('deleteContext is an unknown tool, and is not offered', async () => {
    const episode = await run({ config: PLAIN, script });
    expect(resultsAt(episode, 1)).toEqual([`{"error": "Unknown tool 'deleteContext'."}`]);
    expect(episode.tools.map(({ name }) => name)).toEqual(['read', 'note', 'fail']);
    const offering = echoEnvironment({ loopTools: [{ name: 'deleteContext' }, { name: 'finish' }] });
    const { tools } = await run({ config: PLAIN, script, environment: offering });
    expect(tools.map(({ name }) => name)).toEqual(['read', 'note', 'fail', 'finish']);
  });

  test('nothing of StateLM is tracked', async () => {
    const episode = await run({ config: PLAIN, script });
    expect(episode).not.toHaveProperty('statelm');
    expect(episode).not.toHaveProperty('notes');
    expect(episode.edits).toEqual([]);
    expect(samplesOf(episode)).toHaveLength(1);
    expect(episode.messages.every(({ invokedBy }) => invokedBy === undefined)).toBe(true);
  });

  test('the context only grows, without notes, ids or stubs', async () => {
    const episode = await run({ config: PLAIN, script });
    expect(seenAs(episode, 2)).toEqual([
      { role: 'user', content: 'Where is it?' },
      expect.objectContaining({ role: 'assistant', content: 'I call read.' }),
      { role: 'tool', content: '{"tool":"read","n":1}', tool_call_id: 'call_1' },
      expect.objectContaining({ role: 'assistant', content: 'I call deleteContext.' }),
      expect.objectContaining({ role: 'tool', tool_call_id: 'call_2' }),
    ]);
  });

  test('the context is not protected', async () => {
    const episode = await run({ config: { ...PLAIN, max_model_length: 10 }, script });
    expect(episode.outcome.termination).toBe('no_tool_call');
    expect(episode.metrics).not.toHaveProperty('context_length_exceeded');
  });
});

describe('statelm_enabled = True: context protection', () => {
  test('a prompt that leaves no room ends the run before anything is emitted, with the penalty', async () => {
    const [prompt, room] = [143 - 17 + 12, 50_000];
    const fits = { ...STATELM, max_model_length: prompt + room };
    const script = [call('finish', { answer: 'x' })];
    const whole = await run({ config: fits, script });
    expect(whole.steps[0]?.tokens?.promptIds).toHaveLength(prompt);
    expect(whole.outcome.termination).toBe('finish');

    const episode = await run({ config: { ...fits, max_model_length: prompt + room - 1 }, script });
    expect(episode.steps).toEqual([]);
    expect(episode.outcome).toMatchObject({ termination: 'context_length_exceeded', reward: 1 });
    expect(episode.metrics).toMatchObject({
      context_length_exceeded: true,
      early_stop_penalty: -1,
      context_overflow_tokens: 1,
    });
    expect(episode.scores?.turnScores).toEqual([{ step: -1, value: -1 }]);
  });

  test('turns between two renders are not checked', async () => {
    const long = call('read', { long: 1_500 });
    const config = { ...STATELM, response_length: 4_000, max_model_length: 5_000 };
    const script = [long, long, call('finish', { answer: 'x' })];
    const episode = await run({ config, script });
    expect(episode.steps[2]?.tokens?.promptIds.length).toBeGreaterThan(
      config.max_model_length - config.response_length,
    );
    expect(episode.outcome.termination).toBe('finish');
  });
});

const read = (n: number) => call('read', { n });

function after(args: Parameters<typeof call>[1], config = STATELM): Promise<Episode> {
  return run({
    config,
    script: [read(1), read(2), call('deleteContext', args), call('finish', { answer: 'x' })],
  });
}

describe('deleteContext with single and multiple message IDs', () => {
  test.each([
    ['a list of one', { message_ids: [2] }, [2]],
    ['a number', { message_ids: 2 }, [2]],
    ['several', { message_ids: [2, 3, 4] }, [2, 3, 4]],
    ['the other dialect', { msg_id: 2 }, [2]],
    ['a number as text', { message_ids: ['2'] }, [2]],
    ['nothing', {}, []],
    ['an id that no message has', { message_ids: [99] }, [99]],
  ])('rl: %s', async (_, args, ids) => {
    const episode = await after(args);
    expect(resultsAt(episode, 2)).toEqual([`Successfully deleted ${ids.length} message(s) from context.`]);
    expect(episode.edits).toEqual([{ step: 2, kind: 'delete', msgIds: ids, by: 5 }]);
    const stubs = seenAs(episode, 3).filter(({ content }) => JSON.stringify(content).includes(STUB_TEXT));
    expect(stubs).toHaveLength(ids.filter((id) => id < 5).length);
  });

  test('rl: what a person said stays', async () => {
    const episode = await after({ message_ids: [0, 2] });
    expect(resultsAt(episode, 2)).toEqual(['Successfully deleted 2 message(s) from context.']);
    expect(episode.edits[0]?.msgIds).toEqual([2]);
    expect(seenAs(episode, 3)[0]?.content).toContain('Where is it?');
  });

  test.each([
    ['one', { msg_id: 2 }, '{"status": "success", "deleted_msg_id": 2, "deleted_role": "tool"}', [2]],
    [
      'an assistant',
      { msg_id: 1 },
      '{"status": "success", "deleted_msg_id": 1, "deleted_role": "assistant"}',
      [1],
    ],
    [
      'several',
      { message_ids: [1, 2] },
      '{"status": "success", "deleted_msg_ids": [1, 2], "deleted_roles": ["assistant", "tool"]}',
      [1, 2],
    ],
    ['an id that no message has', { msg_id: 99 }, '{"error": "msg_id 99 not found"}', undefined],
    ['nothing', {}, '{"error": "msg_id is required"}', undefined],
    ['the user', { msg_id: -1 }, '{"error": "msg_id -1 is a user message and stays"}', undefined],
  ])('inference: %s', async (_, args, result, ids) => {
    const episode = await after(args, { ...STATELM, dialect: 'inference' });
    expect(resultsAt(episode, 2)).toEqual([result]);
    expect(episode.edits.map(({ msgIds }) => msgIds)).toEqual(ids === undefined ? [] : [ids]);
  });

  test.each(['rl', 'inference'] as const)('%s: wrong types are refused and edit nothing', async (dialect) => {
    for (const args of [
      { message_ids: 'two' },
      { message_ids: [2.5] },
      { msg_id: { n: 2 } },
      '{"message_ids": [',
    ]) {
      const episode = await after(args, { ...STATELM, dialect });
      expect(resultsAt(episode, 2)[0]).toMatch(/^\{"error": /);
      expect(episode.edits).toEqual([]);
      expect(snapshotsOf(episode)).toEqual([]);
    }
  });

  test('several deletes of one turn are one edit and one snapshot', async () => {
    const both = {
      toolCalls: [2, 4].map((id) => ({ name: 'deleteContext', arguments: { message_ids: [id] } })),
    };
    const episode = await run({ script: [read(1), read(2), both, call('finish', { answer: 'x' })] });
    expect(episode.edits).toEqual([{ step: 2, kind: 'delete', msgIds: [2, 4], by: 5 }]);
    expect(snapshotsOf(episode)).toHaveLength(1);
  });

  test('deleting twice changes nothing', async () => {
    const gone = call('deleteContext', { message_ids: [2] });
    const episode = await run({ script: [read(1), gone, gone, call('finish', { answer: 'x' })] });
    expect(seenAs(episode, 3).slice(0, 3)).toEqual(seenAs(episode, 2).slice(0, 3));
    expect(snapshotsOf(episode)).toHaveLength(2);
  });
});

describe('trajectory snapshots', () => {
  const script = [
    call('read', { n: 1 }),
    call('deleteContext', { message_ids: [2] }),
    call('read', { n: 2 }),
    call('deleteContext', { message_ids: [6, 1] }),
    call('finish', { answer: 'x' }),
  ];

  test('hold what was there before the edit', async () => {
    const episode = await run({ script });
    const [first, second] = snapshotsOf(episode);
    expect(first).toMatchObject({ index: 0, step: 1, messageCount: 5 });
    expect(second).toMatchObject({ index: 1, step: 3, messageCount: 9 });
    expect([...deletedAt(episode, 1)]).toEqual([]);
    expect([...deletedAt(episode, 3)]).toEqual([2]);
    expect([...deletedAt(episode, 4)]).toEqual([2, 6, 1]);
    const context = episode.steps[1]?.tokens;
    expect([
      ...(first?.sample.tokens?.promptIds ?? []),
      ...(first?.sample.tokens?.responseIds ?? []),
    ]).toEqual([...(context?.promptIds ?? []), ...(context?.generationIds ?? [])]);
  });

  test('are a position in the log, and cost no copy', async () => {
    const loop = loopOf({ script });
    await runToEnd(loop);
    const answered = loop.log.filter(({ type }) => type === 'answered');
    expect(answered.map((event) => 'edit' in event)).toEqual([false, true, false, true, false]);
    const largest = Math.max(...answered.map((event) => JSON.stringify(event).length));
    expect(largest).toBeLessThan(2_000);
  });

  test('one less than the samples, which carry what the training code expects', async () => {
    const samples = samplesOf(await run({ script }));
    expect(samples.map(({ kind, firstStep, lastStep }) => [kind, firstStep, lastStep])).toEqual([
      ['snapshot', 0, 1],
      ['snapshot', 2, 3],
      ['final', 4, 4],
    ]);
    expect(
      samples.map(({ numTurns, turnScores, toolRewards }) => [numTurns, turnScores, toolRewards]),
    ).toEqual([
      [8, [], [0, 0]],
      [8, [], [0, 0, 0, 0]],
      [8, [], [0, 0, 0, 0, 0]],
    ]);
  });
});

const ones = (episode: Episode, step: number): string[] => {
  const mask = maskAt(episode, step);
  const context = samplesOf(episode).flatMap(({ tokens }) => [...(tokens?.responseIds ?? [])]);
  return (mask?.trained ?? []).map(
    ([start, end]) => textOfIds(Int32Array.from(context.slice(start, end))) ?? '',
  );
};

const emission = (text: string, name: string, args: object, id: number): string =>
  `${text}{"id": "call_${id}", "type": "function", "function": {"name": "${name}", "arguments": ${JSON.stringify(
    JSON.stringify(args),
  )}}}<|im_end|>`;

describe('masking logic', () => {
  const script = [
    call('read', { n: 1 }),
    call('deleteContext', { message_ids: [2] }),
    call('read', { n: 2 }),
    call('finish', { answer: 'x' }),
  ];
  const read = emission('I call read.', 'read', { n: 1 }, 1);
  const drop = emission('I call deleteContext.', 'deleteContext', { message_ids: [2] }, 2);
  const again = emission('I call read.', 'read', { n: 2 }, 3);

  test('normal: emissions are 1, results are 0', async () => {
    const episode = await run({ script });
    expect(ones(episode, 0)).toEqual([]);
    expect(ones(episode, 1)).toEqual([read]);
  });

  test('after a delete all that was before is 0, and what comes is 1 again', async () => {
    const episode = await run({ script });
    expect(ones(episode, 2)).toEqual([]);
    expect(maskAt(episode, 2)?.length).toBeGreaterThan(read.length + drop.length);
    expect(ones(episode, 3)).toEqual([again]);
    expect(samplesOf(episode).map(({ tokens }) => tokens?.trained.length)).toEqual([2, 2]);
  });
});

describe('context length protection with long trajectories', () => {
  test('a re-render that does not fit ends the run; what was emitted by then is kept and trained', async () => {
    const config = { ...STATELM, max_model_length: 4_500, response_length: 2_500 };
    const script = [
      call('read', { long: 1_900 }),
      call('deleteContext', { message_ids: [1] }),
      call('finish', { answer: 'never' }),
    ];
    const episode = await run({ config, script });
    expect(episode.outcome.termination).toBe('context_length_exceeded');
    expect(episode.steps).toHaveLength(2);
    expect(episode.scores?.turnScores).toEqual([{ step: 1, value: -1 }]);
    const [snapshot, final] = samplesOf(episode);
    expect(snapshot?.tokens?.trained).toHaveLength(2);
    expect(final?.tokens?.trained).toEqual([]);
    expect(textOfIds(episode.statelm?.finalIds ?? new Int32Array())).toContain(STUB_TEXT);
  });

  test('deleting what is long keeps a run of three hundred steps within its limit', async () => {
    const config = { ...STATELM, max_model_length: 550_000, response_length: 400_000 };
    const rounds = (script: (round: number) => ReturnType<typeof call>[]) =>
      run({ config, script: [...Array.from({ length: 150 }, (_, round) => script(round)).flat(), ...end] });
    const end = [call('deleteContext', {}), call('finish', { answer: 'x' })];
    const read = call('read', { long: 1_500 });
    const tidy = await rounds((round) => [read, call('deleteContext', { msg_id: 4 * round + 2 })]);
    expect(tidy.outcome.termination).toBe('finish');
    expect(tidy.steps).toHaveLength(302);
    expect(samplesOf(tidy)).toHaveLength(152);
    const untidy = await rounds(() => [read]);
    expect(untidy.outcome.termination).toBe('context_length_exceeded');
    expect(untidy.steps).toHaveLength(151);
  });
});

describe('emission views and turn boundaries', () => {
  test('the view of an emission is the context it was emitted into', async () => {
    const episode = await run({ script: [call('read', { n: 1 }), call('finish', { answer: 'x' })] });
    const [first, second] = episode.steps.map(({ tokens }) =>
      textOfIds(tokens?.promptIds ?? new Int32Array()),
    );
    expect(first).toMatch(/<\/external_memory><\|im_end\|>\n<\|im_start\|>assistant\n$/);
    expect(second).toBe(
      `${first ?? ''}I call read.{"id": "call_1", "type": "function", "function": {"name": "read", "arguments": "{\\"n\\":1}"}}<|im_end|>` +
        '<|im_start|>tool\n{"tool":"read","n":1}<|im_end|>\n<|im_start|>assistant\n',
    );
  });

  test('boundaries follow each other, with the results between them', async () => {
    const episode = await run({
      script: [call('read', { n: 1 }), call('read', { n: 2 }), call('finish', { answer: 'x' })],
    });
    const turns = maskAt(episode, Infinity)?.turns ?? [];
    const lengths = episode.steps.map(({ tokens }) => tokens?.generationIds.length);
    expect(turns.map(([start, end]) => end - start)).toEqual(lengths);
    const result = '<|im_start|>tool\n{"tool":"read","n":1}<|im_end|>\n<|im_start|>assistant\n'.length;
    expect(turns[0]?.[0]).toBe(0);
    expect((turns[1]?.[0] ?? 0) - (turns[0]?.[1] ?? 0)).toBe(result);
  });
});

describe('document_content', () => {
  test('is reached by the tools, and stands in no message of the context', async () => {
    const document = 'The lamp was built by Astrid.';
    const environment = echoEnvironment({
      tools: [{ name: 'searchDocument' }],
      call: (_, { word }) =>
        Promise.resolve({ text: JSON.stringify({ found: document.includes(String(word)) }) }),
    });
    const episode = await run({
      environment,
      script: [call('searchDocument', { word: 'Astrid' }), call('finish', { answer: 'Astrid' })],
    });
    expect(resultsAt(episode, 0)).toEqual(['{"found":true}']);
    expect(JSON.stringify(episode.messages)).not.toContain(document);
  });
});
