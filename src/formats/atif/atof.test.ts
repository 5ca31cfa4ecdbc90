import { describe, expect, test } from 'vitest';
import { chatOf, toolCallsOf, viewAt, type Episode } from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { atof } from './atof';
import { lateAnswer, opaqueStream, streams } from './atif.fixtures';

function importOne(value: unknown): Episode {
  const [episode] = expectSound(atof, recordOf(value));
  if (episode === undefined) expect.fail('no episode');
  return episode;
}

describe.each(Object.entries(streams))('a stream of %s', (_, stream) => {
  const episode = importOne(stream);

  test('is one conversation of two model calls', () => {
    expect(episode.steps).toHaveLength(2);
    expect(episode.messages.filter(({ follows }) => follows !== undefined)).toEqual([]);
    expect(episode.messages.map(({ role }) => role).filter((role) => role !== 'system')).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
  });

  test('shows what the second call was sent, with the arguments of the first', () => {
    const seen = chatOf(viewAt(episode, 1)).filter(({ role }) => role !== 'system');
    expect(seen).toMatchObject([
      { role: 'user', content: 'What is 3 + 4?' },
      { role: 'assistant', tool_calls: [{ function: { name: 'add', arguments: '{"a":3,"b":4}' } }] },
      { role: 'tool' },
    ]);
    expect(chatOf(viewAt(episode, 2)).at(-1)).toMatchObject({ role: 'assistant', content: 'It is 7.' });
  });

  test('counts nothing, because calls repeat each other', () => {
    const [summary] = atof.summarise(recordOf(stream));
    expect(Object.values(summary?.counts ?? {}).every((count) => count === 0)).toBe(true);
    expect(summary?.metrics['events']).toBe(stream.length);
  });
});

test('keeps what the provider said beside the messages', () => {
  expect(importOne(streams.openai)).toMatchObject({ title: 'What is 3 + 4?', tools: [{ name: 'add' }] });
  const anthropic = importOne(streams.anthropic);
  expect(anthropic.model).toBe('model-a');
  expect(anthropic.steps[1]?.unfinished).toBe('max_tokens');
  expect(anthropic.gaps.map(({ reason }) => reason)).toContain('1 mark is shown in the raw record only.');
});

test('a tool that answered after the last model call is in the history', () => {
  const { messages } = importOne(lateAnswer);
  const [called, answered] = messages.slice(-2);
  expect(called === undefined ? [] : toolCallsOf(called)).toMatchObject([{ callId: 'c1' }]);
  expect(answered).toMatchObject({ role: 'tool', toolResultFor: ['c1'], origin: 'environment' });
});

test('a call that never ended is a step that says so', () => {
  const { steps } = importOne(streams.gemini.slice(0, 3));
  expect(steps.map(({ unfinished }) => unfinished)).toEqual([undefined, 'no end event']);
});

test('a second agent is a conversation of its own', () => {
  const [start, end] = streams.gemini;
  const other = [start, end].map((event) => ({ ...event, uuid: 'other' }));
  const contents = [{ role: 'user', parts: [{ text: 'Something else.' }] }];
  const { messages, gaps } = importOne([...streams.gemini, { ...other[0], data: { contents } }, other[1]]);
  expect(messages.filter(({ follows }) => follows === null)).toHaveLength(1);
  expect(gaps.find(({ about }) => about === 'views')).toMatchObject({ step: 2 });
});

test('scopes without a category are shown as what went in and out', () => {
  const { messages, steps, gaps } = importOne(opaqueStream);
  expect(steps).toEqual([]);
  expect(messages.map(({ parts }) => parts)).toEqual([
    [{ kind: 'json', text: '{"raw_query":"What is 3 + 4?"}' }],
    [{ kind: 'text', text: 'seven' }],
  ]);
  expect(gaps.map(({ reason }) => reason)).toContain('The end of 1 scope is not in this stream.');
});

test('every line of a stream is known, and so are all of them', () => {
  expect([...streams.anthropic, streams.anthropic].map((value) => atof.confidence(value))).toEqual(
    Array.from({ length: 6 }, () => 1),
  );
  expect(atof.confidence({ kind: 'scope', data: {} })).toBe(0);
});
