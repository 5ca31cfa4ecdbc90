import { describe, expect, test } from 'vitest';
import { seenAs, type Episode } from '../../model';
import { expectLossless, expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import { claudeCodeSession } from './claude-code';
import { branched, claudeCodeFixtures, compacted, plain, rough, title } from './claude-code.fixtures';

function imported(lines: readonly unknown[]): Episode {
  const [episode] = expectSound(claudeCodeSession, recordOf(lines));
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

/** What the model was sent at a step, each message as its role and content. */
function seen(episode: Episode, step: number): string[] {
  return seenAs(episode, step).map(({ role, content, tool_calls }) =>
    [
      `${role}: ${typeof content === 'string' ? content : ''}`,
      ...(tool_calls ?? []).map(({ id }) => id),
    ].join(' '),
  );
}

test('lines of a session are recognised, one by one and all together', () => {
  for (const value of [...plain, plain, compacted, branched, rough])
    expect(detectFormat(value)).toBe(claudeCodeSession);
  for (const value of [{ type: 'user', uuid: 'x' }, { sessionId: 's', type: 'chat' }, [1, 'a'], []]) {
    expect(claudeCodeSession.confidence(value)).toBe(0);
  }
});

test.each(claudeCodeFixtures.map(({ name, value }) => [name, value] as const))('%s: lossless', (_, value) => {
  expectSound(claudeCodeSession, recordOf(value)).forEach(expectLossless);
});

test('the lines of one call are one message, also where a result stands between them', () => {
  const episode = imported(plain);
  expect(
    episode.messages.map(({ role, bornAtStep, parts }) => [role, bornAtStep, parts.map(({ kind }) => kind)]),
  ).toEqual([
    ['user', -1, ['text']],
    ['assistant', 0, ['reasoning', 'call', 'call']],
    ['tool', 0, ['text']],
    ['tool', 0, ['text']],
    ['assistant', 1, ['text']],
  ]);
  expect(episode.messages[1]?.raw).toEqual(['/2/message', '/3/message', '/5/message']);
  expect(seen(episode, 1)).toEqual(['user: Read a.txt', 'assistant:  t1 t2', 'tool: A', 'tool: B']);
  expect(episode).toMatchObject({
    title: 'Reading a file',
    model: 'claude-x',
    metrics: { lines: 9, version: '2.0.1', git_branch: 'main', output_tokens: 20, last_context_tokens: 103 },
  });
  expect(episode.gaps.map(({ about }) => about)).toEqual(['views', 'reward', 'tokens']);
  expect(claudeCodeSession.summarise(recordOf(plain))[0]?.counts).toMatchObject({
    messages: 2,
    toolCalls: 2,
    toolResults: 2,
    reasoning: 1,
  });
});

describe('a compaction', () => {
  const episode = imported(compacted);

  test('takes all that was there out of the view, and its summary stands for it', () => {
    expect(episode.edits[1]).toEqual({
      step: 1,
      kind: 'compact',
      msgIds: [0, 1, 2, 3],
      summary: 4,
      tokensBefore: 800,
      tokensAfter: 50,
    });
    expect(seen(episode, 2)).toEqual([
      'user: This session is being continued: a.txt says A.',
      'user: And b.txt?',
    ]);
  });

  test('of single results leaves a stub in their place', () => {
    expect(episode.edits[0]).toMatchObject({
      step: 0,
      kind: 'delete',
      msgIds: [2],
      tokensBefore: 900,
      tokensAfter: 800,
    });
    expect(seen(episode, 1)).toEqual([
      'user: Read a.txt',
      'assistant:  t1',
      'tool: [Old tool result content cleared]',
    ]);
  });

  test('is known by its summary where no line marks it', () => {
    const unmarked = compacted.filter((line) => line['subtype'] !== 'compact_boundary');
    expect(imported(unmarked).edits[1]).toEqual({
      step: 1,
      kind: 'compact',
      msgIds: [0, 1, 2, 3],
      summary: 4,
    });
  });
});

test('a subagent has a conversation of its own, and a second try goes on from where it was made', () => {
  const episode = imported(branched);
  expect(seen(episode, 0)).toEqual(['user: Ask someone.']);
  expect(seen(episode, 1)).toEqual(['user: Count the files.']);
  expect(seen(episode, 2)).toEqual(['user: Ask someone.', 'assistant:  t1', 'tool: Three.']);
  expect(seen(episode, 3).slice(3)).toEqual(['assistant: There are three.', 'user: Which?']);
  expect(seen(episode, 4).slice(3)).toEqual(['assistant: There are three.', 'user: Name them.']);
  expect(episode.messages.map(({ follows }) => follows)).toEqual([
    undefined,
    undefined,
    null,
    undefined,
    1,
    undefined,
    undefined,
    undefined,
    5,
    undefined,
  ]);
});

test('lines that are none are left out and said, and each session is an episode', () => {
  const [first, second] = expectSound(claudeCodeSession, recordOf(rough));
  expect(first?.messages.map(({ role, origin }) => [role, origin])).toEqual([
    ['user', 'prompt'],
    ['assistant', 'policy'],
    ['assistant', 'environment'],
  ]);
  expect(first?.gaps.find(({ about }) => about === 'messages')?.reason).toContain('6 lines');
  expect(first?.gaps.map(({ reason }) => reason)).toContainEqual(expect.stringContaining('inferred'));
  expect(second).toMatchObject({ id: '0.1', title: 'Another session', metrics: { session_id: 'session-2' } });
});

test('a title before its session is the title of the session', () => {
  expect(imported([title, ...plain.slice(0, -1)]).title).toBe('Reading a file');
});
