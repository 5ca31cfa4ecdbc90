import { describe, expect, test } from 'vitest';
import type { Episode } from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import { nemoGymFixtures } from './nemo-gym.fixtures';

function imported(name: string): Episode {
  const fixture = nemoGymFixtures.find((each) => each.name === name);
  const format = detectFormat(fixture?.value);
  if (fixture === undefined || format === undefined) throw new Error(`no fixture called ${name}`);
  const [episode] = expectSound(format, recordOf(fixture.value));
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

describe('detection', () => {
  test.each(nemoGymFixtures.map((fixture) => [fixture.name, fixture] as const))(
    '%s',
    (_, { value, format }) => {
      expect(detectFormat(value)?.id).toBe(format);
    },
  );

  test.each([
    [{ reward: 1 }],
    [{ reward: 'high', reward_answer: 1 }],
    [{ response: 'text', reward: 1 }],
    [{ responses_create_params: 'text' }],
    [{ sample: {}, 'max/reward': 1 }],
    [{ agent_ref: {}, reward: null }],
    [[]],
    [null],
    ['responses_create_params'],
  ])('%j is not of NeMo Gym', (value) => {
    expect(detectFormat(value)?.id).toBe('json');
  });
});

describe('what is not a rollout', () => {
  test('a failed attempt says how it failed', () => {
    expect(imported('a failed attempt')).toMatchObject({
      title: 'task 2 · rollout 0 · attempt 1',
      task: { key: '2', rollout: 0, attempt: 1 },
      outcome: { termination: 'timeout_exceeded' },
      steps: [],
      messages: [{ origin: 'prompt', parts: [{ text: 'Add 1.' }] }],
      gaps: [{ about: 'messages' }, { about: 'state' }, { about: 'timing' }, { about: 'reward' }],
    });
  });

  test('a task has a prompt, tools and its numbers', () => {
    expect(imported('a task')).toMatchObject({
      title: 'id 9',
      task: { key: '9' },
      tools: [{ name: 'add' }],
      steps: [],
      messages: [{ role: 'user', origin: 'prompt' }],
      metrics: { expected_count: 6, initial_count: 3 },
    });
    expect(imported('a planned rollout').title).toBe('task 0 · rollout 4');
  });

  test('a reward profile shows its task and counts none of it', () => {
    expect(imported('a reward profile')).toMatchObject({
      title: 'task 28',
      messages: [{ raw: ['/sample/responses_create_params/input/0'] }],
      metrics: { 'mean/reward': 0.5, 'std/reward': 0.5, num_rollouts: 2 },
      outcome: { components: {}, noReward: 'never-kept' },
    });
  });

  test.each([
    ['aggregate metrics', { 'mean/reward': 0.2, 'pass@1/reward': 0.2, tasks: 1 }],
    ['agent metrics', { 'mean/reward': 0.4, 'max/hit': 1 }],
  ])('%s are one row per agent, shown as they are', (name, metrics) => {
    const episode = imported(name);
    expect(episode).toMatchObject({
      title: 'simple_agent',
      steps: [],
      messages: [{ roleLabel: 'record', parts: [{ kind: 'json' }] }],
    });
    expect(episode.metrics).toEqual(metrics);
  });

  test("an environment's own row has the answer as its only step", () => {
    expect(imported("a row of the environment's own")).toMatchObject({
      title: 'age-1',
      steps: [{ index: 0 }],
      messages: [{ origin: 'policy', raw: ['/policy_response'], parts: [{ text: 'The older one.' }] }],
      outcome: { reward: 0.5, components: { answer: 1, style: 0.5 } },
    });
    expect(imported('a row without an answer')).toMatchObject({
      title: 'Who?',
      steps: [],
      outcome: { reward: 0.5 },
    });
  });
});
