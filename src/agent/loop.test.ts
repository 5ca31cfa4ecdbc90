import { describe, expect, test, vi } from 'vitest';
import { messageText, seenAs, type Episode } from '../model';
import { chatMl } from '../tokens';
import { DEFAULT_CONFIG, type LoopConfig } from './config';
import { EnvironmentError } from './environment';
import type { LoopEvent } from './events';
import { foldEpisode } from './fold';
import { call, characters, echoEnvironment, loopOf, runToEnd, STATELM, toyTemplate } from './loop.fixtures';
import type { Loop } from './loop';
import { manualPolicy } from './policies/manual';
import { PolicyError, type Emission } from './policy';

const finish = call('finish', { answer: 'x' });

function statesOf(log: readonly LoopEvent[]): string[] {
  return log.flatMap((event) => ('next' in event ? [`${event.type} > ${event.next}`] : [event.type]));
}

async function advanceTo(loop: Loop, type: LoopEvent['type']): Promise<void> {
  while (loop.log.at(-1)?.type !== type && !loop.done) await loop.advance();
}

function resultsOf(episode: Episode): string[] {
  return episode.messages.filter(({ role }) => role === 'tool').map(messageText);
}

describe('the state machine', () => {
  test('makes one transition at a time, in the order of the specification', async () => {
    const loop = loopOf({
      script: [call('read', { n: 1 }), call('deleteContext', { message_ids: [2] }), finish],
    });
    expect([loop.state, loop.step, loop.done]).toEqual(['PENDING', 0, false]);
    await runToEnd(loop);
    expect(statesOf(loop.log)).toEqual([
      'started > PENDING',
      'seeded > PENDING',
      'rendered > GENERATING',
      'emitted > PROCESSING_TOOLS',
      'answered > GENERATING',
      'emitted > PROCESSING_TOOLS',
      'answered > PENDING',
      'rendered > GENERATING',
      'emitted > PROCESSING_TOOLS',
      'answered > TERMINATED',
      'verified > TERMINATED',
    ]);
    expect([loop.state, loop.step, loop.done]).toEqual(['TERMINATED', 3, true]);
    await expect(loop.advance()).resolves.toEqual([]);
  });

  test('renders before every call in the inference dialect', async () => {
    const loop = loopOf({ config: { ...STATELM, dialect: 'inference' }, script: [call('read'), finish] });
    await runToEnd(loop);
    expect(statesOf(loop.log).filter((state) => state === 'rendered > GENERATING')).toHaveLength(2);
    expect(statesOf(loop.log)).toContain('answered > PENDING');
  });

  test('does not let two transitions overlap', async () => {
    const loop = loopOf({ script: [finish] });
    const first = loop.advance();
    const second = loop.advance();
    expect(() => loop.stop()).toThrow('under way');
    expect(() => loop.amend({ kind: 'observed' })).toThrow('in the middle');
    await expect(second).rejects.toThrow('in the middle');
    await first;
  });

  test('keeps the episode until something happens', async () => {
    const loop = loopOf({ script: [finish] });
    const before = loop.episode;
    expect(loop.episode).toBe(before);
    await loop.advance();
    expect(loop.episode).not.toBe(before);
  });

  test('an environment can answer with user turns', async () => {
    let turns = 0;
    const environment = echoEnvironment({
      interact: () => Promise.resolve({ text: `Turn ${++turns}.`, reward: turns / 4, done: turns === 2 }),
    });
    const loop = loopOf({
      environment,
      script: [{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }],
    });
    const episode = await runToEnd(loop);
    expect(statesOf(loop.log)).toContain('emitted > INTERACTING');
    expect(episode.messages.map((message) => [message.msgId, message.role, messageText(message)])).toEqual([
      [0, 'user', 'Where is it?'],
      [1, 'assistant', 'First.'],
      [2, 'user', 'Turn 1.'],
      [3, 'assistant', 'Second.'],
      [4, 'user', 'Turn 2.'],
    ]);
    expect(episode.outcome.termination).toBe('interaction_done');
    expect(episode.scores).toMatchObject({
      numTurns: 5,
      turnScores: [
        { step: 0, value: 0.25 },
        { step: 1, value: 0.5 },
      ],
    });
  });
});

const endOf = async (config: Partial<LoopConfig>, script = [call('read'), call('read'), finish]) => {
  const episode = await runToEnd(
    loopOf({ config: { ...STATELM, ...config }, script, template: toyTemplate }),
  );
  return {
    termination: episode.outcome.termination,
    steps: episode.steps.length,
    unfinished: episode.steps.at(-1)?.unfinished,
    results: resultsOf(episode).length,
  };
};

describe('limits', () => {
  test('turns of the assistant: the last emission stays, marked, and its calls are not run', async () => {
    const termination = 'max_assistant_turns';
    const expected = { termination, steps: 2, unfinished: termination, results: 1 };
    await expect(endOf({ max_assistant_turns: 2 })).resolves.toEqual(expected);
    // Both are used up: the assistant's come first.
    await expect(endOf({ max_assistant_turns: 2, max_user_turns: 1 })).resolves.toEqual(expected);
  });

  test('turns of the user: rounds of results', async () => {
    const termination = 'max_user_turns';
    await expect(endOf({ max_user_turns: 1 })).resolves.toEqual({
      termination,
      steps: 2,
      unfinished: termination,
      results: 1,
    });
  });

  test('a delete is no turn of the user', async () => {
    const script = [call('deleteContext', {}), call('deleteContext', {}), call('deleteContext', {}), finish];
    await expect(endOf({ max_user_turns: 1 }, script)).resolves.toMatchObject({
      termination: 'finish',
      steps: 4,
    });
  });

  test('response length, after an emission and after results, at exactly the limit', async () => {
    const script = [call('read'), finish];
    const { steps } = await runToEnd(loopOf({ script, template: toyTemplate }));
    const [first, second] = steps.map(({ tokens }) => tokens);
    const emitted = first?.generationIds.length ?? 0;
    const answered = (second?.promptIds.length ?? 0) - (first?.promptIds.length ?? 0);
    const at = async (response_length: number) => {
      const end = await endOf({ response_length }, script);
      expect(end.termination).toBe('response_length');
      return [end.steps, end.unfinished, end.results];
    };
    await expect(at(emitted)).resolves.toEqual([1, 'response_length', 0]);
    await expect(at(emitted + 1)).resolves.toEqual([1, undefined, 1]);
    await expect(at(answered)).resolves.toEqual([1, undefined, 1]);
    await expect(at(answered + 1)).resolves.toEqual([2, 'response_length', 1]);
  });

  test('response length counts over an edit', async () => {
    const script = [call('read', { long: 500 }), call('deleteContext', { msg_id: 2 }), call('read'), finish];
    const whole = await endOf({ response_length: 1_500 }, script);
    expect(whole.termination).toBe('finish');
    await expect(endOf({ response_length: 1_000 }, script)).resolves.toMatchObject({
      termination: 'response_length',
      steps: 4,
    });
  });
});

const cutTo = async (side: LoopConfig['tool_response_truncate_side'], text: string) => {
  const config = { ...STATELM, max_tool_response_length: 5, tool_response_truncate_side: side };
  const script = [call('read', { text }), call('deleteContext', { message_ids: [1] }), finish];
  return runToEnd(loopOf({ config, script }));
};

describe('calls', () => {
  test('more than max_parallel_calls are left out, and the episode says so', async () => {
    const toolCalls = [1, 2, 3, 4, 5].map((n) => ({ name: 'read', arguments: { n } }));
    const episode = await runToEnd(loopOf({ script: [{ toolCalls }, finish] }));
    expect(resultsOf(episode).slice(0, 3)).toEqual([1, 2, 3].map((n) => `{"tool":"read","n":${n}}`));
    expect(
      episode.messages.filter(({ bornAtStep, role }) => bornAtStep === 0 && role === 'tool'),
    ).toHaveLength(3);
    expect(episode.messages[1]?.parts ?? []).toHaveLength(5);
    expect(episode.gaps).toEqual([
      {
        about: 'results',
        step: 0,
        reason: '2 of the 5 calls of this turn were not run: max_parallel_calls is 3.',
      },
    ]);
  });

  test('run at the same time, and are answered in their order', async () => {
    const order: string[] = [];
    const environment = echoEnvironment({
      call: async (_, { n, wait }) => {
        await new Promise((done) => setTimeout(done, Number(wait)));
        order.push(String(n));
        return { text: String(n) };
      },
    });
    const script = [
      { toolCalls: [30, 5].map((wait, n) => ({ name: 'read', arguments: { n, wait } })) },
      finish,
    ];
    const episode = await runToEnd(loopOf({ environment, script }));
    expect(resultsOf(episode).slice(0, 2)).toEqual(['0', '1']);
    expect(order).toEqual(['1', '0']);
    order.length = 0;
    await runToEnd(loopOf({ environment: { ...environment, parallel: false }, script }));
    expect(order).toEqual(['0', '1']);
  });

  test('both results of a turn name the assistant that called', async () => {
    const toolCalls = [1, 2].map((n) => ({ name: 'read', arguments: { n } }));
    const episode = await runToEnd(loopOf({ script: [{ toolCalls }, finish] }));
    expect(episode.messages.map(({ msgId, invokedBy }) => [msgId, invokedBy])).toEqual([
      [0, undefined],
      [1, undefined],
      [2, 1],
      [3, 1],
      [4, undefined],
      [5, 4],
    ]);
  });

  test.each([
    ['an unknown tool', { name: 'nobody', arguments: '{}' }, `{"error": "Unknown tool 'nobody'."}`],
    [
      'broken JSON',
      { name: 'read', arguments: '{"n": ' },
      /^\{"error": "The arguments of read are not JSON: /,
    ],
    [
      'no object',
      { name: 'read', arguments: '[1]' },
      '{"error": "The arguments of read are not a JSON object."}',
    ],
    ['no arguments at all', { name: 'read', arguments: '' }, '{"tool":"read"}'],
    [
      'arguments nested too deeply',
      { name: 'checkBudget', arguments: `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}` },
      /conv_rounds/,
    ],
  ])('%s is a result that the model reads', async (_, made, expected) => {
    const loop = loopOf({
      script: [{ toolCalls: [made] }, finish],
      config: { ...STATELM, response_length: 900_000, max_model_length: 2_000_000 },
    });
    const episode = await runToEnd(loop);
    expect(resultsOf(episode)[0]).toEqual(
      expect.stringMatching(typeof expected === 'string' ? escaped(expected) : expected),
    );
    expect(episode.outcome.termination).toBe('finish');
  });

  test('an environment that does not answer ends the run, with what the other calls brought', async () => {
    const exchange = {
      step: 0,
      purpose: 'call' as const,
      request: { method: 'POST', url: '/read', headers: [] },
    };
    const environment = echoEnvironment({
      call: (tool) =>
        tool === 'fail'
          ? Promise.reject(
              new EnvironmentError('no route', { exchanges: [{ ...exchange, error: 'no route' }] }),
            )
          : Promise.resolve({
              text: 'ok',
              exchanges: [exchange],
              states: [{ step: 0, exchange: 0, value: 1 }],
            }),
    });
    const script = [{ toolCalls: ['fail', 'read'].map((name) => ({ name, arguments: {} })) }, finish];
    const loop = loopOf({ environment, script });
    const episode = await runToEnd(loop);
    expect(episode.outcome).toMatchObject({ termination: 'environment_error', error: 'no route' });
    expect(resultsOf(episode)).toEqual(['ok']);
    expect(episode.exchanges).toHaveLength(2);
    expect(episode.states).toEqual([{ step: 0, exchange: 1, value: 1 }]);

    // Taken up again before the calls, once the environment is there.
    const there = echoEnvironment({ call: () => Promise.resolve({ text: 'ok' }) });
    const mended = loopOf({ script, environment: there, log: loop.log.slice(0, -1) });
    expect((await runToEnd(mended)).outcome.termination).toBe('finish');
    expect(mended.log.slice(0, 4)).toEqual(loop.log.slice(0, 4));
  });

  test('long results are cut as the configuration says; what the loop itself says never is', async () => {
    const text = '123456😀';
    await expect(cutTo('left', text).then(resultsOf)).resolves.toContain('12345...(truncated)');
    await expect(cutTo('right', text).then(resultsOf)).resolves.toContain('(truncated)...3456😀');
    const episode = await cutTo('middle', text);
    expect(resultsOf(episode)[0]).toBe('12...(truncated)...6😀');
    expect(resultsOf(episode)[1]).toBe('Successfully deleted 1 message(s) from context.');
    expect(episode.gaps).toEqual([
      {
        about: 'results',
        step: 0,
        msgId: 2,
        reason: 'This result had 7 characters; max_tool_response_length let 5 through.',
      },
    ]);
    const short = await cutTo('middle', '1234😀');
    expect(resultsOf(short)[0]).toBe('1234😀');
  });

  test('a note that was taken counts, also where its result was cut', async () => {
    const config = { ...STATELM, max_tool_response_length: 4 };
    const script = [
      call('note', { key: 'a', summary: 's', content: 'c' }),
      call('deleteContext', { message_ids: [1] }),
      finish,
    ];
    const episode = await runToEnd(loopOf({ config, script }));
    expect(seenAs(episode, 2)[0]?.content).toContain('- **a**: s');
  });
});

describe('context tools', () => {
  test('checkBudget counts this round, and what is left of the context', async () => {
    const config = { ...STATELM, max_assistant_turns: 50 };
    const episode = await runToEnd(loopOf({ config, script: [call('read'), call('checkBudget'), finish] }));
    const { promptIds, generationIds } = episode.steps[1]?.tokens ?? {};
    const used = (promptIds?.length ?? 0) + (generationIds?.length ?? 0);
    expect(resultsOf(episode)[1]).toBe(
      `{"conv_rounds": 2, "available_tokens": ${100_000 - used}, "available_rounds": 48}`,
    );
  });

  test('getContextStats tells every message, its tokens, and whether it was deleted', async () => {
    const script = [
      call('read', { long: 90 }),
      call('deleteContext', { message_ids: [2] }),
      call('getContextStats'),
      finish,
    ];
    const episode = await runToEnd(loopOf({ script }));
    const stats: unknown = JSON.parse(resultsOf(episode)[2] ?? '');
    expect(stats).toMatchObject({
      total_messages: 6,
      deleted_messages: 1,
      messages: [
        { msg_id: 0, role: 'user', deleted: false },
        { msg_id: 1, role: 'assistant', deleted: false },
        { msg_id: 2, role: 'tool', tool_name: 'read', deleted: true },
        { msg_id: 3, role: 'assistant' },
        { msg_id: 4, role: 'tool' },
        { msg_id: 5, role: 'assistant' },
      ],
    });
  });

  test.each([
    [{ answer: 'x' }, '{"final_answer": "x"}', 'finish'],
    [{}, '{"error": "answer is required"}', 'policy_error'],
    [{ answer: ['x'] }, '{"error": "answer must be text"}', 'policy_error'],
  ])('finish with %j', async (args, result, termination) => {
    const episode = await runToEnd(loopOf({ script: [call('finish', args)] }));
    expect(resultsOf(episode)).toEqual([result]);
    expect(episode.outcome.termination).toBe(termination);
  });

  test('a tool of the environment comes before one of the loop with its name', async () => {
    const environment = echoEnvironment({
      tools: [{ name: 'finish' }],
      call: () => Promise.resolve({ text: 'not yet' }),
    });
    const episode = await runToEnd(loopOf({ environment, script: [finish, { text: 'So be it.' }] }));
    expect(resultsOf(episode)).toEqual(['not yet']);
    expect(episode.outcome.termination).toBe('no_tool_call');
  });
});

describe('ends', () => {
  test('a policy that fails: everything is kept, nothing is verified', async () => {
    const verify = vi.fn(() => Promise.resolve({ reward: 1 }));
    const loop = loopOf({ script: [call('read')], environment: echoEnvironment({ verify }) });
    const episode = await runToEnd(loop);
    expect(episode.outcome).toEqual({
      components: {},
      termination: 'policy_error',
      error: 'The script has 1 emissions, and this would be number 2.',
    });
    expect(episode.steps).toHaveLength(1);
    expect(verify).not.toHaveBeenCalled();
  });

  test('a policy that breaks off: what had arrived stays, marked', async () => {
    const partial: Emission = { text: 'I was about to', toolCalls: [] };
    const policy = { name: 'frail', emit: () => Promise.reject(new PolicyError('gone', partial)) };
    const episode = await runToEnd(loopOf({ policy }));
    expect(episode.messages.at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: 'I was about to' }] });
    expect(episode.steps[0]).toMatchObject({ unfinished: 'policy_error' });
    expect(episode.outcome).toMatchObject({ termination: 'policy_error', error: 'gone' });
  });

  test('stopped between transitions, and in the middle of an emission', async () => {
    const between = loopOf({ script: [call('read'), finish] });
    await advanceTo(between, 'answered');
    between.stop();
    expect(between.episode.outcome.termination).toBe('stopped');
    expect(between.episode.messages).toHaveLength(3);
    expect(between.done).toBe(true);

    const manual = manualPolicy();
    const within = loopOf({ policy: manual });
    await advanceTo(within, 'rendered');
    const stopping = new AbortController();
    const advanced = within.advance({ signal: stopping.signal });
    stopping.abort();
    await advanced;
    expect(within.episode.outcome.termination).toBe('stopped');
    expect(manual.waiting).toBeUndefined();
  });

  test('stopped while calls run: those that were answered keep their results', async () => {
    const stopping = new AbortController();
    const environment = echoEnvironment({
      call: (_, { n }, { signal }) =>
        n === 1
          ? Promise.resolve({ text: 'one' })
          : new Promise((_done, fail) => {
              signal.addEventListener('abort', () => fail(new Error('aborted')));
              stopping.abort();
            }),
    });
    const script = [{ toolCalls: [1, 2].map((n) => ({ name: 'read', arguments: { n } })) }];
    const loop = loopOf({ environment, script });
    while (!loop.done) await loop.advance({ signal: stopping.signal });
    expect(resultsOf(loop.episode)).toEqual(['one']);
    expect(loop.episode.outcome.termination).toBe('stopped');
  });

  test('a seed that is refused, or not answered', async () => {
    const refused = echoEnvironment({ seed: () => Promise.resolve({ error: '422' }) });
    const away = echoEnvironment({ seed: () => Promise.reject(new Error('away')) });
    for (const [environment, error] of [
      [refused, '422'],
      [away, 'away'],
    ] as const) {
      const episode = await runToEnd(loopOf({ environment }));
      expect(episode.outcome).toMatchObject({ termination: 'environment_error', error });
    }
  });

  test('a template that fails', async () => {
    const template = {
      id: 'broken',
      name: 'broken',
      render: () => {
        throw new Error('roles must alternate');
      },
    };
    const episode = await runToEnd(loopOf({ template }));
    expect(episode.outcome).toMatchObject({ termination: 'template_error', error: 'roles must alternate' });
  });

  test.each([
    [
      { reward: 0.5, components: { a: 0.5 }, verdict: 'half' },
      { reward: 0.5, components: { a: 0.5 }, verdict: 'half' },
    ],
    [{ reward: NaN }, { noReward: 'not-a-number', components: {} }],
    [{ error: 'no verifier' }, { components: {}, error: 'no verifier' }],
  ])('verified: %j', async (answer, outcome) => {
    const environment = echoEnvironment({ verify: () => Promise.resolve(answer) });
    const episode = await runToEnd(loopOf({ environment, script: [finish] }));
    expect(episode.outcome).toEqual({ termination: 'finish', ...outcome });
  });
});

describe('amendments', () => {
  test('an emission is replaced before its calls are run', async () => {
    const loop = loopOf({ script: [call('read', { n: 1 }), finish] });
    await advanceTo(loop, 'emitted');
    const before = loop.episode;
    loop.amend({
      kind: 'emission',
      emission: { text: 'Rather this.', toolCalls: [{ name: 'read', arguments: '{"n":2}' }] },
    });
    expect(loop.state).toBe('PROCESSING_TOOLS');
    const episode = await runToEnd(loop);
    expect(resultsOf(episode)[0]).toBe('{"tool":"read","n":2}');
    expect(episode.messages[1]).toMatchObject({
      msgId: 1,
      edited: true,
      parts: [{ text: 'Rather this.' }, {}],
    });
    expect(episode.metrics['messages_edited_by_hand']).toBe(1);
    // What it was stays in the log, and in the episode that was taken before.
    expect(messageText(before.messages[1] ?? { parts: [] })).toContain('I call read.');
    expect(JSON.stringify(loop.log)).toContain('I call read.');
    expect(foldEpisode(loop.log)).toEqual(episode);
  });

  test('an emission without calls ends the run, and one with calls takes the end back', async () => {
    const loop = loopOf({ script: [{ text: 'Done.' }, finish] });
    await advanceTo(loop, 'emitted');
    expect(loop.state).toBe('TERMINATED');
    loop.amend({
      kind: 'emission',
      emission: { text: 'Not yet.', toolCalls: [{ name: 'read', arguments: '{}' }] },
    });
    expect(loop.state).toBe('PROCESSING_TOOLS');
    expect(loop.episode.outcome).not.toHaveProperty('termination');
    loop.amend({ kind: 'emission', emission: { text: 'Done after all.', toolCalls: [] } });
    expect(loop.state).toBe('TERMINATED');
  });

  test('results are replaced by position, with the notes that follow from them', async () => {
    const script = [
      {
        toolCalls: [
          { name: 'read', arguments: { n: 1 } },
          { name: 'note', arguments: { key: 'a', summary: 's', content: 'c' } },
        ],
      },
      call('deleteContext', { message_ids: [2] }),
      finish,
    ];
    const loop = loopOf({ script });
    await advanceTo(loop, 'answered');
    loop.amend({ kind: 'results', texts: new Map([[1, '{"error": "full"}']]) });
    expect(loop.state).toBe('GENERATING');
    const episode = await runToEnd(loop);
    expect(resultsOf(episode).slice(0, 2)).toEqual(['{"tool":"read","n":1}', '{"error": "full"}']);
    expect(episode.messages.map(({ edited }) => edited === true)).toEqual([
      false,
      false,
      false,
      true,
      ...Array<boolean>(4).fill(false),
    ]);
    expect(episode.notes).toEqual([]);
    expect(seenAs(episode, 2)[0]?.content).toContain('No notes recorded.');
    expect(foldEpisode(loop.log)).toEqual(episode);
  });

  test('amended twice, the last one holds', async () => {
    const loop = loopOf({ script: [call('read'), finish] });
    await advanceTo(loop, 'answered');
    loop.amend({ kind: 'results', texts: new Map([[0, 'one']]) });
    loop.amend({ kind: 'results', texts: new Map([[0, 'two']]) });
    expect(resultsOf(await runToEnd(loop))[0]).toBe('two');
  });

  test('a state that a person set is kept in its place', async () => {
    const exchange = {
      step: 0,
      purpose: 'other' as const,
      request: { method: 'PUT', url: '/state', headers: [] },
    };
    const loop = loopOf({ script: [call('read'), finish] });
    await advanceTo(loop, 'answered');
    loop.amend({
      kind: 'observed',
      exchanges: [exchange],
      states: [{ step: 0, exchange: 0, value: 7, edited: true }],
    });
    loop.amend({
      kind: 'observed',
      exchanges: [exchange],
      states: [{ step: 0, exchange: 0, value: 8, edited: true }],
    });
    loop.amend({ kind: 'results', texts: new Map([[0, 'changed']]) });
    expect(loop.episode.states?.map(({ exchange: index, value }) => [index, value])).toEqual([
      [0, 7],
      [1, 8],
    ]);
    expect(resultsOf(loop.episode)).toEqual(['changed']);
  });

  test('only what happened last can be changed', async () => {
    const loop = loopOf({ script: [call('read'), finish] });
    await advanceTo(loop, 'rendered');
    expect(() => loop.amend({ kind: 'emission', emission: { text: '', toolCalls: [] } })).toThrow(
      'not an emission',
    );
    expect(() => loop.amend({ kind: 'results', texts: new Map() })).toThrow('not the results');
  });
});

describe('tokens', () => {
  test('those that the policy gives are kept as they are, with their log-probabilities', async () => {
    const emissions: Emission[] = [
      { text: 'a', toolCalls: [{ name: 'read', arguments: '{}' }], tokenIds: [97, 10], logprobs: [-1, -2] },
      { text: 'b', toolCalls: [], tokenIds: [98.5], logprobs: [-1] },
    ];
    const policy = {
      name: 'tokens',
      emit: ({ step }: { step: number }) => Promise.resolve(emissions[step] ?? { text: '', toolCalls: [] }),
    };
    const { steps } = await runToEnd(loopOf({ policy }));
    expect([...(steps[0]?.tokens?.generationIds ?? [])]).toEqual([97, 10]);
    expect([...(steps[0]?.tokens?.logprobs ?? [])]).toEqual([-1, -2]);
    expect(steps[1]?.tokens?.logprobs).toBeUndefined();
    expect([...(steps[1]?.tokens?.generationIds ?? [])]).toEqual([...characters.encode('b<|im_end|>')]);
  });

  test('a log goes on only with the tokenizer and template it was written with', () => {
    const { log } = loopOf({ config: DEFAULT_CONFIG });
    expect(() => loopOf({ log, template: toyTemplate })).toThrow('written with characters and chatml');
    expect(loopOf({ log, template: chatMl, config: STATELM }).episode).not.toHaveProperty('statelm');
  });
});

function escaped(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}
