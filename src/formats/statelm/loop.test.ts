import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareView,
  deletedAt,
  lintEpisode,
  maskAt,
  maskOfSpans,
  noteLines,
  notesAt,
  recordedViewAt,
  samplesOf,
  seenAs,
  sizesOf,
  snapshotsOf,
  type Episode,
  type TokenTrack,
} from '../../model';
import { detectFormat } from '../registry';
import { plans, runInference, runRl, type Plan, type RlRun } from './loop.fixtures';

/** Random episodes of both loops, against what really happened in them. */

function episodeFrom(text: string): Episode {
  const value: unknown = JSON.parse(text);
  // A log of calls is recognised by its calls.
  const [claimed]: unknown[] = Array.isArray(value) ? value : [value];
  const format = detectFormat(claimed);
  if (format === undefined) throw new Error('no format');
  return format.episode({ value, text, index: 0, line: 1 }, 0);
}

function rl(plan: Plan): { run: RlRun; episode: Episode } {
  const run = runRl(plan);
  return { run, episode: episodeFrom(run.text) };
}

/** Ids as text: quicker to compare, and to read when they differ. */
function textOf(ids: Iterable<number> | undefined): string {
  return String.fromCodePoint(...(ids ?? []));
}

function maskText(
  mask: { length: number; trained: readonly (readonly [number, number])[] } | undefined,
): string {
  return maskOfSpans(mask?.length ?? 0, mask?.trained ?? []).join('');
}

function trackMask(tokens: TokenTrack | undefined): string {
  return maskText(tokens === undefined ? undefined : { length: tokens.maskLength, trained: tokens.trained });
}

/** Users' ids are accepted and change nothing. */
function effective(ids: Iterable<number> | undefined): number[] {
  return [...new Set(ids)].filter((id) => id !== 0).sort((a, b) => a - b);
}

describe('an RL run', () => {
  it('is seen at every step as the policy saw it', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { run, episode } = rl(plan);
        expect(episode.steps).toHaveLength(run.views.length);
        run.views.forEach((view, step) => {
          expect(seenAs(episode, step)).toEqual(view);
          expect(compareView(episode, step)).toBe('agrees');
        });
      }),
    );
  });

  it('trains every emitted token in exactly one sample, under the view it was emitted in', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { run, episode } = rl(plan);
        const samples = samplesOf(episode);
        expect(samples).toHaveLength(run.snapshots.length + 1);
        run.emissions.forEach((emission, step) => {
          const holding = samples.filter(({ firstStep, lastStep }) => firstStep <= step && step <= lastStep);
          expect(holding).toHaveLength(1);
          const [sample] = holding;
          const tokens = sample?.tokens;
          const [start = 0, end = 0] = tokens?.turns[step - (sample?.firstStep ?? 0)] ?? [];
          expect(textOf(tokens?.responseIds.subarray(start, end))).toBe(textOf(emission));
          const before = textOf(tokens?.promptIds) + textOf(tokens?.responseIds.subarray(0, start));
          expect(before).toBe(textOf(run.prompts[step]));
          expect(trackMask(tokens).slice(start, end)).toBe('1'.repeat(emission.length));
        });
        // And nothing else is trained.
        const trained = samples.reduce((sum, sample) => sum + (sizesOf(sample)?.trained ?? 0), 0);
        expect(trained).toBe(run.emissions.flat().length);
      }),
    );
  });

  it('is cut from the tail as the loop cut it', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { episode } = rl(plan);
        const tail = samplesOf(episode, 'tail');
        expect(tail).toHaveLength(episode.samples?.length ?? 0);
        episode.samples?.forEach((recorded, index) => {
          const derived = tail[index];
          expect(derived?.kind).toBe(recorded.kind);
          expect(textOf(derived?.tokens?.promptIds)).toBe(textOf(recorded.tokens?.promptIds));
          expect(textOf(derived?.tokens?.responseIds)).toBe(textOf(recorded.tokens?.responseIds));
          expect(trackMask(derived?.tokens)).toBe(trackMask(recorded.tokens));
        });
      }),
      { numRuns: 40 },
    );
  });

  it('has at every step the mask, the deletes and the notes that the loop had', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { run, episode } = rl(plan);
        for (let step = 0; step <= episode.steps.length; step++) {
          expect(maskText(maskAt(episode, step))).toBe(run.masks[step]?.join(''));
          expect(noteLines(notesAt(episode, step)).join('\n')).toBe(run.notes[step]);
          expect(effective(deletedAt(episode, step))).toEqual(effective(run.deleted[step]));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('has the snapshots that the loop took', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { run, episode } = rl(plan);
        const snapshots = snapshotsOf(episode);
        expect(snapshots).toHaveLength(run.snapshots.length);
        run.snapshots.forEach((taken, index) => {
          const snapshot = snapshots[index];
          // The prompt stands once here and once in the snapshot's history.
          expect(snapshot?.messageCount).toBe(taken.history);
          expect(effective(deletedAt(episode, snapshot?.step ?? -1))).toEqual(effective(taken.deleted));
          expect(trackMask(snapshot?.sample.tokens)).toBe(taken.mask.join(''));
        });
      }),
      { numRuns: 40 },
    );
  });

  it('raises no finding about its views, boundaries and recorded deletes', () => {
    const never = new Set([
      'view-differs',
      'turn-boundaries',
      'mask-outside-turn',
      'turn-trained-twice',
      'deletes-not-as-recorded',
      'wrong-invoking-assistant',
      'duplicate-msg-id',
    ]);
    fc.assert(
      fc.property(plans, (plan) => {
        const { episode } = rl(plan);
        expect(lintEpisode(episode).filter(({ rule }) => never.has(rule))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('has masks as long as their responses, unless one is empty or outgrew its context', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { run, episode } = rl(plan);
        const rules = new Set(lintEpisode(episode).map(({ rule }) => rule));
        expect(rules.has('mask-length')).toBe(outgrown(run, episode));
      }),
      { numRuns: 40 },
    );
  });
});

/** A slice of the last 0 tokens is, in Python, all of them. */
function outgrown(run: RlRun, episode: Episode): boolean {
  const final = { context: episode.statelm?.finalIds ?? [], mask: run.masks.at(-1) ?? [] };
  return [...run.snapshots, final].some(
    ({ context, mask }) => mask.length > context.length || mask.length === 0,
  );
}

/** Reads much, deletes all of it, and goes on: what is left is shorter than what was masked. */
const outgrowing: Plan = {
  turns: [
    { text: 'read', calls: [{ tool: 'read', answer: 7 }] },
    { text: 'read', calls: [{ tool: 'read', answer: 7 }] },
    { text: 'drop', calls: [{ tool: 'delete', back: [5, 4, 3, 2], broken: false }] },
    { text: 'done', calls: [] },
  ],
  end: 'budget',
  joinedNotes: false,
  keepsDeletedText: false,
};

describe('a run whose mask outgrew its context', () => {
  const { run, episode } = rl(outgrowing);
  const context = episode.statelm?.finalIds?.length ?? 0;
  const mask = run.masks.at(-1)?.length ?? 0;

  it('is cut from the tail as Python does it, and trains nothing in its last sample', () => {
    const [, final] = samplesOf(episode, 'tail');
    const [, recorded] = episode.samples ?? [];
    expect(mask).toBeGreaterThan(context);
    expect(textOf(final?.tokens?.promptIds)).toBe(textOf(recorded?.tokens?.promptIds));
    expect(textOf(final?.tokens?.responseIds)).toBe(textOf(recorded?.tokens?.responseIds));
    expect(final === undefined ? undefined : sizesOf(final)).toEqual({
      prompt: Math.max(2 * context - mask, 0),
      response: context,
      mask,
      trained: 0,
    });
    expect(samplesOf(episode).map((sample) => sizesOf(sample)?.trained)).toEqual([
      run.emissions.slice(0, 3).flat().length,
      run.emissions[3]?.length,
    ]);
  });

  it('is found out', () => {
    const found = lintEpisode(episode).filter(({ severity }) => severity !== 'info');
    expect(found.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['mask-length', 'sample-trains-nothing', 'turn-untrained', 'tail-misaligned']),
    );
  });
});

describe('an inference run', () => {
  it('is rebuilt from its result as it was sent, call by call, key for key', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const run = runInference(plan);
        const episode = episodeFrom(run.result);
        expect(episode.steps).toHaveLength(run.views.length - 1);
        run.views.forEach((view, step) => {
          expect(JSON.stringify(seenAs(episode, step))).toBe(JSON.stringify(view));
        });
        expect(compareView(episode, run.views.length - 1)).toBe('agrees');
      }),
    );
  });

  it('is rebuilt from the log of its calls', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const run = runInference(plan);
        const episode = episodeFrom(run.calls);
        run.views.slice(0, -1).forEach((view, step) => {
          expect(recordedViewAt(episode, step)).toEqual({ form: 'messages', messages: view });
          expect(seenAs(episode, step)).toEqual(view);
        });
        expect(lintEpisode(episode).filter(({ rule }) => rule === 'view-differs')).toEqual([]);
      }),
    );
  });
});
