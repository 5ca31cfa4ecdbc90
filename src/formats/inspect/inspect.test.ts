import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrayAt, chatOf, lintEpisode, messageText, toolCallsOf, viewAt, type Episode } from '../../model';
import type { Format } from '../format';
import { expectSound, recordOf } from '../harness.fixtures';
import { callLogs, seen } from '../model-calls.fixtures';
import { detectFormat } from '../registry';
import { inspectEvalZip, inspectJson } from './inspect';
import {
  headOnly,
  inspectFixtures,
  log,
  older,
  pooled,
  sample,
  sampleOf,
  type Keeping,
} from './inspect.fixtures';

function importOne(value: unknown, format: Format = inspectEvalZip): Episode {
  const [episode] = expectSound(format, recordOf(value));
  if (episode === undefined) expect.fail('no episode');
  return episode;
}

const reasonsOf = ({ gaps }: Episode): string => gaps.map(({ reason }) => reason).join(' ');

test.each(inspectFixtures.map(({ name, format, value }) => [name, format, value] as const))(
  'is recognised: %s',
  (_, format, value) => {
    expect(detectFormat(value)?.id).toBe(format);
  },
);

function said(id: string, role: string, content: string): object {
  return { id, role, content };
}

function model(input: object[], message: object): object {
  return { event: 'model', input, output: { choices: [{ message }] } };
}

test('a compaction takes messages out of the context, and its summary stands for them', () => {
  const [task, first, more, second] = [
    said('a', 'user', 'Read the log.'),
    said('b', 'assistant', 'Page one is read.'),
    said('c', 'user', 'Go on.'),
    said('d', 'assistant', 'Page two is read.'),
  ];
  const summary = said('e', 'user', 'So far: two pages were read.');
  const events = [
    model([task], first),
    model([task, first, more], second),
    { event: 'compaction', type: 'summary', tokens_before: 900, tokens_after: 120 },
    model([task, summary], said('f', 'assistant', 'Done.')),
  ];
  const episode = importOne({ ...sample, messages: [], events });
  expect(episode.edits).toEqual([
    { step: 1, kind: 'compact', msgIds: [1, 2, 3], summary: 4, tokensBefore: 900, tokensAfter: 120 },
  ]);
  expect(viewAt(episode, 2).map(({ state }) => state)).toEqual([
    'verbatim',
    'removed',
    'removed',
    'removed',
    'verbatim',
  ]);
  expect(episode.gaps.some(({ about }) => about === 'views')).toBe(false);
});

test('with compactions anywhere, the views are what was sent', () => {
  fc.assert(
    fc.property(callLogs, fc.infiniteStream(fc.boolean()), (calls, compacts) => {
      const sent = sampleOf(calls, 'inline');
      const events = (arrayAt(sent, 'events') ?? []).flatMap((event) =>
        compacts.next().value === true ? [{ event: 'compaction', type: 'trim' }, event] : [event],
      );
      const value = { ...sent, events };
      // Written as Python writes a float.
      const text = JSON.stringify(value).replaceAll('"at":1', '"at":1.0');
      const episode = inspectEvalZip.episode({ value, text, index: 0, line: 1 }, 0);
      calls.forEach(({ context }, step) => {
        const shown = viewAt(episode, step).filter(({ state }) => state !== 'removed');
        expect(chatOf(shown)).toEqual(context.map(seen));
      });
    }),
  );
});

test.each<[Keeping]>([['inline'], ['pooled'], ['without ids']])(
  'the views are what the model events say was sent: %s',
  (keeping) => {
    fc.assert(
      fc.property(callLogs, (calls) => {
        const value = sampleOf(calls, keeping);
        // Written as Python writes a float.
        const text = JSON.stringify(value).replaceAll('"at":1', '"at":1.0');
        const episode = inspectEvalZip.episode({ value, text, index: 0, line: 1 }, 0);
        expect(episode.steps).toHaveLength(calls.length);
        calls.forEach(({ context, emitted }, step) => {
          expect(chatOf(viewAt(episode, step))).toEqual(context.map(seen));
          const said = episode.messages.filter(
            ({ bornAtStep, origin }) => bornAtStep === step && origin === 'policy',
          );
          expect(chatOf(said.map((message) => ({ state: 'verbatim', message })))).toEqual([seen(emitted)]);
        });
        const goesOn = calls.every(
          ({ context }, nth) => nth === 0 || context.some((message) => message === calls[nth - 1]?.emitted),
        );
        expect(episode.gaps.some(({ about }) => about === 'views')).toBe(!goesOn);
        // Every message once.
        const all = new Set(calls.flatMap(({ context, emitted }) => [...context, emitted]));
        expect(episode.messages).toHaveLength(all.size);
      }),
    );
  },
);

describe('a sample', () => {
  const episode = importOne(sample);

  test('has attachments in the places they were taken from', () => {
    expect(episode.messages[0]?.parts).toEqual([
      { kind: 'text', text: 'What is in the picture?' },
      { kind: 'image', url: 'data:image/png;base64,AA==', detail: 'auto' },
    ]);
    expect(episode.messages.flatMap(toolCallsOf)[0]?.arguments).toBe('{"cmd": "sleep \\"5\\""}');
    expect(episode.tools).toMatchObject([{ name: 'bash', description: 'sleep "5"' }]);
  });

  test('shows encrypted thoughts as such, and what went wrong with a tool', () => {
    expect(episode.messages[1]?.parts.slice(0, 2)).toEqual([
      { kind: 'reasoning', form: 'summary', text: 'I look.' },
      { kind: 'sealed', bytes: 6 },
    ]);
    const result = episode.messages.find(({ role }) => role === 'tool');
    expect(result).toMatchObject({ toolName: 'bash', toolResultFor: ['c1'] });
    expect(result === undefined ? '' : messageText(result)).toBe('It took too long.');
  });

  test('takes calls inside a tool for steps that branch off, and those of scorers for none', () => {
    expect(episode.steps).toHaveLength(3);
    expect(chatOf(viewAt(episode, 1))).toEqual([{ role: 'user', content: 'Sub.' }]);
    expect(viewAt(episode, 2).map(({ message }) => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(episode.metrics).toMatchObject({ model_calls: 3, scorer_model_calls: 1, failed_model_calls: 1 });
    expect(reasonsOf(episode)).toContain('The contexts of 2 model calls do not go on from the call before');
  });

  test('has the first number for its reward, and the first grade for its verdict', () => {
    expect(episode.outcome).toEqual({ components: {}, reward: 0.5, verdict: 'C' });
    expect(episode.task).toEqual({ key: 'bike', rollout: 2 });
    expect(episode.metrics).toMatchObject({
      'score.match': 'C',
      'score.style': 0.5,
      'score.parts.a': 1,
      'metadata.level': 3,
      input_tokens: 6,
      output_tokens: 2,
    });
  });

  test('is counted by its messages', () => {
    const [summary] = inspectEvalZip.summarise(recordOf(sample));
    expect(summary?.counts).toMatchObject({ messages: 3, toolCalls: 1, toolResults: 1, reasoning: 1 });
  });
});

test.each([
  [{ match: { value: 'I' } }, { verdict: 'I', noReward: 'never-kept' }, []],
  [{ match: { value: NaN } }, { noReward: 'not-a-number' }, ['reward-not-a-number']],
  [{}, {}, ['reward-missing']],
  [{ judge: { value: 'P' }, close: { value: -1 } }, { verdict: 'P', reward: -1 }, []],
])('scores %j', (scores, outcome, rules) => {
  const episode = importOne({ ...older, score: undefined, scores });
  expect(episode.outcome).toEqual({ components: {}, ...outcome });
  const found = lintEpisode(episode).map(({ rule }) => rule);
  expect(found.filter((rule) => rule.startsWith('reward'))).toEqual(rules);
});

test('what a tool answered after the last call, and why it ended', () => {
  const episode = importOne(pooled);
  expect(chatOf(viewAt(episode, 1)).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  expect(episode.outcome).toMatchObject({ termination: 'message limit', reward: 0 });
});

test('logs of 2024: a transcript, contents apart from it, one score', () => {
  const episode = importOne(older);
  expect(chatOf(viewAt(episode, 0))).toEqual([{ role: 'user', content: 'Say yes.' }]);
  expect(episode.steps).toHaveLength(1);
  expect(episode.messages).toHaveLength(2);
  expect(episode.outcome.verdict).toBe('I');
  expect(episode.metrics['scorer_model_calls']).toBe(1);
});

test('without events every message of the assistant is a step', () => {
  const { transcript: _, ...rest } = older;
  const episode = importOne(rest);
  expect(episode.steps).toHaveLength(1);
  expect(reasonsOf(episode)).toContain('no events of model calls');
  expect(importOne({ ...rest, messages: [] }).messages).toMatchObject([{ role: 'user', raw: ['/input'] }]);
});

test('a log has an episode for every sample, and its model for their model', () => {
  const episodes = expectSound(inspectJson, recordOf(log));
  expect(episodes.map(({ id, model, task }) => [id, model, task?.key])).toEqual([
    ['0', 'openai/model-s', 'bike'],
    ['0.1', 'openai/model-s', '1'],
  ]);
  expect(episodes[1]?.outcome.error).toBe('It broke.');
  expect(episodes[1]?.messages.every(({ raw }) => raw[0]?.startsWith('/samples/1/'))).toBe(true);
});

test('a log without samples says what it knows of the evaluation', () => {
  const episode = importOne(headOnly, inspectJson);
  expect(episode).toMatchObject({
    title: 'pictures',
    outcome: { termination: 'error', error: 'No API key.' },
    metrics: { 'match.accuracy': 0.5, model: 'openai/model-s' },
  });
});
