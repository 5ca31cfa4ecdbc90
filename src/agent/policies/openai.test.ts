import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../model';
import { echoEnvironment, loopOf, runToEnd, STATELM } from '../loop.fixtures';
import { PolicyError, type PolicyRequest } from '../policy';
import { chunk, json, openEndpoint, streamed, type Endpoint } from './endpoint.fixtures';
import { openAiPolicy, type OpenAiOptions } from './openai';
import { answerable } from './openai-chat';
import { serverSentEvents } from './sse';

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await openEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.requests.length = 0;
});

const KEY = 'sk-very-secret-1234567890';

function policyWith(given: Partial<OpenAiOptions> = {}) {
  return openAiPolicy({
    baseUrl: endpoint.url,
    model: 'tiny',
    apiKey: KEY,
    backoffMs: 1,
    timeoutMs: 5_000,
    ...given,
  });
}

function requestOf(given: Partial<PolicyRequest> = {}): PolicyRequest {
  return {
    messages: [{ role: 'user', content: 'Where is it?' }],
    tools: [{ name: 'read', description: 'Read.', parameters: { type: 'object', properties: {} } }],
    step: 0,
    signal: new AbortController().signal,
    ...given,
  };
}

const chatEvents = [
  chunk({ role: 'assistant', reasoning_content: 'hm ' }),
  chunk({ content: 'Ich lese — 読む ' }),
  chunk({ content: '😀.' }),
  chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'read', arguments: '' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"n"' } }] }),
  chunk({ tool_calls: [{ index: 1, id: 'c2', function: { name: 'read', arguments: '{"n": 2}' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: ': 1}' } }] }),
  chunk({}, { finish_reason: 'tool_calls' }),
  { model: 'tiny-1', choices: [], usage: { prompt_tokens: 12, completion_tokens: 34 } },
  '[DONE]',
];

const wholeTurn = {
  text: 'Ich lese — 読む 😀.',
  reasoning: 'hm ',
  toolCalls: [
    { callId: 'c1', name: 'read', arguments: '{"n": 1}' },
    { callId: 'c2', name: 'read', arguments: '{"n": 2}' },
  ],
  usage: { promptTokens: 12, completionTokens: 34 },
  model: 'tiny-1',
};

describe('chat completions', () => {
  test.each([1, 3, 1000])('are read from a stream in pieces of %i bytes', async (size) => {
    endpoint.answer(streamed(chatEvents, { size, lineBreak: size === 3 ? '\r\n' : '\n' }));
    const pieces: string[] = [];
    const emission = await policyWith().emit(requestOf({ onDelta: (text) => pieces.push(text) }));
    expect(emission).toEqual(wholeTurn);
    expect(pieces).toEqual(['Ich lese — 読む ', '😀.']);
    expect(endpoint.requests).toEqual([
      {
        path: '/v1/chat/completions',
        key: `Bearer ${KEY}`,
        body: {
          model: 'tiny',
          messages: [{ role: 'user', content: 'Where is it?' }],
          tools: [
            {
              type: 'function',
              function: {
                name: 'read',
                description: 'Read.',
                parameters: { type: 'object', properties: {} },
              },
            },
          ],
          stream: true,
          stream_options: { include_usage: true },
        },
      },
    ]);
  });

  test('are read whole where the endpoint does not stream', async () => {
    const { text: content, reasoning: reasoning_content, toolCalls, model } = wholeTurn;
    const tool_calls = toolCalls.map(({ callId, ...call }) => ({
      id: callId,
      type: 'function',
      function: call,
    }));
    endpoint.answer(
      json(200, {
        model,
        choices: [
          {
            message: { role: 'assistant', content, reasoning_content, tool_calls },
            finish_reason: 'tool_calls',
          },
        ],
        usage: { prompt_tokens: 12, completion_tokens: 34 },
      }),
    );
    await expect(policyWith().emit(requestOf())).resolves.toEqual(wholeTurn);
    await expect(
      policyWith({ stream: false, parameters: { temperature: 0 } }).emit(requestOf()),
    ).resolves.toEqual(wholeTurn);
    expect(endpoint.requests[1]?.body).toMatchObject({ temperature: 0 });
    expect(endpoint.requests[1]?.body).not.toHaveProperty('stream');
  });

  test('give ids and log-probabilities where the endpoint has them, and say when they were cut off', async () => {
    endpoint.answer(
      streamed([
        chunk(
          { content: 'ab' },
          { token_ids: [1, 2], logprobs: { content: [{ logprob: -0.5 }, { logprob: -1 }] } },
        ),
        chunk({}, { finish_reason: 'length' }),
      ]),
    );
    await expect(policyWith().emit(requestOf())).resolves.toMatchObject({
      text: 'ab',
      tokenIds: [1, 2],
      logprobs: [-0.5, -1],
      unfinished: 'length',
    });
  });
});

describe('responses', () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"n": 1}' };
  const response = {
    model: 'tiny-1',
    status: 'completed',
    output: [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Ich lese — 読む.' }] },
      call,
    ],
    usage: { input_tokens: 12, output_tokens: 34 },
  };
  const turn = {
    text: 'Ich lese — 読む.',
    reasoning: 'hm',
    toolCalls: [{ callId: 'c1', name: 'read', arguments: '{"n": 1}' }],
    usage: { promptTokens: 12, completionTokens: 34 },
    model: 'tiny-1',
  };

  test('are read from a stream', async () => {
    endpoint.answer(
      streamed([
        { type: 'response.created', response: { status: 'in_progress', error: null } },
        { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'hm' },
        { type: 'response.output_text.delta', output_index: 1, delta: 'Ich lese ' },
        { type: 'response.output_text.delta', output_index: 1, delta: '— 読む.' },
        { type: 'response.output_item.added', output_index: 2, item: { ...call, arguments: '' } },
        { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"n": ' },
        { type: 'response.function_call_arguments.delta', output_index: 2, delta: '1}' },
        { type: 'response.output_item.done', output_index: 2, item: call },
        { type: 'response.completed', response: { ...response, error: null } },
      ]),
    );
    await expect(policyWith({ api: 'responses' }).emit(requestOf())).resolves.toEqual(turn);
    expect(endpoint.requests[0]).toMatchObject({
      path: '/v1/responses',
      body: {
        input: [{ type: 'message', role: 'user', content: 'Where is it?' }],
        store: false,
        stream: true,
      },
    });
  });

  test('are read whole, and asked for by the path of the address alone', async () => {
    endpoint.answer(json(200, response));
    const baseUrl = `${endpoint.url}/responses/`;
    await expect(policyWith({ baseUrl, stream: false }).emit(requestOf())).resolves.toEqual(turn);
    expect(endpoint.requests[0]?.path).toBe('/v1/responses');
  });

  test('send calls and results as items', async () => {
    endpoint.answer(json(200, response));
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Where?' },
      {
        role: 'assistant',
        content: 'I read.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', content: '{"n": 1}' },
    ];
    await policyWith({ api: 'responses' }).emit(requestOf({ messages }));
    expect(endpoint.requests[0]?.body).toMatchObject({
      input: [
        { type: 'message', role: 'user', content: 'Where?' },
        { type: 'message', role: 'assistant', content: 'I read.' },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '{"n": 1}' },
      ],
    });
  });
});

async function failureOf(given: Partial<OpenAiOptions> = {}, request = requestOf()): Promise<PolicyError> {
  const error: unknown = await policyWith(given)
    .emit(request)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  if (!(error instanceof PolicyError)) throw new Error('did not fail as a policy does');
  return error;
}

describe('what goes wrong', () => {
  const half = [
    chunk({ content: 'I was ' }),
    chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'read', arguments: '{"n' } }] }),
  ];
  const partial = { text: 'I was ', toolCalls: [{ callId: 'c1', name: 'read', arguments: '{"n' }] };

  test('a busy endpoint is asked again, and the turn says so', async () => {
    endpoint.answer(
      json(429, { error: { message: 'slow down' } }, { 'retry-after': '0' }),
      json(503, 'away'),
      streamed(chatEvents),
    );
    await expect(policyWith().emit(requestOf())).resolves.toEqual({
      ...wholeTurn,
      retries: [
        'Try 1 failed: The endpoint answered 429: slow down',
        'Try 2 failed: The endpoint answered 503: "away"',
      ],
    });
  });

  test('but not for ever, and not where asking again would not help', async () => {
    endpoint.answer(json(500, { error: 'broken' }));
    expect((await failureOf({ retries: 1 })).message).toBe('The endpoint answered 500: broken');
    expect(endpoint.requests).toHaveLength(2);
    endpoint.answer(json(400, { error: { message: 'no such model' } }));
    expect((await failureOf()).message).toBe('The endpoint answered 400: no such model');
    expect(endpoint.requests).toHaveLength(3);
  });

  test('an error in the stream keeps what had arrived, and is not tried again', async () => {
    endpoint.answer(streamed([...half, { error: { message: 'out of memory' } }]));
    const error = await failureOf();
    expect(error.message).toBe('The endpoint reports: out of memory');
    expect(error.partial).toMatchObject(partial);
    expect(endpoint.requests).toHaveLength(1);
  });

  test.each([
    ['that ends too early', streamed(half), 'The stream ended in the middle of the turn.'],
    ['that is not JSON', streamed([...half, 'oops']), 'The stream has an event that is not JSON.'],
  ])('a stream %s', async (_, answer, message) => {
    endpoint.answer(answer);
    const error = await failureOf();
    expect(error.message).toBe(message);
    expect(error.partial).toMatchObject(partial);
  });

  test('a connection that breaks off', async () => {
    endpoint.answer(async (response, request) => {
      await streamed(half, { end: false })(response, request);
      setTimeout(() => response.destroy(), 20);
    });
    const error = await failureOf();
    expect(error.partial).toMatchObject(partial);
  });

  test('an endpoint that falls silent, before and within the turn', async () => {
    endpoint.answer(() => {});
    expect((await failureOf({ timeoutMs: 30, retries: 1 })).message).toBe('Nothing arrived for 0.03 s.');
    expect(endpoint.requests).toHaveLength(2);
    endpoint.answer(streamed(half, { end: false, size: 1000 }));
    const error = await failureOf({ timeoutMs: 100 });
    expect(error.message).toBe('Nothing arrived for 0.1 s.');
    expect(error.partial).toMatchObject(partial);
  });

  test('nobody there', async () => {
    expect((await failureOf({ baseUrl: 'http://127.0.0.1:1/v1', retries: 0 })).message).toMatch(
      /^The endpoint could not be reached: /,
    );
  });

  test('stopped while it streams: the run keeps the half turn', async () => {
    endpoint.answer(streamed(half, { end: false, size: 1000 }));
    const loop = loopOf({ policy: policyWith() });
    const stopping = new AbortController();
    while (!loop.done) {
      await loop.advance({ signal: stopping.signal, onDelta: () => setTimeout(() => stopping.abort(), 20) });
    }
    expect(loop.episode.outcome.termination).toBe('stopped');
    expect(loop.episode.steps[0]?.unfinished).toBe('stopped');
    expect(loop.episode.messages.at(-1)?.parts[0]).toEqual({ kind: 'text', text: 'I was ' });
  });
});

describe('the key', () => {
  test('stands in no error, event, episode or text of the policy', async () => {
    endpoint.answer(json(401, { error: { message: `Incorrect API key provided: ${KEY}` } }));
    const policy = policyWith();
    const loop = loopOf({ policy });
    const episode = await runToEnd(loop);
    expect(episode.outcome.error).toBe('The endpoint answered 401: Incorrect API key provided: [key]');
    const told = [
      JSON.stringify(loop.log),
      JSON.stringify(policy),
      inspect(policy, { depth: null }),
      JSON.stringify(episode.outcome),
    ];
    expect(told.filter((text) => text.includes(KEY))).toEqual([]);
  });

  test('that cannot be sent is not quoted either', async () => {
    const apiKey = 'sk-geheim\nx';
    await expect(policyWith({ apiKey }).emit(requestOf())).rejects.toThrow('characters that no key can have');
    await expect(policyWith({ apiKey }).emit(requestOf())).rejects.not.toThrow('geheim');
  });
});

const toolCall = (id: string, name: string, args: object) =>
  chunk({ tool_calls: [{ index: 0, id, function: { name, arguments: JSON.stringify(args) } }] });

test('a whole run: what is sent is what the episode shows, with results paired to their calls', async () => {
  const done = chunk({}, { finish_reason: 'tool_calls' });
  endpoint.answer(
    streamed([chunk({ content: 'I read.' }), toolCall('a', 'read', { n: 1 }), done, '[DONE]']),
    streamed([toolCall('b', 'deleteContext', { message_ids: [2] }), done, '[DONE]']),
    streamed([toolCall('c', 'finish', { answer: 'here' }), done, '[DONE]']),
  );
  const episode = await runToEnd(
    loopOf({ policy: policyWith(), config: STATELM, environment: echoEnvironment() }),
  );
  expect(episode).toMatchObject({ model: 'tiny-1', outcome: { termination: 'finish', reward: 1 } });
  expect(endpoint.requests[2]?.body).toMatchObject({
    messages: [
      { role: 'user' },
      { role: 'assistant', content: 'I read.', tool_calls: [{ id: 'a' }] },
      { role: 'tool', tool_call_id: 'a', content: expect.stringContaining('Content has been deleted') },
      { role: 'assistant', tool_calls: [{ id: 'b' }] },
      { role: 'tool', tool_call_id: 'b' },
    ],
  });
});

const made = (id: string) => ({
  id,
  type: 'function' as const,
  function: { name: 'read', arguments: '{}' },
});

test('calls that were never answered are not sent', () => {
  expect(
    answerable([
      { role: 'assistant', content: null, tool_calls: [made('a'), made('b'), made('c')] },
      { role: 'tool', content: 'of b', tool_call_id: 'b' },
      { role: 'tool', content: 'of a' },
      { role: 'assistant', content: null, tool_calls: [made('d')] },
      { role: 'user', content: 'Well?' },
    ]),
  ).toEqual([
    { role: 'assistant', content: null, tool_calls: [made('a'), made('b')] },
    { role: 'tool', content: 'of b', tool_call_id: 'b' },
    { role: 'tool', content: 'of a', tool_call_id: 'a' },
    { role: 'assistant', content: '' },
    { role: 'user', content: 'Well?' },
  ]);
});

const read = async (pieces: Uint8Array[]) => {
  const events = [];
  for await (const event of serverSentEvents(pieces)) events.push(event);
  return events;
};

test('events are the same however their bytes are cut', async () => {
  const lines = fc.constantFrom(
    'data: é中😀',
    'data:x',
    'data',
    ': comment',
    'event: note',
    '',
    '',
    'id: 7',
    'data:  two',
  );
  const breaks = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(
      fc.array(lines),
      breaks,
      fc.array(fc.integer({ min: 1, max: 5 })),
      async (all, lineBreak, sizes) => {
        const bytes = new TextEncoder().encode(all.map((line) => line + lineBreak).join(''));
        const pieces: Uint8Array[] = [];
        for (let at = 0, nth = 0; at < bytes.length; nth++) {
          const size = sizes[nth % Math.max(sizes.length, 1)] ?? 2;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        const whole = await read([bytes]);
        expect(await read(pieces)).toEqual(whole);
        expect(whole.map(({ data }) => data).join('\n')).toBe(
          all
            .filter((line) => line.startsWith('data'))
            .map((line) => line.slice(5).replace(/^ /, ''))
            .join('\n'),
        );
      },
    ),
  );
});
