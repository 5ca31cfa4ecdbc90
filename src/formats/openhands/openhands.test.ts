import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatOf, toolCallsOf, viewAt, type Episode } from '../../model';
import type { Format } from '../format';
import { expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import { openhandsEvents, openhandsOutput } from './openhands';
import {
  evaluation,
  eventsOf,
  openhandsFixtures,
  parallel,
  plainActions,
  plannedResponses,
  sdkEvents,
} from './openhands.fixtures';

function importOne(value: unknown, format: Format = openhandsEvents): Episode {
  const [episode] = expectSound(format, recordOf(value));
  if (episode === undefined) expect.fail('no episode');
  return episode;
}

const countsOf = (value: unknown): unknown => openhandsEvents.summarise(recordOf(value))[0]?.counts;

test.each(openhandsFixtures.map(({ name, format, value }) => [name, format, value] as const))(
  'is recognised: %s',
  (_, format, value) => {
    expect(detectFormat(value)?.id).toBe(format);
  },
);

test('a response is a step with all its calls, and each call has its result', () => {
  fc.assert(
    fc.property(plannedResponses, (plan) => {
      const episode = importOne(eventsOf(plan));
      expect(episode.steps).toHaveLength(plan.length);
      plan.forEach((calls, step) => {
        const born = episode.messages.filter(({ bornAtStep }) => bornAtStep === step);
        const ids = Array.from({ length: calls }, (_, nth) => `call ${step}.${nth}`);
        expect(born.flatMap(toolCallsOf).map(({ callId }) => callId)).toEqual(ids);
        expect(born.flatMap(({ toolResultFor }) => toolResultFor ?? [])).toEqual(ids);
      });
      const calls = plan.reduce((sum, count) => sum + count, 0);
      expect(countsOf(eventsOf(plan))).toMatchObject({ messages: 1, toolCalls: calls, toolResults: calls });
    }),
  );
});

test('the model sees one message with both calls, then their results', () => {
  const episode = importOne(parallel);
  expect(chatOf(viewAt(episode, 1))).toMatchObject([
    { role: 'system' },
    { role: 'user', content: 'Fix it.' },
    {
      role: 'assistant',
      content: 'thought of r1',
      reasoning_content: 'hm',
      tool_calls: [{ id: 'c1', function: { arguments: '{"command": "ls"}' } }, { id: 'c2' }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'files 3' },
    { role: 'tool', tool_call_id: 'c2', content: 'files 5' },
  ]);
  expect(episode).toMatchObject({
    model: 'model-s',
    tools: [{ name: 'execute_bash' }],
    outcome: { termination: 'finished' },
    metrics: { events: 11 },
  });
  expect(countsOf(parallel)).toMatchObject({ messages: 3, toolCalls: 3, toolResults: 3, reasoning: 1 });
});

describe('without function calling', () => {
  const episode = importOne(plainActions);

  test('an observation answers the action that caused it', () => {
    const [call] = episode.messages.flatMap(toolCallsOf);
    expect(call).toEqual({ callId: '1', name: 'run', arguments: '{"command":"ls"}' });
    expect(episode.messages.flatMap(({ toolResultFor }) => toolResultFor ?? [])).toEqual(['1']);
  });

  test('what else the environment said is in the history under its own name', () => {
    expect(episode.messages.flatMap(({ roleLabel }) => roleLabel ?? [])).toEqual([
      'error',
      'recall',
      'summary',
    ]);
    expect(episode.outcome).toMatchObject({ termination: 'error', error: 'It broke.' });
  });

  test('a condensation takes what it names out of the views after it', () => {
    const states = (step: number): string[] => viewAt(episode, step).map(({ state }) => state);
    expect(states(2).filter((state) => state === 'removed')).toHaveLength(2);
    expect(states(1)).not.toContain('removed');
    expect(episode.edits).toMatchObject([{ step: 1, kind: 'compact' }]);
    expect(episode.messages.find(({ msgId }) => msgId === episode.edits[0]?.summary)?.roleLabel).toBe(
      'summary',
    );
  });
});

test('events of the SDK: parallel actions, errors, tokens, condensation, state', () => {
  const episode = importOne(sdkEvents);
  expect(episode.steps).toEqual([
    { index: 0, tokens: { promptIds: Int32Array.of(1, 2), generationIds: Int32Array.of(3) } },
    { index: 1 },
  ]);
  expect(chatOf(viewAt({ ...episode, edits: [] }, 1))).toMatchObject([
    { role: 'system', content: 'You fix.' },
    { role: 'user' },
    {
      role: 'assistant',
      content: 'Look.',
      reasoning_content: 'hm',
      tool_calls: [{ id: 'c1' }, { id: 'c2' }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'files c1' },
    { role: 'tool', tool_call_id: 'c2', content: 'no such tool' },
    { role: 'summary', content: 'It looked.' },
  ]);
  expect(viewAt(episode, 1).map(({ state }) => state)).toEqual([
    'verbatim',
    'verbatim',
    'removed',
    'removed',
    'removed',
    'verbatim',
  ]);
  expect(episode.outcome.termination).toBe('finished');
  expect(countsOf(sdkEvents)).toMatchObject({ messages: 3, toolCalls: 2, toolResults: 2, reasoning: 2 });
});

test('early events of the SDK have no kind', () => {
  const untold = sdkEvents.slice(0, 6).map((event) => ({ ...event, kind: undefined }));
  expect(openhandsEvents.confidence(untold)).toBeGreaterThan(0);
  expect(importOne(untold).messages).toEqual(importOne(sdkEvents.slice(0, 6)).messages);
});

test('an evaluation says which instance, which model, what it cost and how it ended', () => {
  expect(importOne(evaluation, openhandsOutput)).toMatchObject({
    title: 'comma-1',
    task: { key: 'comma-1' },
    model: 'model-e',
    outcome: { verdict: 'resolved', noReward: 'never-kept' },
    metrics: { accumulated_cost: 0.25, events: 4, resolved: true },
  });
});

test('one event a line is the same as an array of them', () => {
  for (const event of [...parallel, ...sdkEvents])
    expect(openhandsEvents.confidence(event)).toBeGreaterThan(0);
  expect(openhandsEvents.confidence({ source: 'web', action: 'click' })).toBe(0);
  expect(openhandsEvents.confidence({ source: 'a', kind: 'b' })).toBe(0);
});
