import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chunk, json, openEndpoint, streamed, type Endpoint } from '../../agent/policies/endpoint.fixtures';
import { detectFormat } from '../../formats';
import { environmentNamed, environments, tasksJsonl } from '../../gym';
import { hostGym } from '../../gym/node-host';
import { samplesOf, type Episode } from '../../model';
import { rollscope } from '../io.fixtures';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-run-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function episodesIn(out: string): Episode[] {
  return out.split('\n').flatMap((text, index) => {
    if (text === '') return [];
    const value: unknown = JSON.parse(text);
    const format = detectFormat(value);
    if (format === undefined) throw new Error('no format');
    return [format.episode({ value, text, index, line: index + 1 }, 0)];
  });
}

const counter = ['run', '--env', 'stateful_counter'];

test('200 episodes of the counter, 16 at once: all verified, no session shared', async () => {
  const { code, out, err } = await rollscope([
    ...counter,
    '--policy',
    'scripted',
    '--repeat',
    '100',
    '--concurrency',
    '16',
  ]);
  expect(err).toContain('200 episodes: 200 rewards, 0.5 on average, 0 failed');
  expect(code).toBe(0);
  const episodes = episodesIn(out);
  expect(episodes.map(({ task }) => task?.rollout)).toEqual([...Array(100).keys(), ...Array(100).keys()]);
  const sessions = episodes.map(({ exchanges }) => new Set(exchanges?.map(({ session }) => session)));
  expect(sessions.every((own) => own.size === 1)).toBe(true);
  expect(new Set(sessions.flatMap((own) => [...own])).size).toBe(200);
  for (const [index, { outcome, states }] of episodes.entries()) {
    const isFirst = index < 100;
    expect(outcome.reward).toBe(isFirst ? 1 : 0);
    expect(states?.at(-1)?.value).toEqual({ count: isFirst ? 5 : 7 });
  }
});

test.each(environments.map(({ name }) => name))(
  'the scripts of %s get the rewards they expect',
  async (name) => {
    const { code, out, err } = await rollscope(['run', '--env', name, '--policy', 'scripted']);
    expect(err).toContain('0 failed');
    expect(code).toBe(0);
    const scripts = environmentNamed(name)?.scripts ?? [];
    expect(episodesIn(out).map(({ outcome }) => outcome.reward)).toEqual(
      scripts.map((script) => script.expect.reward),
    );
  },
);

test('a document run has a snapshot for each delete, and reads back as it was from each format', async () => {
  const written = await rollscope(['run', '--env', 'document_qa', '--policy', 'scripted']);
  const own = episodesIn(written.out);
  for (const episode of own) {
    expect(episode.edits.length).toBeGreaterThan(0);
    expect(samplesOf(episode)).toHaveLength(episode.edits.length + 1);
  }
  const recorded = file('document.jsonl', written.out);
  for (const format of ['rollscope', 'statelm', 'nemo-gym']) {
    const again = await rollscope([
      'run',
      '--env',
      'document_qa',
      '--format',
      format,
      '--policy',
      `recorded:${recorded}`,
    ]);
    expect(again.code).toBe(0);
    const episodes = episodesIn(again.out);
    expect(episodes.map(({ messages }) => messages.length)).toEqual(
      own.map(({ messages }) => messages.length),
    );
    if (format === 'nemo-gym') continue;
    expect(episodes.map(({ steps }) => steps.map(({ tokens }) => tokens))).toEqual(
      own.map(({ steps }) => steps.map(({ tokens }) => tokens)),
    );
    expect(episodes.map((episode) => samplesOf(episode).map(({ tokens }) => tokens?.trained))).toEqual(
      own.map((episode) => samplesOf(episode).map(({ tokens }) => tokens?.trained)),
    );
  }
});

describe('what a run is made of', () => {
  const emissions = [
    { text: 'I add.', toolCalls: [{ name: 'increment_counter', arguments: { count: 2 } }] },
    { text: 'Done.' },
  ];
  const environment = environmentNamed('stateful_counter');
  if (environment === undefined) throw new Error('no counter');

  test('one script for all tasks of the environment, from lines or from one list', async () => {
    const lines = file('lines.jsonl', emissions.map((emission) => JSON.stringify(emission)).join('\n'));
    const list = file('list.json', JSON.stringify({ emissions }));
    for (const script of [lines, list]) {
      const { code, out } = await rollscope([...counter, '--policy', `scripted:${script}`]);
      expect(code).toBe(0);
      expect(episodesIn(out).map(({ outcome }) => outcome.reward)).toEqual([1, 0, 0]);
    }
  });

  test('tasks of a file, and the settings of another', async () => {
    const tasks = file('tasks.jsonl', tasksJsonl(environment).split('\n').slice(0, 2).join('\n'));
    const config = file(
      'loop.yml',
      'actor_rollout_ref:\n  rollout:\n    max_model_length: 9000\n    multi_turn:\n      max_assistant_turns: 1\n',
    );
    const script = file('script.json', JSON.stringify(emissions));
    const { code, out } = await rollscope([
      ...counter,
      '--policy',
      `scripted:${script}`,
      '--task',
      tasks,
      '--config',
      config,
    ]);
    expect(code).toBe(0);
    const episodes = episodesIn(out);
    expect(episodes).toHaveLength(2);
    expect(episodes[0]).toMatchObject({
      outcome: { termination: 'max_assistant_turns', reward: 0 },
      limits: { maxModelLength: 9000, responseLength: 2048 },
    });
  });

  test('a server on a port', async () => {
    const host = await hostGym({ environments: environment, port: 0, accessLog: false });
    try {
      const tasks = file('remote.jsonl', tasksJsonl(environment));
      const script = file('remote.json', JSON.stringify(emissions));
      const { code, out } = await rollscope([
        'run',
        '--env',
        host.url,
        '--task',
        tasks,
        '--policy',
        `scripted:${script}`,
      ]);
      expect(code).toBe(0);
      expect(episodesIn(out).map(({ outcome }) => outcome.reward)).toEqual([1, 0, 0]);
    } finally {
      await host.close();
    }
  });

  describe('a model', () => {
    let endpoint: Endpoint;
    beforeAll(async () => {
      endpoint = await openEndpoint();
    });
    afterAll(() => endpoint.close());
    afterEach(() => {
      delete process.env['RUN_TEST_KEY'];
    });

    test('behind an endpoint, with a key that is written nowhere', async () => {
      process.env['RUN_TEST_KEY'] = 'sk-run-secret';
      const add = { index: 0, id: 'a', function: { name: 'increment_counter', arguments: '{"count": 2}' } };
      endpoint.answer(
        streamed([
          chunk({ content: 'Ich zähle.' }),
          chunk({ tool_calls: [add] }),
          chunk({}, { finish_reason: 'tool_calls' }),
        ]),
        streamed([chunk({ content: 'Fünf.' }), chunk({}, { finish_reason: 'stop' })]),
        json(401, { error: { message: 'bad key sk-run-secret' } }),
      );
      const { code, out, err } = await rollscope([
        ...counter,
        '--policy',
        `openai:${endpoint.url}`,
        '--model',
        'tiny',
        '--key-from',
        'RUN_TEST_KEY',
        '--concurrency',
        '1',
        '--parameters',
        '{"temperature": 0}',
      ]);
      expect(code).toBe(1);
      expect(endpoint.requests[0]).toMatchObject({
        key: 'Bearer sk-run-secret',
        body: { model: 'tiny', temperature: 0 },
      });
      expect(out + err).not.toContain('sk-run-secret');
      const [first, second] = episodesIn(out);
      expect(first).toMatchObject({ model: 'tiny-1', outcome: { reward: 1, termination: 'no_tool_call' } });
      expect(second?.outcome).toMatchObject({
        termination: 'policy_error',
        error: expect.stringContaining('[key]'),
      });
      expect(err).toContain('3 episodes: 1 reward, 1 on average, 2 failed');
    });
  });
});

test('an episode that breaks off is written all the same, and told by the exit code', async () => {
  const script = file('short.jsonl', '{"toolCalls": [{"name": "get_counter_value", "arguments": {}}]}');
  const { code, out, err } = await rollscope([...counter, '--policy', `scripted:${script}`]);
  expect(code).toBe(1);
  expect(episodesIn(out)).toHaveLength(3);
  expect(err).toContain('episode 0: policy_error: The script has 1 emissions, and this would be number 2.');
});

test('a mistake on purpose shows in the rewards', async () => {
  const { code, err } = await rollscope([...counter, '--policy', 'scripted', '--mistake', 'drop_cookies']);
  expect(code).toBe(1);
  expect(err).toContain('reward 0, and 1 was expected');
});

test('a task that is none is said, and the others run', async () => {
  const environment = environmentNamed('stateful_counter');
  const [row = ''] = environment === undefined ? [] : tasksJsonl(environment).split('\n');
  const tasks = file('mixed.jsonl', `{"initial_count": 1}\n${row}\n`);
  const script = file('say.json', '[{"text": "Done."}]');
  const { code, out, err } = await rollscope([...counter, '--policy', `scripted:${script}`, '--task', tasks]);
  expect(code).toBe(1);
  expect(err).toContain('episode 0: The prompt of this task');
  expect(episodesIn(out)).toHaveLength(1);
});

test.each([
  [['run'], 2, '--policy'],
  [[...counter], 2, 'Which policy?'],
  [['run', '--policy', 'scripted'], 2, 'Which environment?'],
  [['run', '--env', 'nowhere', '--policy', 'scripted'], 2, 'stateful_counter'],
  [[...counter, '--policy', 'guess'], 2, 'openai:URL'],
  [[...counter, '--policy', 'openai:http://127.0.0.1:1'], 2, '--model'],
  [[...counter, '--policy', 'scripted', '--repeat', '0'], 2, 'at least 1'],
  [[...counter, '--policy', 'scripted', '--format', 'csv'], 2, 'rollscope, nemo-gym, statelm'],
  [[...counter, '--policy', 'scripted', '--mistake', 'typo'], 2, 'typo'],
  [[...counter, '--policy', 'scripted', 'file'], 2, 'takes no paths'],
  [
    ['run', '--env', 'http://127.0.0.1:1', '--policy', 'openai:http://127.0.0.1:1', '--model', 'x'],
    2,
    '--task',
  ],
  [[...counter, '--policy', 'scripted:/nowhere.json'], 1, 'can not be read'],
])('%j exits with %i', async (args, expected, message) => {
  const { code, out, err } = await rollscope(args);
  expect(code).toBe(expected);
  expect(err).toContain(message);
  expect(out).toBe('');
});

test('a configuration that is wrong is told with its line', async () => {
  const config = file('wrong.yml', 'actor_rollout_ref:\n  rollout:\n    response_length: many\n');
  const { code, err } = await rollscope([...counter, '--policy', 'scripted', '--config', config]);
  expect(code).toBe(1);
  expect(err).toContain(`${config}:3: response_length must be a whole number from 1.`);
  expect(readFileSync(config, 'utf8')).toContain('many');
});
