import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lintEpisode, maskOfSpans, partText, type Episode } from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import { rowNamed, trainRow, turnLists, type RowName } from './nemo-rl.fixtures';
import { nemoRlStepDump } from './step-dump';

function episodeOf(value: unknown): Episode {
  const [episode] = expectSound(nemoRlStepDump, recordOf(value, 5));
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

const imported = (name: RowName): Episode => episodeOf(rowNamed(name));

const key = (name: RowName): string | undefined => imported(name).task?.key;

const inferred = ({ messages }: Episode): unknown[] => messages.map(({ inferredFrom }) => inferredFrom);

const told = ({ messages }: Episode): string[] =>
  messages.map(({ bornAtStep, origin, role, roleLabel, parts }) =>
    `${bornAtStep} ${origin} ${roleLabel ?? role} ${parts.map(partText).join('|')}`.trim(),
  );

const reasons = ({ gaps }: Episode, about: string): string[] =>
  gaps.filter((gap) => gap.about === about).map(({ reason }) => reason);

describe('the history', () => {
  test.each<[RowName, string[]]>([
    [
      'texts without roles',
      [
        '-1 prompt user 2+2?',
        '0 policy assistant <think>hm</think>|4',
        '0 environment environment Sure?',
        '1 policy assistant Yes.',
      ],
    ],
    ['a system prompt', ['-1 prompt system Count.', '-1 prompt user 2+2?', '0 policy assistant 4']],
    [
      'a last word of the environment',
      ['-1 prompt user 2+2?', '0 policy assistant 4', '0 environment environment Right.'],
    ],
    [
      'a rollout of NeMo Gym',
      ['-1 prompt user', '0 policy assistant', '0 environment environment', '1 policy assistant'],
    ],
    [
      'texts that do not fit the mask',
      ['a', 'b', 'c', 'd', 'e'].map((text) => `-1 prompt unknown ${text}`).concat('0 policy assistant'),
    ],
    ['a mask without a 1', ['-1 prompt unknown 2+2?', '-1 prompt unknown 4']],
    ['no content', ['0 policy assistant']],
    ['validation', ['-1 prompt user 2+2?', '0 policy assistant 4', '0 environment environment Right.']],
    ['messages with their tokens', ['-1 prompt user 2+2?', '0 policy assistant 4']],
  ])('of %s', (name, expected) => {
    expect(told(imported(name))).toEqual(expected);
  });

  test('is said to be inferred where roles are not recorded', () => {
    expect(inferred(imported('texts without roles'))).toEqual([
      '2+2?',
      '<think>hm</think>4',
      'Sure?',
      'Yes.',
    ]);
    expect(inferred(imported('validation'))).toEqual([undefined, undefined, undefined]);
    expect(reasons(imported('validation'), 'messages')).toEqual([]);
    expect(reasons(imported('texts without roles'), 'messages')).toEqual([
      expect.stringContaining('inferred'),
    ]);
    expect(reasons(imported('a rollout of NeMo Gym'), 'messages')).toEqual([
      expect.stringContaining('no text'),
    ]);
    expect(reasons(imported('texts that do not fit the mask'), 'messages')).toEqual([
      expect.stringContaining('cannot be told'),
    ]);
  });
});

describe('the tokens', () => {
  test('of every turn are where its text is', () => {
    fc.assert(
      fc.property(turnLists, fc.nat(3), (turns, padding) => {
        const value = trainRow(
          turns,
          turns.map((_, nth) => `turn ${nth}`),
          padding,
        );
        const { messages, steps, samples } = episodeOf(value);
        let start = 0;
        let step = 0;
        turns.forEach(({ length, isPolicy }, nth) => {
          expect(messages[nth]?.origin === 'policy').toBe(isPolicy);
          if (isPolicy) {
            const { promptIds, generationIds } = steps[step]?.tokens ?? {};
            expect(promptIds).toHaveLength(start + 1);
            expect(Array.from(generationIds ?? [])).toEqual(
              Array.from({ length }, (_, at) => 101 + start + at),
            );
            step += 1;
          }
          start += length + 1;
        });
        expect(steps).toHaveLength(step);
        const track = samples?.[0]?.tokens;
        expect((track?.promptIds.length ?? 0) + (track?.responseIds.length ?? 0)).toBe(start);
        expect(lintEpisode(episodeOf(value))).toEqual([]);
      }),
    );
  });

  test('of recorded messages are those of the runs, if there are as many', () => {
    const value = rowNamed('messages with their tokens');
    expect(episodeOf(value).steps.map(({ tokens }) => tokens?.generationIds.length)).toEqual([2]);
    const untrained = { ...value, token_loss_mask: [[0, 0, 0, 0, 0, 0, 0]] };
    expect(episodeOf(untrained).steps).toEqual([{ index: 0 }]);
  });

  test('come with their numbers', () => {
    const tokens = imported('texts without roles').samples?.[0]?.tokens;
    const prompt = tokens?.promptIds.length ?? 0;
    expect(prompt).toBe(5);
    const mask = maskOfSpans(tokens?.maskLength ?? 0, tokens?.trained ?? []);
    expect(Array.from(mask)).toEqual([1, 1, 0, 0, 0, 0, 0, 1, 1]);
    expect(Array.from(tokens?.values?.['advantage'] ?? [])).toEqual([0.5, 0.5, 0, 0, 0, 0, 0, 0.5, 0.5]);
    expect(tokens?.logprobs?.[0]).toBe(-prompt / 64);
    expect(tokens?.values?.['prevLogprob']?.[8]).toBe(-(prompt + 8) / 32);
  });

  test('with a mask that does not fit them are shown so, and found', () => {
    const episode = imported('a mask of another length');
    expect(lintEpisode(episode).map(({ rule }) => rule)).toContain('mask-length');
  });

  test('that are none are missed', () => {
    expect(reasons(imported('token ids that are none'), 'tokens')).toEqual([
      expect.stringContaining('not all whole numbers'),
    ]);
    expect(reasons(imported('validation'), 'tokens')).toEqual([expect.stringContaining('no token ids')]);
    expect(imported('validation').samples).toBeUndefined();
  });
});

describe('the outcome', () => {
  test('is taken out of the lists', () => {
    const { outcome, metrics, task } = imported('texts without roles');
    expect(outcome).toEqual({ components: {}, reward: 1 });
    expect({ ...metrics }).toEqual({ input_lengths: 14, sample_loss_mask: 1, agent: 'simple_agent' });
    expect(task).toEqual({ key: expect.stringMatching(/^[0-9a-f]{16}$/), rollout: 3 });
  });

  test.each([NaN, Infinity, null, 'x'])('is no reward where it is %s', (reward) => {
    const episode = episodeOf({ ...rowNamed('validation'), rewards: [reward] });
    expect(episode.outcome).toEqual({ components: {}, noReward: 'not-a-number' });
    expect(reasons(episode, 'reward')).toEqual([expect.stringContaining('not a finite number')]);
  });

  test('says what was filtered', () => {
    expect(imported('filtered rewards').metrics['filtered_rewards']).toBe(0.5);
  });
});

test('rows with the same prompt are rollouts of one task', () => {
  expect(key('texts without roles')).toBe(key('a rollout of NeMo Gym'));
  expect(key('texts without roles')).not.toBe(key('a system prompt'));
  const other = episodeOf({ ...rowNamed('validation'), content: [[{ role: 'user', content: '3+3?' }]] });
  expect(other.task?.key).not.toBe(key('validation'));
});

test('is recognised by its fields alone', () => {
  expect(detectFormat(rowNamed('validation'))?.id).toBe('nemo_rl_step_dump');
  expect(detectFormat(rowNamed('no content'))?.id).toBe('nemo_rl_step_dump');
  expect(detectFormat({ content: ['a'], rewards: [1, 2], idx: 0 })?.id).toBe('json');
});
