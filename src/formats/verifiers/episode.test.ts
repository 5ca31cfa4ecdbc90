import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatOf, lintEpisode, maskOfSpans, viewAt, type Episode } from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { callLogs, contextIdsOf, idsOf, seen, type FixtureCall } from '../model-calls.fixtures';
import { detectFormat } from '../registry';
import { verifiersV1Episode } from './episode';
import { branchedCalls, episodeFrom, traceFrom, traceNamed, type TraceName } from './verifiers.fixtures';

const allOf = (value: unknown): Episode[] => expectSound(verifiersV1Episode, recordOf(value, 3));

function only(value: unknown): Episode {
  const [episode] = allOf(value);
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

const imported = (name: TraceName): Episode => only(traceNamed(name));

const reasons = ({ gaps }: Episode, about: string): string[] =>
  gaps.filter((gap) => gap.about === about).map(({ reason }) => reason);

const sorted = (lists: number[][]): string[] => lists.map(String).toSorted();

/** Calls whose context and emission no later call's context begins with: their ends are the leaves. */
function lastCalls(calls: readonly FixtureCall[]): FixtureCall[] {
  const starts = calls.map(({ context }) => JSON.stringify(context).slice(0, -1));
  return calls.filter(({ context, emitted }, nth) => {
    const own = JSON.stringify([...context, emitted]).slice(0, -1);
    return !starts.slice(nth + 1).some((start) => start.startsWith(own));
  });
}

describe('a graph', () => {
  test('shows every call the context it was made in', () => {
    fc.assert(
      fc.property(callLogs, (calls) => {
        const episode = only(episodeFrom([traceFrom(calls)]));
        expect(episode.steps).toHaveLength(calls.length);
        calls.forEach(({ context }, step) => {
          expect(chatOf(viewAt(episode, step))).toEqual(context.map(seen));
        });
      }),
    );
  });

  test('has a sample for every leaf, with the tokens of the whole path', () => {
    fc.assert(
      fc.property(callLogs, (calls) => {
        const { samples = [], steps } = only(episodeFrom([traceFrom(calls)]));
        const ends = lastCalls(calls);
        expect(samples).toHaveLength(ends.length);
        expect(samples.at(-1)?.kind).toBe('final');
        const paths = samples.map(({ tokens }) => [
          ...(tokens?.promptIds ?? []),
          ...(tokens?.responseIds ?? []),
        ]);
        const expected = ends.map(({ context, emitted }) => contextIdsOf([...context, emitted]));
        expect(sorted(paths)).toEqual(sorted(expected));
        calls.forEach(({ context, emitted }, index) => {
          const tokens = steps[index]?.tokens;
          expect(Array.from(tokens?.promptIds ?? [])).toEqual([...contextIdsOf(context), 'assistant'.length]);
          expect(Array.from(tokens?.generationIds ?? [])).toEqual(idsOf(emitted).slice(1));
        });
      }),
    );
  });

  test('trains what was sampled on the path, and nothing else', () => {
    fc.assert(
      fc.property(callLogs, (calls) => {
        const episode = only(episodeFrom([traceFrom(calls)]));
        for (const { tokens } of episode.samples ?? []) {
          const mask = maskOfSpans(tokens?.maskLength ?? 0, tokens?.trained ?? []);
          const turns = maskOfSpans(tokens?.maskLength ?? 0, tokens?.turns ?? []);
          expect(mask).toEqual(turns);
          tokens?.logprobs?.forEach((logprob, at) => {
            if (mask[at] === 1) expect(logprob).toBe(-(tokens.responseIds[at] ?? NaN) / 1024);
            else expect(logprob).toBeNaN();
          });
        }
        const rules = new Set(lintEpisode(episode).map(({ rule }) => rule));
        // A turn that several leaves follow is in several samples: that is found, and nothing else.
        rules.delete('turn-trained-twice');
        rules.delete('prompt-not-continued');
        rules.delete('dangling-call');
        expect([...rules]).toEqual([]);
      }),
    );
  });

  test('keeps other numbers per token', () => {
    const { samples } = imported('a graph of two branches');
    const values = samples?.[1]?.tokens?.values;
    expect(Object.keys(values ?? {})).toEqual(['advantage', 'lossWeight ce']);
    expect(Array.from(values?.['advantage'] ?? [])).toEqual([6, 6, 6, 6, 6]);
    expect(Array.from(values?.['lossWeight ce'] ?? [])).toEqual([0.25, 0.5, 0.75, 1, 1.25]);
  });

  test('that turns back on itself is read, and said to', () => {
    const episode = imported('a graph that turns back on itself');
    expect(episode.messages.map(({ follows }) => follows)).toEqual([undefined, null, null]);
    expect(reasons(episode, 'views')).toEqual([expect.stringContaining('3 messages name')]);
  });

  test('of more tokens than can be held is shown without them', () => {
    // Every node a leaf of one chain: as many paths as nodes.
    const nodes = Array.from({ length: 12_000 }, (_, nth) => ({
      parent: nth < 2 ? null : nth - 1 - (nth % 2),
      message: { role: 'assistant', content: '' },
      sampled: true,
      token_ids: [1],
      mask: [true],
    }));
    const episode = only(episodeFrom([traceFrom([], { nodes })]));
    expect(reasons(episode, 'tokens')).toEqual([expect.stringContaining('so many tokens')]);
    expect(episode.samples?.every(({ tokens }) => tokens === undefined)).toBe(true);
  });

  test('marks what was cut off', () => {
    const { steps, model } = imported('a graph of two branches');
    expect(steps.map(({ unfinished }) => unfinished)).toEqual(['length', undefined, undefined]);
    expect(model).toBe('m');
  });

  test('without tokens says so', () => {
    expect(reasons(imported('a trace without tokens'), 'tokens')).toEqual([
      expect.stringContaining('no token ids'),
    ]);
    expect(imported('a trace without tokens').samples).toEqual([
      { kind: 'final', index: 0, firstStep: 0, lastStep: 0 },
    ]);
  });
});

describe('the reward', () => {
  test('is the sum of the scores, each times its weight', () => {
    const { outcome, metrics } = imported('a graph of two branches');
    expect(outcome.reward).toBe(0.75);
    expect({ ...outcome.components }).toEqual({ correct: 0.25, format: 0.5 });
    expect(metrics['score.correct']).toBe(1);
    expect(metrics).not.toHaveProperty('score.format');
  });

  test('of any scores is what their components sum to', () => {
    const number = fc.double({ noNaN: true, min: -1e6, max: 1e6 });
    const rewards = fc.dictionary(fc.string(), fc.option(fc.record({ score: number, weight: number })), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(rewards, (scores) => {
        const episode = only(episodeFrom([traceFrom(branchedCalls, { rewards: scores })]));
        const scored = Object.values(scores).filter((each) => each !== null);
        const sum = scored.reduce((total, { score, weight }) => total + score * weight, 0);
        expect(episode.outcome.reward).toEqual(scored.length === 0 ? undefined : expect.closeTo(sum, 6));
        expect(lintEpisode(episode).map(({ rule }) => rule)).not.toContain('reward-not-sum-of-components');
      }),
    );
  });

  test('is missing where nothing was scored, and no number where a score is none', () => {
    const unscored = imported('a trace that was not scored');
    expect(unscored.outcome).toMatchObject({ components: {}, error: 'A: b' });
    expect(unscored.outcome).not.toHaveProperty('reward');
    expect(reasons(unscored, 'reward')).toEqual([expect.stringContaining('no scores')]);
    expect(imported('a score that is none').outcome.noReward).toBe('not-a-number');
  });
});

test('every agent of a run is an episode', () => {
  const episodes = allOf(traceNamed('two agents'));
  expect(episodes.map(({ id, title }) => `${id} ${title}`)).toEqual([
    '3.0 solver: Weather?',
    '3.1 judge: Weather?',
  ]);
  expect(episodes.map(({ steps }) => steps.length)).toEqual([1, 3]);
  expect(episodes.map(({ task }) => task)).toEqual([{ key: 'k1' }, { key: 'k1' }]);
  expect(episodes.map(({ metrics }) => metrics['trainable'])).toEqual([true, false]);
  expect(episodes[0]?.metrics).toMatchObject({ env: 'weather', group: 'g1', training_step: 7, turns: 1 });
});

test('a run that no agent took part in is an episode with its error', () => {
  const episode = imported('a run without a trace');
  expect(episode.outcome.error).toBe('InfraError: no sandbox');
  expect(reasons(episode, 'messages')).toEqual([expect.stringContaining('has no trace')]);
});

test('is recognised by its fields alone', () => {
  expect(detectFormat(traceNamed('a run without a trace'))?.id).toBe('verifiers_v1_episode');
  expect(detectFormat(traceNamed('a trace alone'))?.id).toBe('verifiers_v1_episode');
  expect(detectFormat({ traces: [] })?.id).toBe('json');
});
