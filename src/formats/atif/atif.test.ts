import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatOf, lintEpisode, messageText, toolCallsOf, viewAt, type Episode } from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { atif } from './atif';
import { handedOn, oneScreen, plannedRuns, runOf } from './atif.fixtures';
import { trajectory } from './trajectory.fixtures';

const importAll = (value: unknown): Episode[] => expectSound(atif, recordOf(value));

function importOne(value: unknown): Episode {
  const [episode] = importAll(value);
  if (episode === undefined) expect.fail('no episode');
  return episode;
}

describe('a run', () => {
  test('has a step for every model call, and its view is all that was there before', () => {
    fc.assert(
      fc.property(plannedRuns, (plan) => {
        const episode = importOne(runOf(plan));
        const calls = plan.flatMap(({ source, isCopied }, step) =>
          source === 'agent' && !isCopied ? [step] : [],
        );
        expect(episode.steps).toHaveLength(calls.length);
        calls.forEach((call, step) => {
          const seen = viewAt(episode, step).map(({ message }) => messageText(message));
          const said = plan.slice(0, call).map((_, each) => `said ${each}`);
          const told = seen.flatMap((text) => /said \d+/.exec(text)?.[0] ?? []);
          expect(told).toEqual(said);
        });
      }),
    );
  });

  test('answers each call with the result it had, named or not', () => {
    fc.assert(
      fc.property(plannedRuns, (plan) => {
        for (const message of importOne(runOf(plan)).messages) {
          if (message.role !== 'tool') continue;
          expect(messageText(message)).toBe(`result of ${message.toolResultFor?.join()}`);
        }
      }),
    );
  });

  test('is counted by what its steps hold', () => {
    fc.assert(
      fc.property(plannedRuns, (plan) => {
        const [summary] = atif.summarise(recordOf(runOf(plan)));
        const agents = plan.filter(({ source }) => source === 'agent');
        const results = agents.map(({ calls, results }) =>
          calls === 0 || results === 'none' ? 0 : results === 'shared' ? 1 : calls,
        );
        expect(summary?.counts).toMatchObject({
          messages: plan.length,
          toolCalls: agents.reduce((sum, { calls }) => sum + calls, 0),
          toolResults: results.reduce((sum, count) => sum + count, 0),
          reasoning: agents.filter(({ thinks }) => thinks).length,
        });
        expect(summary?.metrics['recorded_steps']).toBe(plan.length);
      }),
    );
  });
});

test('one screen answers both calls, and lint says so', () => {
  const episode = importOne(oneScreen);
  const screen = episode.messages.find(({ role }) => role === 'tool');
  expect(screen?.toolResultFor).toEqual(['c1', 'c2']);
  expect(lintEpisode(episode).map(({ rule }) => rule)).toEqual(['shared-result']);
});

test('token ids of a step are those of its call', () => {
  const { steps, gaps } = importOne(oneScreen);
  expect(steps[0]?.tokens).toEqual({
    promptIds: Int32Array.of(1, 2, 3),
    generationIds: Int32Array.of(4, 5),
    logprobs: Float32Array.of(-0.5, -0.25),
  });
  expect(steps[1]?.tokens).toBeUndefined();
  expect(gaps.find(({ about }) => about === 'tokens')?.reason).toMatch(/^Some model calls/);
});

test.each([
  [{ completion_token_ids: [1] }, /without those of their prompts/],
  [{ completion_token_ids: [1.5], prompt_token_ids: [1] }, /not all whole numbers/],
  [{ prompt_tokens: 3 }, /^This trajectory has no token ids/],
])('says what is wrong with the token ids of %j', (metrics, reason) => {
  const { steps, gaps } = importOne(trajectory([{ source: 'agent', message: 'x', metrics }]));
  expect(steps[0]?.tokens).toBeUndefined();
  expect(gaps.find(({ about }) => about === 'tokens')?.reason).toMatch(reason);
});

describe('a trajectory that was handed on', () => {
  const [root, sub] = importAll(handedOn);

  test('shows copied and dispatched steps as given, and they are no steps', () => {
    expect(root?.messages.map(({ role, origin }) => [role, origin])).toEqual([
      ['system', 'prompt'],
      ['user', 'prompt'],
      ['assistant', 'prompt'],
      ['tool', 'prompt'],
      ['assistant', 'prompt'],
      ['assistant', 'policy'],
      ['tool', 'environment'],
      ['tool', 'environment'],
    ]);
    expect(root?.steps).toHaveLength(1);
  });

  test('says what is elsewhere, and which steps are not what they seem', () => {
    const reasons = root?.gaps.map(({ reason }) => reason).join(' ') ?? '';
    expect(reasons).toContain('2 steps were copied from an earlier trajectory');
    expect(reasons).toContain('stands for 2 model calls');
    expect(reasons).toContain('files of their own: sub.json.');
    expect(reasons).toContain('goes on in another file: trajectory.cont-1.json.');
  });

  test('has its subagent as an episode of its own', () => {
    expect(sub).toMatchObject({
      id: '0.1',
      title: 'reader: Read it.',
      metrics: { subagent_of: 'helper', trajectory_id: 'sub-1', recorded_steps: 2 },
    });
    expect(sub?.messages[0]?.parts[1]).toEqual({ kind: 'image', url: 'images/page.png' });
    expect(sub?.messages[1]?.parts[0]).toMatchObject({ kind: 'reasoning', form: 'inline' });
  });
});

test('arguments keep the numbers and the order of keys they had', () => {
  const text = `{"schema_version": "ATIF-v1.6", "steps": [{"source": "agent", "message": "",
    "tool_calls": [{"tool_call_id": "c", "function_name": "f", "arguments": {"10": 1.0, "2": 12345678901234567890}}]}]}`;
  const episode = atif.episode({ value: JSON.parse(text), text, index: 0, line: 1 }, 0);
  expect(episode.messages.flatMap(toolCallsOf)[0]?.arguments).toBe('{"10": 1.0, "2": 12345678901234567890}');
});

test('a result on a step of its own answers the calls before it', () => {
  const episode = importOne(
    trajectory([
      {
        source: 'agent',
        message: '',
        tool_calls: [{ tool_call_id: 'c', function_name: 'f', arguments: {} }],
      },
      { source: 'system', message: '', observation: { results: [{ content: '7' }] } },
    ]),
  );
  expect(chatOf(viewAt(episode, 1))).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'c' }] },
    { role: 'tool', tool_call_id: 'c', content: '7' },
  ]);
});

test('other JSON is not its own', () => {
  expect(atif.confidence({ schema_version: '1.0', steps: [] })).toBe(0);
  expect(atif.confidence({ trajectory: [], history: [], info: {} })).toBe(0);
  expect(atif.confidence([handedOn])).toBe(0);
});
