import { expect, test } from 'vitest';
import { seenAs, type Episode } from '../../model';
import { expectLossless, expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import { opencodeSession } from './opencode';
import { compacted, opencodeFixtures, session } from './opencode.fixtures';

function imported(value: unknown): Episode {
  const [episode] = expectSound(opencodeSession, recordOf(value));
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

function seen(episode: Episode, step: number): string[] {
  return seenAs(episode, step).map(
    ({ role, content }) => `${role}: ${typeof content === 'string' ? content : ''}`,
  );
}

test.each(opencodeFixtures.map(({ name, value }) => [name, value] as const))(
  '%s is recognised and lossless',
  (_, value) => {
    expect(detectFormat(value)).toBe(opencodeSession);
    expectLossless(imported(value));
  },
);

test('each call of a turn is a step, and results stand behind the call that asked for them', () => {
  const episode = imported(session);
  expect(
    episode.messages.map(({ role, bornAtStep, parts, raw }) => [
      role,
      bornAtStep,
      parts.map(({ kind }) => kind).join(),
      raw[0],
    ]),
  ).toEqual([
    ['user', -1, 'text,image', '/messages/0'],
    ['assistant', 0, 'reasoning,call,call,call', '/messages/1/parts/1'],
    ['tool', 0, 'text', '/messages/1/parts/2/state'],
    ['tool', 0, 'text', '/messages/1/parts/3/state'],
    ['assistant', 1, 'text', '/messages/1/parts/7'],
  ]);
  expect(seen(episode, 1).slice(2)).toEqual(['tool: A', 'tool: no such file']);
  expect(episode).toMatchObject({
    title: 'Reading',
    model: 'model-x',
    metrics: { session_id: 'ses_1', version: '1.0.0', cost: 0.5, output_tokens: 10 },
  });
  expect(opencodeSession.summarise(recordOf(session))[0]?.counts).toMatchObject({
    messages: 2,
    toolCalls: 3,
    toolResults: 2,
    reasoning: 1,
  });
});

test('a result that was cleared is a stub from the step after', () => {
  const episode = imported(compacted);
  expect(episode.edits[0]).toEqual({
    step: 1,
    kind: 'delete',
    msgIds: [2],
    stub: '[Old tool result content cleared]',
  });
  expect(seen(episode, 1)[2]).toBe('tool: A');
  expect(seen(episode, 2)[2]).toBe('tool: [Old tool result content cleared]');
});

test('a summary stands for all that was before it was asked for', () => {
  const episode = imported(compacted);
  expect(episode.edits[1]).toEqual({ step: 3, kind: 'compact', msgIds: [0, 1, 2, 3, 4, 5], summary: 7 });
  expect(seen(episode, 3)).toHaveLength(7);
  expect(seen(episode, 4).slice(1)).toEqual(['assistant: So far: a.txt says A.', 'user: Go on.']);
});

test('a call that failed is a step that did not finish', () => {
  const episode = imported(compacted);
  expect(episode.steps.at(-1)).toEqual({ index: 4, unfinished: 'APIError' });
  expect(episode.outcome.error).toBe('Overloaded');
});
