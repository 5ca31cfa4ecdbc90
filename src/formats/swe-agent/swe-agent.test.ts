import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatOf, ghostsAt, messageText, viewAt, type Episode } from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import { bareMessageArray, miniSweAgent } from './mini';
import { sweAgentTraj } from './swe-agent';
import {
  bare,
  functionCalling,
  historyOnly,
  mini,
  miniResponses,
  retried,
  shortenedRuns,
  stepsOnly,
  sweAgentFixtures,
  thoughtAction,
} from './swe-agent.fixtures';

const importAll = (value: unknown): Episode[] => expectSound(sweAgentTraj, recordOf(value));
const reasonsOf = ({ gaps }: Episode): string => gaps.map(({ reason }) => reason).join(' ');

function only(episodes: readonly Episode[]): Episode {
  const [episode] = episodes;
  if (episode === undefined || episodes.length > 1) expect.fail(`${episodes.length} episodes`);
  return episode;
}

test.each(sweAgentFixtures.map(({ name, format, value }) => [name, format, value] as const))(
  'is recognised: %s',
  (_, format, value) => {
    expect(detectFormat(value)?.id).toBe(format);
  },
);

test('the views are what was sent, where that is recorded', () => {
  fc.assert(
    fc.property(shortenedRuns, ({ run, queries }) => {
      const episode = only(importAll(run));
      expect(episode.steps).toHaveLength(queries.length);
      queries.forEach((query, step) => {
        const seen = chatOf(viewAt(episode, step)).map(({ role, content }) => ({ role, content }));
        expect(seen).toEqual(query);
      });
    }),
  );
});

describe('with actions in the text', () => {
  const episode = only(importAll(thoughtAction));

  test('a demonstration is given and no step', () => {
    expect(episode.messages.map(({ origin }) => origin)).toEqual([
      ...Array.from({ length: 4 }, () => 'prompt'),
      'policy',
      'environment',
      'policy',
    ]);
    expect(reasonsOf(episode)).toContain('2 messages are of a demonstration');
  });

  test('what the configuration says is told, as object or as text', () => {
    const { replay_config: text, ...rest } = thoughtAction;
    const asObject = only(importAll({ ...rest, replay_config: JSON.parse(text) }));
    for (const each of [episode, asObject]) {
      expect(each).toMatchObject({ title: 'comma-1', task: { key: 'comma-1' }, model: 'model-s' });
      expect(reasonsOf(each)).toContain('changed by last_n_observations');
    }
  });

  test('the end, the cost and the number of steps are told', () => {
    expect(episode.outcome).toEqual({ components: {}, noReward: 'never-kept', termination: 'submitted' });
    expect({ ...episode.metrics }).toEqual({
      api_calls: 2,
      instance_cost: 0.5,
      trajectory_steps: 2,
      submitted: true,
    });
  });
});

describe('with tool calls', () => {
  const episode = only(importAll(functionCalling));

  test('results answer their calls, and thoughts are kept', () => {
    const [thought, sealed] = episode.messages[2]?.parts ?? [];
    expect(thought).toEqual({ kind: 'reasoning', form: 'full', text: 'ls first' });
    expect(sealed).toEqual({ kind: 'sealed', bytes: 4 });
    expect(episode.messages.flatMap(({ toolResultFor }) => toolResultFor ?? [])).toEqual(['c1', 'c2']);
  });

  test('an observation that was shortened is a ghost', () => {
    expect(ghostsAt(episode, 1)).toEqual([]);
    expect(ghostsAt(episode, 2).map(({ message, edit }) => [messageText(message), edit.stub])).toEqual([
      ['a.py', 'Old output: (1 line omitted)'],
    ]);
  });

  test('a query that is another conversation is said, and not guessed at', () => {
    const trajectory = functionCalling.trajectory.map((step) => ({ ...step, query: [] }));
    const other = only(importAll({ ...functionCalling, trajectory }));
    expect(other.edits).toEqual([]);
    expect(reasonsOf(other)).toContain('do not hold the messages of the history');
  });
});

test('a file of nothing but history, or nothing but steps, opens', () => {
  expect(only(importAll(historyOnly))).toMatchObject({ title: 'The parser drops commas.' });
  const steps = only(importAll(stepsOnly));
  expect(steps.messages.map(messageText)).toEqual([
    'Look.\n```\nls\n```',
    'a.py',
    'Done.\n```\nsubmit\n```',
    '',
  ]);
  expect(reasonsOf(steps)).toContain('This file has no history');
});

test('every attempt is an episode of the same task', () => {
  const episodes = importAll(retried);
  expect(episodes.map(({ task }) => task)).toEqual([
    { key: 'comma-1', attempt: 0 },
    { key: 'comma-1', attempt: 1 },
  ]);
  expect(episodes.map(({ metrics }) => metrics['best_attempt'])).toEqual([false, true]);
  expect(episodes.map(({ outcome }) => outcome.termination)).toEqual(['exit_cost', 'submitted']);
});

test('mini-swe-agent 2: calls, results, thoughts, the exit, and an answer that was cut off', () => {
  const episode = only(expectSound(miniSweAgent, recordOf(mini)));
  expect(chatOf(viewAt(episode, 1))).toMatchObject([
    { role: 'system' },
    { role: 'user' },
    { role: 'assistant', reasoning_content: 'ls first', tool_calls: [{ id: 'c1' }] },
    { role: 'tool', tool_call_id: 'c1' },
    { role: 'exit' },
  ]);
  expect(episode).toMatchObject({
    task: { key: 'comma-1' },
    model: 'model-s',
    steps: [{ index: 0, unfinished: 'length' }],
    outcome: { termination: 'Submitted' },
    metrics: { api_calls: 2, mini_version: '2.2.7' },
  });
  const [summary] = miniSweAgent.summarise(recordOf(mini));
  expect(summary?.counts).toMatchObject({ messages: 4, toolCalls: 1, toolResults: 1, reasoning: 1 });
});

test('mini-swe-agent behind the Responses API: a response is a step', () => {
  const { messages, steps } = only(expectSound(miniSweAgent, recordOf(miniResponses)));
  expect(steps).toHaveLength(2);
  expect(messages.map(({ role, bornAtStep }) => [role, bornAtStep])).toEqual([
    ['user', -1],
    ['assistant', 0],
    ['tool', 0],
    ['assistant', 1],
  ]);
  expect(messages[1]?.parts.map(({ kind }) => kind)).toEqual(['reasoning', 'text', 'call']);
  const [summary] = miniSweAgent.summarise(recordOf(miniResponses));
  expect(summary?.counts).toMatchObject({ messages: 3, toolCalls: 1, toolResults: 1, reasoning: 1 });
});

test('a bare array is one conversation, and a list of other things is none', () => {
  const episode = only(expectSound(bareMessageArray, recordOf(bare)));
  expect(episode.steps).toHaveLength(2);
  expect(episode.title).toBe('Fix it.');
  for (const value of [[], [{ role: 'user' }], [{ messages: bare }], bare[0], [...bare, 3]]) {
    expect(bareMessageArray.confidence(value)).toBe(0);
  }
});
