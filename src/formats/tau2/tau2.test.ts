import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatOf, messageText, viewAt, type Episode } from '../../model';
import type { Format } from '../format';
import { expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import { tau2Results, tau2Simulation } from './tau2';
import {
  indexed,
  messagesOf,
  plannedTurns,
  results,
  simulation,
  spoken,
  tau2Fixtures,
} from './tau2.fixtures';

const importAll = (value: unknown, format: Format): Episode[] => expectSound(format, recordOf(value));

function importOne(value: unknown): Episode {
  const [episode] = importAll(value, tau2Simulation);
  if (episode === undefined) expect.fail('no episode');
  return episode;
}

const reasonsOf = ({ gaps }: Episode): string => gaps.map(({ reason }) => reason).join(' ');

test.each(tau2Fixtures.map(({ name, format, value }) => [name, format, value] as const))(
  'is recognised: %s',
  (_, format, value) => {
    expect(detectFormat(value)?.id).toBe(format);
  },
);

test('the policy sees all but what the user does with tools', () => {
  fc.assert(
    fc.property(plannedTurns, (plan) => {
      const episode = importOne({ ...simulation, messages: messagesOf(plan) });
      const own = plan.flatMap(({ who }, turn) => (who === 'assistant' ? [turn] : []));
      expect(episode.steps).toHaveLength(own.length);
      own.forEach((turn, step) => {
        const seen = viewAt(episode, step).map(({ message }) => messageText(message));
        const expected = plan.slice(0, turn).flatMap(({ who, act }, before) => {
          if (act === 'says') return [`turn ${before}`];
          return who === 'user' ? [] : ['assistant_tool({"at": 1})', `result of call ${before}`];
        });
        expect(seen.map((text) => text.replace('":1', '": 1'))).toEqual(expected);
      });
      const policy = episode.messages.filter(({ origin }) => origin === 'policy');
      expect(policy.every(({ role }) => role === 'assistant')).toBe(true);
    }),
  );
});

test('everything is counted, whoever did it', () => {
  fc.assert(
    fc.property(plannedTurns, (plan) => {
      const [summary] = tau2Simulation.summarise(recordOf({ ...simulation, messages: messagesOf(plan) }));
      const calls = plan.filter(({ act }) => act === 'calls').length;
      expect(summary?.counts).toMatchObject({
        messages: plan.length,
        toolCalls: calls,
        toolResults: calls,
      });
    }),
  );
});

describe('a simulation', () => {
  const episode = importOne(simulation);

  test('greets without a model, and thinks where the provider says so', () => {
    expect(episode.messages[0]).toMatchObject({ role: 'assistant', origin: 'prompt', bornAtStep: -1 });
    expect(episode.steps).toEqual([{ index: 0, unfinished: 'length' }, { index: 1 }, { index: 2 }]);
    expect(episode.messages[2]?.parts[0]).toEqual({ kind: 'reasoning', form: 'full', text: 'look it up' });
  });

  test('shows the last call neither the user’s tools nor their results', () => {
    expect(chatOf(viewAt(episode, 2)).map(({ role, content }) => [role, content])).toEqual([
      ['assistant', 'Hi! How can I help you today?'],
      ['user', 'No signal.'],
      ['assistant', null],
      ['tool', 'result of a1'],
      ['assistant', 'Check your phone.'],
      ['user', 'It is in flight mode.'],
    ]);
    expect(reasonsOf(episode)).toContain("2 messages of the user and the user's own tools");
    expect(reasonsOf(episode)).toContain('dropped from the context of 1 model call');
  });

  test('tells the reward, what it is made of, and the checks', () => {
    expect(episode.outcome).toMatchObject({ reward: 0, termination: 'user_stop' });
    expect({ ...episode.outcome.components }).toEqual({ DB: 0, ACTION: 1 });
    expect(episode.metrics).toMatchObject({
      duration: 12.5,
      agent_cost: 0.1,
      db_match: false,
      action_checks: 2,
      action_checks_met: 1,
    });
  });
});

test('a spoken simulation is put together from its ticks', () => {
  const episode = importOne(spoken);
  expect(episode.messages.map(({ role, parts }) => [role, parts.map(({ kind }) => kind).join()])).toEqual([
    ['assistant', 'text'],
    ['assistant', 'call'],
    ['tool', 'text'],
    ['user', 'text'],
    ['assistant', 'text'],
    ['user', 'call'],
    ['tool', 'text'],
  ]);
  expect(episode.messages.map(({ bornAtStep }) => bornAtStep)).toEqual([0, 0, 0, 0, 1, 1, 1]);
  expect(messageText(episode.messages[0] ?? { parts: [] })).toBe('Let me look.');
  expect(episode.messages[0]?.raw).toEqual(['/ticks/0/agent_chunk', '/ticks/1/agent_chunk']);
  expect(reasonsOf(episode)).toContain('put together from 5 ticks');
  expect(reasonsOf(episode)).toContain('was not evaluated');
});

test('results are rollouts of their tasks', () => {
  const episodes = importAll(results, tau2Results);
  expect(episodes.map(({ task, outcome }) => [task, outcome.reward])).toEqual([
    [{ key: '7', rollout: 2 }, 0],
    [{ key: '7', rollout: 0 }, 1],
  ]);
  expect(episodes[0]).toMatchObject({
    title: 'telecom · Task 7',
    model: 'model-s',
    tools: [{ name: 'look', description: 'Looks.' }],
  });
});

test('an index has rewards and says where the rest is', () => {
  const [entry] = importAll(indexed, tau2Results);
  expect(entry).toMatchObject({ task: { key: '3', rollout: 0 }, outcome: { reward: 0.5 } });
  expect(entry === undefined ? '' : reasonsOf(entry)).toContain('open simulations/sim-9.json');
});
