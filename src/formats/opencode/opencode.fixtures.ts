import type { Fixture } from '../harness.fixtures';

type Entry = Record<string, unknown>;

const info = {
  id: 'ses_1',
  title: 'Reading',
  version: '1.0.0',
  directory: '/home/ada',
  time: { created: 1, updated: 9 },
};

export const user = (...parts: Entry[]): Entry => ({
  info: { id: 'msg_u', role: 'user', time: { created: 1 } },
  parts,
});

export const assistant = (created: number, parts: Entry[], more: Entry = {}): Entry => ({
  info: {
    id: `msg_${created}`,
    role: 'assistant',
    modelID: 'model-x',
    providerID: 'p',
    cost: 0.5,
    tokens: { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } },
    time: { created, completed: created + 1 },
    finish: 'stop',
    ...more,
  },
  parts,
});

export const text = (said: string): Entry => ({ type: 'text', text: said });
export const start: Entry = { type: 'step-start', snapshot: 's' };
export const finish: Entry = { type: 'step-finish', reason: 'tool-calls', cost: 0.1, tokens: {} };
export const tool = (callID: string, state: Entry): Entry => ({ type: 'tool', callID, tool: 'read', state });
const done = (output: string, time: Entry): Entry => ({
  status: 'completed',
  input: { filePath: 'a.txt' },
  output,
  title: 'a.txt',
  metadata: {},
  time,
});

/** One turn of two calls, the first of which calls three tools. */
export const session: Entry = {
  info,
  messages: [
    user(text('Read a.txt'), {
      type: 'file',
      mime: 'image/png',
      url: 'data:image/png;base64,AA',
      filename: 'a.png',
    }),
    assistant(10, [
      start,
      { type: 'reasoning', text: 'The file.', time: { start: 11, end: 12 } },
      tool('c1', done('A', { start: 13, end: 14 })),
      tool('c2', { status: 'error', input: {}, error: 'no such file', time: { start: 13, end: 14 } }),
      tool('c3', { status: 'running', input: {}, time: { start: 13 } }),
      finish,
      start,
      text('It says A.'),
      finish,
      { type: 'patch', hash: 'h', files: [] },
    ]),
  ],
};

/** A result is cleared, then all is summed up. */
export const compacted: Entry = {
  info,
  messages: [
    user(text('Read a.txt')),
    assistant(10, [start, tool('c1', done('A', { start: 11, end: 12, compacted: 25 })), finish]),
    assistant(20, [start, text('It says A.'), finish]),
    user(text('Again?')),
    assistant(30, [start, text('A, as I said.'), finish]),
    user({ type: 'compaction', auto: false }),
    assistant(40, [start, text('So far: a.txt says A.'), finish], { summary: true, mode: 'compaction' }),
    user(text('Go on.')),
    assistant(50, [], { error: { name: 'APIError', data: { message: 'Overloaded' } } }),
  ],
};

export const opencodeFixtures: Fixture[] = Object.entries({ session, compacted }).map(([name, value]) => ({
  name,
  format: 'opencode_session',
  value,
}));
