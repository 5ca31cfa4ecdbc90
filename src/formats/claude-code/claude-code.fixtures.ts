import type { Fixture } from '../harness.fixtures';

/** Lines of sessions, as Claude Code writes them. */

type Line = Record<string, unknown>;

export function entry(uuid: string, parentUuid: string | null, more: Line): Line {
  return {
    parentUuid,
    isSidechain: false,
    userType: 'external',
    cwd: '/home/ada/project',
    sessionId: 'session-1',
    version: '2.0.1',
    gitBranch: 'main',
    uuid,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

export function user(uuid: string, parent: string | null, content: unknown, more: Line = {}): Line {
  return entry(uuid, parent, { type: 'user', message: { role: 'user', content }, ...more });
}

export function assistant(
  uuid: string,
  parent: string | null,
  id: string,
  content: unknown[],
  more: Line = {},
): Line {
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content,
    usage: { input_tokens: 3, cache_read_input_tokens: 100, output_tokens: 10 },
  };
  return entry(uuid, parent, { type: 'assistant', requestId: `req_${id}`, message, ...more });
}

export const text = (said: string): Line => ({ type: 'text', text: said });
export const toolUse = (id: string, name = 'Read'): Line => ({
  type: 'tool_use',
  id,
  name,
  input: { file_path: 'a.txt' },
});
export const result = (id: string, content: unknown): Line => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
const thinking: Line = { type: 'thinking', thinking: 'A file.', signature: 'abc' };
export const title: Line = { type: 'summary', summary: 'Reading a file', leafUuid: 'u6' };

/** A call over three lines, its two results, and an answer. */
export const plain: Line[] = [
  {
    type: 'file-history-snapshot',
    messageId: 'u1',
    snapshot: { trackedFileBackups: {} },
    isSnapshotUpdate: false,
  },
  user('u1', null, 'Read a.txt'),
  assistant('u2', 'u1', 'msg_1', [thinking]),
  assistant('u3', 'u2', 'msg_1', [toolUse('t1')]),
  user('u5', 'u3', [result('t1', 'A')], { toolUseResult: { file: {} } }),
  assistant('u4', 'u3', 'msg_1', [toolUse('t2')]),
  user('u6', 'u4', [result('t2', [text('B')])], { toolUseResult: 'B' }),
  assistant('u7', 'u6', 'msg_2', [text('A and B.')]),
  title,
];

/** The context is cleared in part, then compacted, and the work goes on. */
export const compacted: Line[] = [
  user('u1', null, 'Read a.txt'),
  assistant('u2', 'u1', 'msg_1', [toolUse('t1')]),
  user('u3', 'u2', [result('t1', 'A')]),
  entry('u4', 'u3', {
    type: 'system',
    subtype: 'microcompact_boundary',
    content: 'Context microcompacted',
    microcompactMetadata: {
      trigger: 'auto',
      preTokens: 900,
      tokensSaved: 100,
      compactedToolIds: ['t1'],
      clearedAttachmentUUIDs: [],
    },
  }),
  assistant('u5', 'u4', 'msg_2', [text('It says A.')]),
  entry('u6', null, {
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    logicalParentUuid: 'u5',
    compactMetadata: { trigger: 'manual', preTokens: 800, postTokens: 50 },
  }),
  user('u7', 'u6', 'This session is being continued: a.txt says A.', {
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  }),
  user('u8', 'u7', 'And b.txt?'),
  assistant('u9', 'u8', 'msg_3', [text('I will look.')]),
];

/** A subagent works while the main conversation waits, and a prompt is tried again from an earlier point. */
export const branched: Line[] = [
  user('u1', null, 'Ask someone.'),
  assistant('u2', 'u1', 'msg_1', [toolUse('t1', 'Task')]),
  user('s1', null, 'Count the files.', { isSidechain: true }),
  assistant('s2', 's1', 'msg_s1', [text('Three.')], { isSidechain: true }),
  user('u3', 'u2', [result('t1', 'Three.')]),
  assistant('u4', 'u3', 'msg_2', [text('There are three.')]),
  user('u5', 'u4', 'Which?'),
  assistant('u6', 'u5', 'msg_3', [text('I do not know.')]),
  user('u7', 'u4', 'Name them.'),
  assistant('u8', 'u7', 'msg_4', [text('a, b, c.')]),
];

/** Everything that files have between good lines. */
export const rough: unknown[] = [
  { type: 'queue-operation', operation: 'enqueue', sessionId: 'session-1', content: 'x' },
  user('u1', null, 'Hello', { isMeta: true }),
  'a string',
  17,
  ['a', 'list'],
  null,
  { type: 'user', sesionId: 'session-1', massage: {} },
  entry('u2', 'u1', { type: 'user', message: { role: 'user' } }),
  entry('u3', 'u1', {
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
  }),
  assistant('u4', 'u3', 'err', [text('API Error')], {
    isApiErrorMessage: true,
    message: { id: 'err', role: 'assistant', model: '<synthetic>', content: [text('API Error')] },
  }),
  { ...user('v1', null, 'Another session'), sessionId: 'session-2' },
];

export const claudeCodeFixtures: Fixture[] = Object.entries({ plain, compacted, branched, rough }).map(
  ([name, value]) => ({ name, format: 'claude_code_session', value }),
);
