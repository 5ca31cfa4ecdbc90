import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chatOf,
  contextIds,
  lintEpisode,
  maskOfSpans,
  partText,
  samplesOf,
  viewAt,
  type Episode,
} from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { callLogs, contextIdsOf, idsOf, seen } from '../model-calls.fixtures';
import { detectFormat } from '../registry';
import { verifiersResults } from './results';
import { resultFrom, resultNamed, type ResultName } from './verifiers.fixtures';

function episodeOf(value: unknown): Episode {
  const [episode] = expectSound(verifiersResults, recordOf(value, 3));
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

const imported = (name: ResultName): Episode => episodeOf(resultNamed(name));

function told({ messages }: Episode): string[] {
  return messages.map(({ bornAtStep, origin, role, parts, follows }) => {
    const after = follows === undefined ? '' : ` after ${follows}`;
    return `${bornAtStep} ${origin} ${role}${after}: ${parts.map((part) => `${part.kind} ${partText(part)}`).join(' | ')}`;
  });
}

const reasons = ({ gaps }: Episode, about: string): string[] =>
  gaps.filter((gap) => gap.about === about).map(({ reason }) => reason);

describe('the history', () => {
  const linear = [
    '-1 prompt user: text Weather?',
    '0 policy assistant: reasoning look | call look({})',
    '0 environment tool: text rain',
    '1 policy assistant: text Rain.',
  ];
  test.each<[ResultName, string[]]>([
    ['two calls with their tokens', linear],
    ['no trajectory', linear],
    ['a trajectory that branches', [...linear, '2 policy assistant after 0: text Sun?']],
    ['a result after the last call', linear.slice(0, 3)],
    ['calls as JSON strings', linear.slice(0, 3)],
    [
      'calls in a wrapper',
      ['-1 prompt user: text Weather? | image [image]', '0 policy assistant: call look({"at":1})'],
    ],
    [
      'texts instead of messages',
      ['-1 prompt user: text Weather?', '0 policy assistant: reasoning <think>hm</think> | text Rain.'],
    ],
    ['a rollout that failed', ['-1 prompt user: text Weather?']],
  ])('of %s', (name, expected) => {
    expect(told(imported(name))).toEqual(expected);
  });

  test('shows every call the context it was made in', () => {
    fc.assert(
      fc.property(callLogs, (calls) => {
        const episode = episodeOf(resultFrom(calls));
        expect(episode.steps).toHaveLength(calls.length);
        calls.forEach(({ context }, step) => {
          expect(chatOf(viewAt(episode, step))).toEqual(context.map(seen));
        });
      }),
    );
  });

  test('says where a context does not go on', () => {
    expect(reasons(imported('two calls with their tokens'), 'views')).toEqual([]);
    expect(reasons(imported('a trajectory that branches'), 'views')).toEqual([
      expect.stringContaining('The context of step 2 does not go on'),
    ]);
  });
});

describe('the tokens', () => {
  test('of steps and samples are those of the calls, and trained once', () => {
    fc.assert(
      fc.property(callLogs, (calls) => {
        const { steps, samples = [], ...rest } = episodeOf(resultFrom(calls));
        calls.forEach(({ context, emitted }, index) => {
          const tokens = steps[index]?.tokens;
          expect(Array.from(tokens?.promptIds ?? [])).toEqual([...contextIdsOf(context), 'assistant'.length]);
          expect(Array.from(tokens?.generationIds ?? [])).toEqual(idsOf(emitted).slice(1));
        });
        // What the model makes of the steps alone.
        const derived = samplesOf({ ...rest, steps });
        expect(samples.map(({ tokens }) => tokens?.responseIds)).toEqual(
          derived.map(({ tokens }) => tokens?.responseIds),
        );
        expect(samples.map(({ tokens }) => tokens?.trained)).toEqual(
          derived.map(({ tokens }) => tokens?.trained),
        );
        expect(samples.flatMap(({ turnScores }) => turnScores ?? [])).toEqual(calls.map((_, nth) => nth / 2));
      }),
    );
  });

  test('keep masks, logprobs and advantages in their places', () => {
    const value = JSON.parse(JSON.stringify(resultNamed('two calls with their tokens')));
    value.trajectory[1].tokens.completion_mask = [1, 0, 1, 1, 0, 1];
    const { samples, steps } = episodeOf(value);
    const tokens = samples?.[0]?.tokens;
    const turn = tokens?.turns[1]?.[0] ?? -1;
    expect(samples).toHaveLength(1);
    const ones = Array.from(maskOfSpans(tokens?.maskLength ?? 0, tokens?.trained ?? [])).slice(turn);
    expect(ones).toEqual([1, 0, 1, 1, 0, 1]);
    expect(Array.from(tokens?.values?.['advantage']?.slice(turn) ?? [])).toEqual([1, 1, 1, 1, 1, 1]);
    expect(tokens?.logprobs?.slice(turn)).toEqual(steps[1]?.tokens?.logprobs);
    expect(tokens?.logprobs?.[turn - 1]).toBeNaN();
    expect(steps.map(({ unfinished }) => unfinished)).toEqual([undefined, 'truncated']);
    const last = steps[1]?.tokens;
    expect(last && contextIds(last).buffer).toBe(tokens?.promptIds.buffer);
  });

  test('raise no findings where all is well', () => {
    expect(lintEpisode(imported('two calls with their tokens'))).toEqual([]);
  });

  test('are missed where they are not', () => {
    expect(reasons(imported('no trajectory'), 'tokens')).toEqual([expect.stringContaining('no token ids')]);
    expect(reasons(imported('a trajectory without tokens'), 'tokens')).toEqual([
      expect.stringContaining('no token ids'),
    ]);
    expect(imported('a trajectory without tokens').samples).toBeUndefined();
    expect(reasons(imported('two calls with their tokens'), 'tokens')).toEqual([]);
  });
});

describe('the outcome', () => {
  test('has the reward, the end, and the metrics once', () => {
    const { outcome, metrics, task, tools } = imported('no trajectory');
    expect(outcome).toEqual({ components: {}, reward: 0.5, termination: 'done' });
    expect({ ...metrics }).toEqual({
      judge: 0.5,
      answer: 'rain',
      is_completed: true,
      is_truncated: false,
      'timing.generation': 1,
      'timing.total': 1.5,
    });
    expect(task).toEqual({ key: '4' });
    expect(tools).toEqual([{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }]);
  });

  test('has the error', () => {
    expect(imported('a rollout that failed').outcome).toMatchObject({
      reward: 0,
      error: 'InfraError: sandbox died',
    });
    expect(episodeOf(resultFrom([], { error: 'ValueError()' })).outcome.error).toBe('ValueError()');
  });

  test.each([NaN, null, '1'])('has no reward where it is %s', (reward) => {
    const episode = episodeOf(resultFrom([], { reward }));
    expect(episode.outcome.noReward).toBe('not-a-number');
    expect(reasons(episode, 'reward')).toHaveLength(1);
  });
});

test('is recognised by its fields alone', () => {
  expect(detectFormat(resultNamed('a rollout that failed'))?.id).toBe('verifiers_results');
  expect(detectFormat({ prompt: [], completion: [], reward: 1 })?.id).not.toBe('verifiers_results');
});
