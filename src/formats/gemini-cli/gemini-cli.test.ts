import { expect, test } from 'vitest';
import { seenAs, type Episode } from '../../model';
import { expectLossless, expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import { geminiCliSession } from './gemini-cli';
import { about, geminiFixtures, log, session } from './gemini-cli.fixtures';

function imported(value: unknown): Episode {
  const [episode] = expectSound(geminiCliSession, recordOf(value));
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

function seen(episode: Episode, step: number): string[] {
  return seenAs(episode, step).map(
    ({ role, content }) => `${role}: ${typeof content === 'string' ? content : ''}`,
  );
}

test.each(geminiFixtures.map(({ name, value }) => [name, value] as const))(
  '%s is recognised and lossless',
  (_, value) => {
    expect(detectFormat(value)).toBe(geminiCliSession);
    expectLossless(imported(value));
  },
);

test('a session: each message of the model is a call, with the results of its tools behind it', () => {
  const episode = imported(session);
  expect(episode.messages).toMatchObject([
    { role: 'user', bornAtStep: -1, raw: ['/0/messages/0'] },
    {
      role: 'assistant',
      bornAtStep: 0,
      parts: [
        { kind: 'reasoning', form: 'summary', text: 'Reading: The file first.' },
        { kind: 'call', call: { callId: 'read_file-1', name: 'read_file', arguments: '{"path":"a.txt"}' } },
        { kind: 'call', call: { callId: 'read_file-2' } },
      ],
    },
    { role: 'tool', toolResultFor: ['read_file-1'], parts: [{ kind: 'text', text: 'A' }] },
    { role: 'assistant', bornAtStep: 1, parts: [{ text: 'It says ' }, { text: 'A.' }] },
    {
      role: 'user',
      bornAtStep: 1,
      parts: [{ kind: 'text' }, { kind: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' }],
    },
  ]);
  expect(episode).toMatchObject({
    title: 'Read a.txt',
    model: 'gemini-x',
    metrics: { sessionId: 'session-1', notices: 1, output_tokens: 20, last_context_tokens: 100 },
  });
  expect(geminiCliSession.summarise(recordOf(session))[0]?.counts).toMatchObject({
    messages: 4,
    toolCalls: 2,
    toolResults: 1,
    reasoning: 1,
  });
});

test('a log: a message counts as it was last written, and what was taken back is not seen again', () => {
  const episode = imported(log);
  expect(episode.steps).toHaveLength(5);
  expect(seen(episode, 1)).toEqual(['user: Read a.txt', 'assistant: ', 'tool: A']);
  expect(seen(episode, 2)).toEqual(['user: Read a.txt', 'assistant: ', 'tool: A', 'user: Look again.']);
});

test('a log: a context that was replaced is a compaction', () => {
  const episode = imported(log);
  expect(episode.edits).toEqual([{ step: 3, kind: 'compact', msgIds: [0, 1, 2, 4, 5] }]);
  expect(seen(episode, 4)).toEqual(['user: So far: a.txt says A.', 'assistant: Understood.', 'user: Go on.']);
});

test('other objects are none of its own', () => {
  for (const value of [
    { $set: { a: 1 } },
    { type: 'user', id: 'x', content: '' },
    [about['sessionId']],
    [],
  ]) {
    expect(geminiCliSession.confidence(value)).toBe(0);
  }
});
