import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentNamed } from '../../gym';
import { hostGym } from '../../gym/node-host';
import { rollscope } from '../io.fixtures';

/** A rollout as NeMo Gym leaves it, and its task input apart. */
function rollout(add: number, read: number, reward = 1): string {
  return JSON.stringify({
    responses_create_params: { input: [{ role: 'user', content: `add ${add}`, type: 'message' }] },
    response: {
      object: 'response',
      output: [
        { type: 'function_call', call_id: 'c1', name: 'increment_counter', arguments: `{"count":${add}}` },
        { type: 'function_call_output', call_id: 'c1', output: '{"success": true}' },
        { type: 'function_call', call_id: 'c2', name: 'get_counter_value', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c2', output: `{"count": ${read}}` },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
      ],
    },
    reward,
  });
}

function task(add: number): string {
  const input = [{ role: 'user', content: `add ${add}` }];
  return JSON.stringify({ responses_create_params: { input }, initial_count: 10, expected_count: 10 + add });
}

let folder = '';
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollscope-replay-'));
  await writeFile(file('rollouts.jsonl'), [rollout(2, 12), rollout(3, 13), rollout(4, 99)].join('\n'));
  // In another order than the rollouts: they are joined by what was asked.
  await writeFile(file('tasks.jsonl'), [task(4), task(3), task(2)].join('\n'));
  await writeFile(file('good.jsonl'), [rollout(2, 12), rollout(3, 13)].join('\n'));
});

afterAll(() => rm(folder, { recursive: true }));

async function lines(...args: string[]): Promise<{ code: number; told: unknown[]; err: string }> {
  const { code, out, err } = await rollscope(['replay', '--json', ...args]);
  return {
    code,
    told: out.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)])),
    err,
  };
}

describe('rollscope replay', () => {
  test('rollouts with their inputs: what came out, with the state after each step', async () => {
    const { code, told, err } = await lines(file('rollouts.jsonl'), file('tasks.jsonl'));
    expect(told).toMatchObject([
      {
        episode: 0,
        status: 'reproduced',
        environment: 'stateful_counter',
        recordedReward: 1,
        replayedReward: 1,
        states: [
          { step: -1, value: { count: 10 } },
          { step: 0, value: { count: 12 } },
          { step: 1, value: { count: 12 } },
          { step: 2, value: { count: 12 } },
        ],
      },
      { episode: 1, status: 'reproduced' },
      { episode: 2, status: 'diverged', step: 1, reason: expect.stringContaining('get_counter_value') },
    ]);
    expect(err).toContain('3 episodes: 2 reproduced, 1 diverged, 0 cannot be replayed');
    expect(code).toBe(1);
  });

  test('all well is 0; the inputs may come first', async () => {
    const { code, told } = await lines(file('tasks.jsonl'), file('good.jsonl'));
    expect(told).toMatchObject([{ status: 'reproduced' }, { status: 'reproduced' }]);
    expect(code).toBe(0);
  });

  test('without the inputs it says what is missing', async () => {
    const { code, told } = await lines(file('good.jsonl'));
    expect(told[0]).toMatchObject({
      status: 'unreplayable',
      recordedReward: 1,
      replayedReward: null,
      reason: expect.stringContaining('initial_count'),
      states: [],
    });
    expect(code).toBe(1);
  });

  test('against a server at an address, whose states nobody sees', async () => {
    const counter = environmentNamed('stateful_counter');
    const host = await hostGym({ environments: counter ?? [], port: 0, accessLog: false });
    try {
      const { code, told } = await lines(file('good.jsonl'), file('tasks.jsonl'), '--env', host.url);
      expect(told[1]).toMatchObject({
        status: 'reproduced',
        environment: host.url,
        replayedReward: 1,
        states: [],
      });
      expect(code).toBe(0);
      expect(await host.gym.sessions('stateful_counter')).toHaveLength(2);
    } finally {
      await host.close();
    }
  });

  test('in an environment that was named, though it is another', async () => {
    const { code, told } = await lines(file('good.jsonl'), file('tasks.jsonl'), '--env', 'simple_weather');
    expect(told[0]).toMatchObject({ status: 'diverged', step: 0, environment: 'simple_weather' });
    expect(code).toBe(1);
  });

  test('for people, a line each', async () => {
    const { out } = await rollscope(['replay', file('rollouts.jsonl'), file('tasks.jsonl')]);
    const [first = '', , third = ''] = out.split('\n');
    expect(first).toMatch(
      /episode 0: reproduced in stateful_counter \(reward 1 recorded, 1 replayed\); state \[seed\] \{"count":10\} \[0\] \{"count":12\}/,
    );
    expect(third).toMatch(
      /episode 2: diverged at step 1 .*: The result of get_counter_value at step 1 differs/,
    );
  });

  test('from standard input', async () => {
    const both = [task(2), rollout(2, 12)].join('\n');
    const { code, out } = await rollscope(['replay', '--json', '-'], both);
    expect(JSON.parse(out)).toMatchObject({ path: '-', episode: 1, status: 'reproduced' });
    expect(code).toBe(0);
  });

  test.each([[[]], [['--env', 'nowhere', 'x.jsonl']], [['--concurrency', 'many', 'x.jsonl']]])(
    'what is not understood is 2: %j',
    async (args) => {
      expect((await rollscope(['replay', ...args])).code).toBe(2);
    },
  );

  test('a file that is not there is 1', async () => {
    expect((await rollscope(['replay', file('gone.jsonl')])).code).toBe(1);
  });
});
