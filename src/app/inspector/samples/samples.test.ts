import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../formats';
import { plans, runRl, type Plan } from '../../../formats/statelm/loop.fixtures';
import { lintEpisode, sizesOf, type Episode } from '../../../model';
import { episodeOf } from '../../../model/episode.fixtures';
import { cutFor, cutsOf, sampleAt, sampleName, samplesCut } from './cuts';
import { boundsOf, laneOf, stepUnder } from './lanes';
import { inNames, maskFindings } from './mask-findings';
import { overlap, trainersOf, turnsOf } from './turns';

function episodeFrom(plan: Plan): { episode: Episode; emissions: number[][] } {
  const { text, emissions } = runRl(plan);
  const value: unknown = JSON.parse(text);
  const episode = detectFormat(value)?.episode({ value, text, index: 0, line: 1 }, 0);
  if (episode === undefined) throw new Error('the plan became no episode');
  return { episode, emissions };
}

/** Reads a lot, deletes all of it, and speaks on: the mask outgrows the context. */
const outgrown: Plan = {
  turns: [
    { text: 'I read this.', calls: [{ tool: 'read', answer: 7 }] },
    { text: 'And this.', calls: [{ tool: 'read', answer: 7 }] },
    { text: 'And that.', calls: [{ tool: 'read', answer: 7 }] },
    { text: 'Away with it.', calls: [{ tool: 'delete', back: [1, 2, 3, 4, 5, 6, 7], broken: false }] },
    { text: 'So it is.', calls: [] },
  ],
  end: 'budget',
  joinedNotes: false,
  keepsDeletedText: false,
};

describe('turns', () => {
  it('are trained whole, each in exactly one aligned sample', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { episode, emissions } = episodeFrom(plan);
        const samples = samplesCut(episode, 'aligned');
        const turns = samples.flatMap((sample) => turnsOf(episode, sample));
        expect(turns.map(({ step, length }) => [step, length])).toEqual(
          emissions.map((ids, step) => [step, ids.length]),
        );
        expect(turns.every(({ dropped }) => dropped === 0)).toBe(true);
        for (const [, trainers] of trainersOf(episode, samples)) expect(trainers).toHaveLength(1);
      }),
      { numRuns: 40 },
    );
  });

  it('are found in any cut where their tokens stand', () => {
    fc.assert(
      fc.property(plans, fc.constantFrom('recorded' as const, 'tail' as const), (plan, cut) => {
        const { episode, emissions } = episodeFrom(plan);
        for (const sample of samplesCut(episode, cut)) {
          const ids = [...(sample.tokens?.responseIds ?? [])];
          const lane = laneOf(episode, sample);
          for (const { step, span, trained, dropped, length } of lane.turns) {
            expect(trained + dropped).toBe(length);
            if (span[0] >= 0 && span[1] <= ids.length) expect(ids.slice(...span)).toEqual(emissions[step]);
          }
          const { totals } = lane;
          expect(totals?.trained).toBe(sizesOf(sample)?.trained);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('are dropped by the tail once the mask is longer than the context, and trained when aligned', () => {
    const { episode, emissions } = episodeFrom(outgrown);
    const spoken = emissions.at(-1)?.length ?? 0;
    const final = samplesCut(episode, 'tail').at(-1);
    if (final === undefined) throw new Error('there is a final sample');
    expect(laneOf(episode, final).totals).toMatchObject({ trained: 0, dropped: spoken });
    // The mask has the turn past the end; its tokens are the last of the response.
    const response = final.tokens?.responseIds.length ?? 0;
    expect(turnsOf(episode, final).map(({ span }) => span)).toEqual([[response - spoken, response]]);
    expect(laneOf(episode, final).pieces).toEqual([
      { state: 'masked', from: 0, to: 4 },
      { state: 'dropped', from: 4, to: 5 },
    ]);
    const aligned = samplesCut(episode, 'aligned').at(-1);
    if (aligned === undefined) throw new Error('there is a final sample');
    expect(laneOf(episode, aligned).totals).toMatchObject({ trained: spoken, dropped: 0 });

    const [first] = maskFindings(lintEpisode(episode));
    expect(first?.rule).toBe('sample-trains-nothing');
    expect(inNames(first?.message ?? '')).toMatch(/^The final sample trains nothing: its mask of/);
    expect(inNames('Sample 0 (snapshot): a mask')).toBe('Snapshot 1: a mask');
  });
});

describe('cuts', () => {
  it('start with what was recorded', () => {
    const { episode } = episodeFrom(outgrown);
    expect(cutsOf(episode)).toEqual(['recorded', 'aligned', 'tail']);
    expect([cutFor(episode, undefined), cutFor(episode, 'tail')]).toEqual(['recorded', 'tail']);
    const names = samplesCut(episode, 'aligned').map(sampleName);
    expect(names).toEqual(['snapshot 1', 'final']);
    const at = [0, 3, 4].map((step) => sampleAt(samplesCut(episode, 'aligned'), step)?.index);
    expect(at).toEqual([0, 0, 1]);
  });

  it('are fewer where there are no tokens, and none without a call', () => {
    const steps = [{ index: 0 }, { index: 1 }];
    expect(cutsOf(episodeOf({ steps }))).toEqual(['aligned']);
    expect(cutFor(episodeOf({ steps }), 'tail')).toBe('aligned');
    expect(cutsOf(episodeOf({}))).toEqual([]);
  });
});

describe('lanes', () => {
  it('say which steps a sample is for where tokens are missing', () => {
    const episode = episodeOf({
      steps: [{ index: 0 }, { index: 1 }, { index: 2 }],
      edits: [{ step: 0, kind: 'delete', msgIds: [] }],
    });
    const lanes = samplesCut(episode, 'aligned').map((sample) => laneOf(episode, sample));
    expect(lanes.map(({ pieces }) => pieces)).toEqual([
      [{ state: 'told', from: 0, to: 1 }],
      [
        { state: 'masked', from: 0, to: 1 },
        { state: 'told', from: 1, to: 3 },
      ],
    ]);
    expect(lanes.map(({ totals }) => totals)).toEqual([undefined, undefined]);
  });

  it('draw a few pieces for a thousand steps', () => {
    const { episode } = episodeFrom({
      ...outgrown,
      turns: Array.from({ length: 60 }, () => ({
        text: 'On.',
        calls: [{ tool: 'read' as const, answer: 1 }],
      })),
    });
    const [sample] = samplesCut(episode, 'aligned');
    if (sample === undefined) throw new Error('there is a sample');
    expect(laneOf(episode, sample).pieces).toEqual([{ state: 'trained', from: 0, to: 60 }]);
  });

  it('lie within their width, and every point of it is a step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.nat(4999), (steps, nth) => {
        const from = nth % steps;
        const { left, width } = boundsOf({ from, to: from + 1 }, steps);
        expect(left).toBeGreaterThanOrEqual(0);
        expect(left + width).toBeLessThanOrEqual(100.0001);
        expect(width).toBeGreaterThanOrEqual(0.5);
        expect(stepUnder((from + 0.5) / steps, steps)).toBe(from);
      }),
    );
    expect([stepUnder(-1, 4), stepUnder(1, 4), stepUnder(0.5, 0)]).toEqual([0, 3, 0]);
  });
});

it('counts what ranges have in common', () => {
  expect(
    overlap(
      [
        [0, 3],
        [5, 9],
      ],
      [2, 7],
    ),
  ).toBe(3);
  expect(
    overlap(
      [
        [0, 3],
        [5, 9],
      ],
      [2, 7],
      6,
    ),
  ).toBe(2);
  expect(overlap([[5, 9]], [-4, 2])).toBe(0);
});
