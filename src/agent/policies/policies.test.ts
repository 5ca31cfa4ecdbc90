import { describe, expect, test, vi } from 'vitest';
import { messageText, seenAs } from '../../model';
import { call, loopOf, runToEnd } from '../loop.fixtures';
import { PolicyError, type PolicyRequest } from '../policy';
import { manualPolicy } from './manual';
import { recordedPolicy } from './recorded';
import { readScripts } from './scripted';

function requestOf(signal = new AbortController().signal): PolicyRequest {
  return { messages: [], tools: [], step: 0, signal };
}

describe('scripts', () => {
  const first = { text: 'One.', toolCalls: [{ name: 'read', arguments: '{"n":1}' }] };
  const second = { text: '', toolCalls: [{ callId: 'c', name: 'read', arguments: '{broken' }] };

  test.each([
    ['lines', `${JSON.stringify(first)}\n\n${JSON.stringify(second)}\n`],
    ['a list', JSON.stringify([first, second], null, 2)],
    ['a script', JSON.stringify({ name: 'x', emissions: [first, second] })],
    [
      'chat messages',
      JSON.stringify([
        {
          role: 'assistant',
          content: 'One.',
          tool_calls: [{ function: { name: 'read', arguments: { n: 1 } } }],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', function: { name: 'read', arguments: '{broken' } }],
        },
      ]),
    ],
  ])('are read from %s', (_, text) => {
    expect(readScripts(text)).toEqual([[first, second]]);
  });

  test('several at once', () => {
    const lines = `${JSON.stringify([first])}\n${JSON.stringify({ emissions: [second, first] })}`;
    expect(readScripts(lines)).toEqual([[first], [second, first]]);
    expect(readScripts(JSON.stringify([{ emissions: [first] }, { emissions: [second] }]))).toEqual([
      [first],
      [second],
    ]);
  });

  test.each([
    ['{"text": "a"}\n{"text": ', 'Line 2 of the script is not JSON.'],
    ['[{"text": "a"}, {}]', 'The script[1] is not an emission'],
    ['{"text": 7}', 'The script is not an emission'],
    ['{"toolCalls": [{"arguments": {}}]}', 'call 0 has no name'],
    ['{"text": "a"}\n[{"text": "b"}]', 'mixes emissions and whole scripts'],
  ])('%j says what is wrong', (text, message) => {
    expect(() => readScripts(text)).toThrow(message);
  });
});

test('recorded: a run again is the same run', async () => {
  const script = [
    call('read', { n: 1 }),
    call('deleteContext', { message_ids: [2] }),
    call('finish', { answer: 'x' }),
  ];
  const once = await runToEnd(loopOf({ script }));
  for (const tokens of [true, false]) {
    const again = await runToEnd(loopOf({ policy: recordedPolicy(once, { tokens }) }));
    expect(again.messages).toEqual(once.messages);
    expect(again.steps.map((step) => step.tokens)).toEqual(once.steps.map((step) => step.tokens));
    expect(seenAs(again, 2)).toEqual(seenAs(once, 2));
  }
  await expect(recordedPolicy(once).emit({ ...requestOf(), step: 3 })).rejects.toThrow('has 3 steps');
});

describe('manual', () => {
  test('waits for the person', async () => {
    const policy = manualPolicy();
    const told = vi.fn();
    const end = policy.subscribe(told);
    const loop = loopOf({ policy });
    await loop.advance();
    await loop.advance();
    const advanced = loop.advance();
    expect(policy.waiting?.messages).toHaveLength(1);
    policy.submit({ text: 'By hand.', toolCalls: [] });
    await advanced;
    expect(messageText(loop.episode.messages[1] ?? { parts: [] })).toBe('By hand.');
    expect(policy.waiting).toBeUndefined();
    expect(told).toHaveBeenCalledTimes(2);
    end();
    expect(() => policy.submit({ text: '', toolCalls: [] })).toThrow('Nothing is waiting');
    expect(told).toHaveBeenCalledTimes(2);
  });

  test('can be given up, and be stopped', async () => {
    const policy = manualPolicy();
    const first = policy.emit(requestOf());
    await expect(policy.emit(requestOf())).rejects.toThrow('still being written');
    policy.cancel('Lunch.');
    await expect(first).rejects.toThrow(new PolicyError('Lunch.'));
    const stopping = new AbortController();
    const second = policy.emit(requestOf(stopping.signal));
    stopping.abort();
    await expect(second).rejects.toThrow('stopped');
    await expect(policy.emit(requestOf(stopping.signal))).rejects.toThrow('stopped');
    expect(policy.waiting).toBeUndefined();
  });
});
