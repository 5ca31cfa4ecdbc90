import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { detectFormat, joinInputs } from '../formats';
import { environments, type JsonObject } from '../gym';
import { stateAt } from '../model';
import { guessEnvironment } from './guess';
import { playedEpisode, shipped, shippedScripts } from './live.fixtures';
import { replayEpisode, withReplay, type Recording, type Replay } from './replay';
import { replayAll } from './replay-all';
import { sameResult } from './result';
import { localServer, remoteServer } from './server';

const counter = shipped('counter-success').environment;

/** A rollout of the counter as a file of NeMo Gym has it: without the seed, and without what was expected. */
function rollout(results: readonly string[], reward = 1): JsonObject {
  return {
    responses_create_params: { input: [{ role: 'user', content: 'add 2, then read', type: 'message' }] },
    response: {
      object: 'response',
      output: [
        { type: 'function_call', call_id: 'c1', name: 'increment_counter', arguments: '{"count": 2}' },
        { type: 'function_call_output', call_id: 'c1', output: results[0] ?? '' },
        { type: 'function_call', call_id: 'c2', name: 'get_counter_value', arguments: '' },
        { type: 'function_call_output', call_id: 'c2', output: results[1] ?? '' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is 5.' }] },
      ],
    },
    reward,
  };
}

const input = {
  responses_create_params: { input: [{ role: 'user', content: 'add 2, then read' }] },
  initial_count: 3,
  expected_count: 5,
};

function recordingOf(record: unknown, given: Partial<Recording> = {}): Recording {
  const format = detectFormat(record);
  if (format === undefined) throw new Error('no format');
  const text = JSON.stringify(record);
  return { episode: format.episode({ value: record, text, index: 0, line: 1 }, 0), record, ...given };
}

describe('an imported episode', () => {
  test('is reproduced with its task input, and gets the state after every step', async () => {
    const recording = recordingOf(rollout(['{"success": true}', '{"count": 5}']), { input });
    const replay = await replayEpisode(recording, localServer(counter));
    expect(replay).toMatchObject({ status: 'reproduced', recordedReward: 1, replayedReward: 1 });
    expect(replay.mode).toBe('unsupported');
    expect(replay.explanation).toMatch(/built that state anew/);
    expect(recording.episode.states).toBeUndefined();
    const rebuilt = withReplay(recording.episode, replay);
    expect([-1, 0, 1, 2].map((step) => stateAt(rebuilt, step)?.value)).toEqual(
      [3, 5, 5, 5].map((count) => ({ count })),
    );
    expect(rebuilt.gaps.filter(({ about }) => about === 'state')).toEqual([]);
  });

  test('diverges at the first result that differs', async () => {
    const recording = recordingOf(rollout(['{"success": true}', '{"count": 6}']), { input });
    expect(await replayEpisode(recording, localServer(counter))).toMatchObject({
      status: 'diverged',
      step: 1,
      reason: expect.stringMatching(/get_counter_value at step 1/),
      replayedReward: 1,
    });
  });

  test('diverges where only the reward does', async () => {
    const recording = recordingOf(rollout(['{"success":true}', '{"count":5}'], 0), { input });
    expect(await replayEpisode(recording, localServer(counter))).toMatchObject({
      status: 'diverged',
      step: 2,
      recordedReward: 0,
      replayedReward: 1,
    });
  });

  test.each([
    ['the seed', {}, /needs initial_count.*Open the task inputs/],
    ['what is expected', { input: { initial_count: 3 } }, /needs expected_count.*does not have it/],
  ])('cannot be replayed without %s', async (_, given, why) => {
    const recording = recordingOf(rollout(['', '']), given);
    const replay = await replayEpisode(recording, localServer(counter));
    expect(replay).toMatchObject({ status: 'unreplayable', reason: expect.stringMatching(why) });
    expect(replay.exchanges).toEqual([]);
  });

  test('cannot be replayed where the server is gone, or refuses', async () => {
    const recording = recordingOf(rollout(['', '']), { input });
    const gone = remoteServer('http://127.0.0.1:9', () => Promise.reject(new Error('refused')));
    expect(await replayEpisode(recording, gone)).toMatchObject({
      status: 'unreplayable',
      reason: expect.stringMatching(/cannot be reached: refused/),
    });
    const { environment: _, ...other } = localServer(counter);
    expect(await replayEpisode(recordingOf(rollout(['', ''])), other)).toMatchObject({
      status: 'unreplayable',
      reason: expect.stringMatching(/refused the seed with 422: body.initial_count/),
    });
  });

  test('what is nested too deeply to be sent is not, and says so', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = JSON.stringify({ ...rollout(['', '']), initial_count: 3, expected_count: 5 });
    const record: unknown = JSON.parse(`${text.slice(0, -1)},"more":${deep}}`);
    const { episode } = recordingOf(rollout(['', '']));
    expect(await replayEpisode({ episode, record }, localServer(counter))).toMatchObject({
      status: 'unreplayable',
      reason: expect.stringMatching(/could not be sent/),
    });
  });

  test('its states are not known where the server does not show them', async () => {
    const { states: _, ...blind } = localServer(counter);
    const recording = recordingOf(rollout(['{"success": true}', '{"count": 5}']), { input });
    const replay = await replayEpisode(recording, blind);
    expect(replay).toMatchObject({ status: 'reproduced', states: [] });
    expect(withReplay(recording.episode, replay).gaps.some(({ about }) => about === 'state')).toBe(true);
  });
});

describe('many', () => {
  const recordings = Array.from({ length: 30 }, (_, nth) =>
    recordingOf(rollout(['{"success": true}', nth % 3 === 0 ? '{"count": 9}' : '{"count": 5}']), { input }),
  );

  test('each in its own session, no more than asked for at once', async () => {
    const inner = localServer(counter);
    let under = 0;
    let most = 0;
    const server = {
      ...inner,
      transport: async (request: Parameters<typeof inner.transport>[0]) => {
        most = Math.max(most, ++under);
        await new Promise((done) => setTimeout(done, 1));
        return inner.transport(request).finally(() => (under -= 1));
      },
    };
    const found: Replay[] = [];
    await replayAll(recordings, () => server, {
      concurrency: 5,
      onReplayed: (replay, _, index) => (found[index] = replay),
    });
    expect(found.map(({ status }) => status)).toEqual(
      recordings.map((_, nth) => (nth % 3 === 0 ? 'diverged' : 'reproduced')),
    );
    expect(most).toBe(5);
    expect(new Set(found.map(({ exchanges }) => exchanges[0]?.session)).size).toBe(30);
  });

  test('ends early when it is told to', async () => {
    const stop = new AbortController();
    let told = 0;
    await replayAll(recordings, () => localServer(counter), {
      concurrency: 2,
      signal: stop.signal,
      onReplayed: () => {
        if (++told === 4) stop.abort();
      },
    });
    expect(told).toBeGreaterThanOrEqual(4);
    expect(told).toBeLessThan(8);
  });

  test('where there is no server for one, it says why', async () => {
    const found: Replay[] = [];
    await replayAll(recordings.slice(0, 1), () => 'No such environment.', {
      onReplayed: (replay) => found.push(replay),
    });
    expect(found).toMatchObject([{ status: 'unreplayable', reason: 'No such environment.' }]);
  });
});

test.each([
  ['{"a": 1, "b": 2}', '{"b":2,"a":1}', true],
  ['plain', 'plain', true],
  ['plain', 'other', false],
  ['{"msg_id": 4, "msg_id(invoking_assistant)": 3, "a": 1}', '{"a":1}', true],
  ['{"msg_id": 4, "a": 1}', '{"a":2}', false],
  ['abc...(truncated)...xyz', 'abc and more xyz', true],
  ['abc...(truncated)...xyz', 'abd and more xyz', false],
  ['abc...(truncated)', 'abc and more and more', true],
  ['(truncated)...xyz', 'much more before xyz', true],
  ['(truncated)...xyz', 'much more before xy', false],
])('result %j again as %j: %s', (recorded, replayed, same) => {
  expect(sameResult(recorded, replayed)).toBe(same);
});

describe('the environment of an episode', () => {
  test.each(shippedScripts.map(({ script, environment }) => [script.name, environment.name] as const))(
    '%s is known by its tools as one of %s',
    async (name, environment) => {
      const episode = await playedEpisode(shipped(name));
      expect(guessEnvironment({ ...episode, metrics: {} }, environments)?.environment.name).toBe(environment);
      expect(guessEnvironment(episode, environments)?.environment.name).toBe(environment);
    },
  );

  test('unless its tools are of no environment, or it has none', () => {
    const { episode } = recordingOf(rollout(['', '']));
    expect(guessEnvironment({ ...episode, tools: [], messages: [] }, environments)).toBeUndefined();
    const renamed = JSON.stringify(episode).replaceAll('increment_counter', 'launch');
    expect(guessEnvironment(JSON.parse(renamed), environments)).toBeUndefined();
    const agent = { agent_ref: { name: 'example_session_state_mgmt_simple_agent' } };
    const bare = { ...episode, tools: [], messages: [] };
    expect(guessEnvironment(bare, environments, agent)?.environment.name).toBe('stateful_counter');
  });
});

const corpus = fileURLToPath(new URL('../../../shared/corpus/dev', import.meta.url));
const isPresent = existsSync(corpus);

if (isPresent) describe('rollouts of NeMo Gym, with their task inputs', checkCorpus);
else test('corpus not present', sayAbsent);

function checkCorpus(): void {
  test.each([
    ['example_session_state_mgmt', 'stateful_counter'],
    ['example_multi_step', 'multi_step'],
    ['example_single_tool_call', 'simple_weather'],
  ])('%s: all rewards come out again in %s', async (server, name) => {
    const rollouts = rowsOf(server, 'example_rollouts');
    const inputs = rowsOf(server, 'example');
    const joined = joinInputs(rollouts, inputs);
    expect(rollouts).toHaveLength(5);
    for (const [nth, record] of rollouts.entries()) {
      const recording = recordingOf(record, { input: inputs[joined[nth]?.input ?? -1] });
      const guess = guessEnvironment(recording.episode, environments, record);
      expect(guess?.environment.name).toBe(name);
      const replay = await replayEpisode(recording, localServer(guess?.environment ?? counter));
      expect(replay).toMatchObject({ status: 'reproduced', recordedReward: 1, replayedReward: 1 });
      if (name !== 'stateful_counter') continue;
      // What the policy was told it had come to is what the counter holds at the end.
      const read = replay.calls.findLast(({ call }) => call.name === 'get_counter_value');
      expect(JSON.parse(read?.recorded ?? '')).toEqual(replay.states.at(-1)?.value);
      expect(replay.states.length).toBeGreaterThan(1);
    }
  });
}

function rowsOf(server: string, file: string): unknown[] {
  const name = `NVIDIA-NeMo__Gym__resources_servers__${server}__data__${file}.jsonl`;
  const lines = readFileSync(`${corpus}/${name}`, 'utf8').trim().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}

function sayAbsent(): void {
  process.stderr.write(`corpus not present at ${corpus}: no rollout of NeMo Gym was replayed\n`);
  expect(isPresent).toBe(false);
}
