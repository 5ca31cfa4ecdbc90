import type { Fixture } from '../harness.fixtures';

type Entry = Record<string, unknown>;

const timestamp = '2026-01-01T00:00:00.000Z';

export const about: Entry = {
  sessionId: 'session-1',
  projectHash: 'abc',
  startTime: timestamp,
  lastUpdated: timestamp,
};

export const user = (id: string, content: unknown): Entry => ({ id, timestamp, type: 'user', content });

export const gemini = (id: string, content: unknown, more: Entry = {}): Entry => ({
  id,
  timestamp,
  type: 'gemini',
  content,
  model: 'gemini-x',
  tokens: { input: 100, output: 10, cached: 0, thoughts: 0, tool: 0, total: 110 },
  ...more,
});

export const call = {
  id: 'read_file-1',
  name: 'read_file',
  args: { path: 'a.txt' },
  status: 'success',
  timestamp,
  result: [{ functionResponse: { id: 'read_file-1', name: 'read_file', response: { output: 'A' } } }],
};

export const session: Entry = {
  ...about,
  messages: [
    user('m1', 'Read a.txt'),
    gemini('m2', '', {
      thoughts: [{ subject: 'Reading', description: 'The file first.', timestamp }],
      toolCalls: [call, { ...call, id: 'read_file-2', status: 'cancelled', result: null }],
    }),
    { id: 'm3', timestamp, type: 'info', content: 'Update available.' },
    gemini('m4', [{ text: 'It says ' }, { text: 'A.' }]),
    user('m5', [{ text: 'And this?' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }]),
  ],
};

/** A log of lines: a message written twice, a step taken back, a context that was compressed. */
export const log: Entry[] = [
  { ...about, kind: 'main' },
  user('m1', 'Read a.txt'),
  gemini('m2', '', { toolCalls: [{ ...call, result: undefined }] }),
  gemini('m2', '', { toolCalls: [call] }),
  gemini('m3', 'It says B.'),
  { $rewindTo: 'm3' },
  user('m4', 'Look again.'),
  gemini('m5', 'It says A.'),
  {
    $set: {
      lastUpdated: timestamp,
      messages: [user('m6', 'So far: a.txt says A.'), gemini('m7', 'Understood.')],
    },
  },
  user('m8', 'Go on.'),
  gemini('m9', 'Gladly.'),
];

export const geminiFixtures: Fixture[] = Object.entries({ session, log }).map(([name, value]) => ({
  name,
  format: 'gemini_cli_session',
  value,
}));
