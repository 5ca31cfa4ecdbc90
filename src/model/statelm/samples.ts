import type { ContextEdit, Episode, Sample, SampleSizes, Span, Step, TokenTrack } from '../episode';
import { historyOf } from '../history';
import { contextIds, firstBreak } from './tokens';

/**
 * How a sample is cut out of the context's tokens. `aligned`: its prompt is what was rendered last, its response all
 * that came since. `tail`: as the reference does, the response is the last `len(mask)` tokens. The mask goes on
 * growing over every edit while an edit shortens the context, so after a re-render the tail reaches back into the
 * prompt; once the mask is longer than the whole context, mask and tokens no longer match.
 */
export type Slicing = 'aligned' | 'tail';

const samplesBySlicing = {
  aligned: new WeakMap<Episode, Sample[]>(),
  tail: new WeakMap<Episode, Sample[]>(),
};

/**
 * The training samples an episode becomes: one for the emissions up to each edit, and the final one. Tokens are there
 * where the steps have theirs. Every emitted token is under a 1 in exactly one `aligned` sample.
 */
export function samplesOf(episode: Episode, slicing: Slicing = 'aligned'): Sample[] {
  const known = samplesBySlicing[slicing].get(episode);
  if (known !== undefined) return known;
  const samples = segmentsOf(episode).map((segment, index, all): Sample => {
    const tokens = slicing === 'tail' ? tailTrack(episode, segment) : segment.track;
    return {
      kind: index < all.length - 1 ? 'snapshot' : 'final',
      index,
      firstStep: segment.firstStep,
      lastStep: segment.lastStep,
      ...(tokens === undefined ? {} : { tokens }),
      ...scoresOf(episode, segment.lastStep),
    };
  });
  samplesBySlicing[slicing].set(episode, samples);
  return samples;
}

/** As the loop hands them out with each sample: turns and their scores of the whole run, rewards of tools up to its end. */
function scoresOf({ scores, steps }: Episode, lastStep: number): Partial<Sample> {
  if (scores === undefined) return {};
  const { numTurns, turnScores, toolRewards } = scores;
  const given =
    lastStep < steps.length - 1 ? toolRewards.filter(({ step }) => step <= lastStep) : toolRewards;
  return {
    numTurns,
    turnScores: turnScores.map(({ value }) => value),
    toolRewards: given.map(({ value }) => value),
  };
}

/** How many samples an episode is: those that were recorded, else those it becomes. */
export function sampleCount(episode: Episode): number {
  return episode.samples?.length ?? sampleEnds(episode).length;
}

/** The emissions between two renders of the context. */
interface Segment {
  firstStep: number;
  lastStep: number;
  /** All tokens at its end, the last emission included. */
  context?: Int32Array;
  /** Cut as `aligned`. */
  track?: TokenTrack;
  /** Entries of the loop's response mask before it; unknown once an earlier segment has no tokens. */
  maskBefore: number | undefined;
}

const segmentsByEpisode = new WeakMap<Episode, Segment[]>();

function segmentsOf(episode: Episode): Segment[] {
  const known = segmentsByEpisode.get(episode);
  if (known !== undefined) return known;
  const segments: Segment[] = [];
  let maskBefore: number | undefined = 0;
  let firstStep = 0;
  for (const lastStep of sampleEnds(episode)) {
    const segment: Segment = { firstStep, lastStep, maskBefore, ...tokensOf(episode, firstStep, lastStep) };
    segments.push(segment);
    maskBefore = add(maskBefore, segment.track?.maskLength);
    firstStep = lastStep + 1;
  }
  segmentsByEpisode.set(episode, segments);
  return segments;
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/**
 * The last step of each sample: where an edit was made, where the tokens do not go on, and the end. An episode without
 * steps has nothing to train.
 */
export function sampleEnds({
  steps,
  edits,
}: {
  steps: readonly Pick<Step, 'tokens'>[];
  edits: readonly Pick<ContextEdit, 'step'>[];
}): number[] {
  if (steps.length === 0) return [];
  const last = new Set(edits.map((edit) => edit.step).filter((step) => step >= 0 && step < steps.length));
  for (let step = 1; step < steps.length; step++) {
    const [before, after] = [steps[step - 1]?.tokens, steps[step]?.tokens];
    if (last.has(step - 1) || before === undefined || after === undefined) continue;
    if (firstBreak(before, after) !== undefined) last.add(step - 1);
  }
  return [...[...last].sort((a, b) => a - b), steps.length - 1];
}

function tokensOf(episode: Episode, firstStep: number, lastStep: number): Pick<Segment, 'context' | 'track'> {
  if (lastStep < firstStep) {
    const context = episode.statelm?.finalIds;
    if (context === undefined) return {};
    const nothing = { responseIds: new Int32Array(), maskLength: 0, trained: [], turns: [] };
    return { context, track: { promptIds: context, ...nothing } };
  }
  const calls = episode.steps.slice(firstStep, lastStep + 1).map((step) => step.tokens);
  const [first] = calls;
  const last = calls.at(-1);
  if (first === undefined || last === undefined) return {};
  const promptLength = first.promptIds.length;
  const turns: Span[] = [];
  for (const call of calls) {
    if (call === undefined) return {};
    const start = call.promptIds.length - promptLength;
    turns.push([start, start + call.generationIds.length]);
  }
  const context = contextIds(last);
  const responseIds = context.subarray(promptLength);
  const track: TokenTrack = {
    promptIds: context.subarray(0, promptLength),
    responseIds,
    maskLength: responseIds.length,
    trained: turns.filter(([start, end]) => end > start),
    turns,
  };
  if (calls.every((call) => call?.logprobs?.length === call?.generationIds.length)) {
    const logprobs = new Float32Array(responseIds.length);
    calls.forEach((call, index) => logprobs.set(call?.logprobs ?? [], turns[index]?.[0]));
    track.logprobs = logprobs;
  }
  return { context, track };
}

/**
 * `prompt_ids[-len(mask):]` and what is before it, with all that Python's slices do when the mask is the longer one: a
 * negative end counts from the back, so that of 1,318 tokens under a mask of 2,415 the first 221 are the prompt.
 */
export function tailOf(
  context: Int32Array,
  maskLength: number,
): Pick<TokenTrack, 'promptIds' | 'responseIds'> {
  const start = context.length - maskLength;
  return {
    promptIds: context.subarray(0, Math.max(start < 0 ? start + context.length : start, 0)),
    responseIds: maskLength === 0 ? context : context.subarray(Math.max(start, 0)),
  };
}

function tailTrack(episode: Episode, { context, track, maskBefore }: Segment): TokenTrack | undefined {
  if (context === undefined || track === undefined || maskBefore === undefined) return undefined;
  const wholeMask = maskBefore + track.maskLength;
  const limit = lengthLimit(episode.limits?.responseLength);
  const cut = ([start, end]: Span): Span => [
    Math.min(start + maskBefore, limit),
    Math.min(end + maskBefore, limit),
  ];
  const { promptIds, responseIds } = tailOf(context, wholeMask);
  return {
    promptIds,
    responseIds: responseIds.subarray(0, Math.min(responseIds.length, limit)),
    maskLength: Math.min(wholeMask, limit),
    trained: track.trained.map(cut).filter(([start, end]) => end > start),
    turns: track.turns.map(cut),
  };
}

/** As many tokens as fit. What is no length, as a broken file may have it, limits nothing. */
function lengthLimit(limit: number | undefined): number {
  return limit === undefined || !(limit >= 0) ? Infinity : Math.floor(limit);
}

/** How large a sample is. A 1 of the mask beyond the last token trains nothing and is not counted. */
export function sizesOf({ tokens, sizes }: Sample): SampleSizes | undefined {
  if (tokens === undefined || sizes !== undefined) return sizes;
  const { promptIds, responseIds, maskLength, trained } = tokens;
  return {
    prompt: promptIds.length,
    response: responseIds.length,
    mask: maskLength,
    trained: coveredBy(trained, responseIds.length),
  };
}

/** How many positions before `end` lie in the ranges. */
export function coveredBy(spans: readonly Span[], end: number): number {
  return spans.reduce((sum, span) => sum + Math.max(Math.min(span[1], end) - span[0], 0), 0);
}

/** The loop's response mask at one moment: how long it was, where it was 1, and where the turns stood in it. */
export interface MaskState {
  length: number;
  trained: Span[];
  turns: Span[];
}

/**
 * The loop's response mask as the call of a step found it: every edit before it has set all earlier entries to 0.
 * A step past the end gives the mask at the end. Undefined where the steps have no tokens.
 */
export function maskAt(episode: Episode, step: number): MaskState | undefined {
  const segments = segmentsOf(episode);
  const within = Math.min(Math.max(step, 0), episode.steps.length);
  const current = segments.findLast(({ firstStep }) => firstStep <= within) ?? segments[0];
  if (current?.maskBefore === undefined || current.track === undefined) return undefined;
  const { maskBefore, firstStep, track } = current;
  const turns: Span[] = [];
  for (const segment of segments) {
    for (const [index, [start, end]] of (segment.track?.turns ?? []).entries()) {
      const before = segment.maskBefore ?? 0;
      if (segment.firstStep + index < within) turns.push([start + before, end + before]);
    }
  }
  // What stands in the context of this step's call is the prompt of the call: mask entries up to its start.
  const length = maskBefore + (track.turns[within - firstStep]?.[0] ?? track.maskLength);
  return { length, trained: turns.slice(firstStep).filter(([start, end]) => end > start), turns };
}

/** The trajectory frozen just before an edit, as a position: everything else is a function of it. */
export interface Snapshot {
  index: number;
  /** The step that made the edit: the snapshot holds all that it and the steps before it brought. */
  step: number;
  edits: ContextEdit[];
  /** The sample made from it. */
  sample: Sample;
  /**
   * Messages of the history in it: `episode.messages.slice(0, messageCount)`. What was deleted by then is
   * `deletedAt(episode, step)`: those of its own edit are not among it.
   */
  messageCount: number;
}

export function snapshotsOf(episode: Episode): Snapshot[] {
  const { bornBefore } = historyOf(episode);
  return samplesOf(episode, 'tail')
    .flatMap((sample) => {
      if (sample.kind === 'final') return [];
      const edits = episode.edits.filter((edit) => edit.step === sample.lastStep);
      return edits.length === 0 ? [] : [{ sample, edits, step: sample.lastStep }];
    })
    .map((snapshot, index) => ({
      ...snapshot,
      index,
      messageCount: bornBefore[snapshot.step + 1] ?? 0,
    }));
}

/** The messages deleted before the call of a step. */
export function deletedAt(episode: Episode, step: number): Set<number> {
  const deleted = new Set<number>();
  for (const edit of episode.edits) {
    if (edit.step >= step) break;
    if (edit.kind === 'delete') for (const msgId of edit.msgIds) deleted.add(msgId);
  }
  return deleted;
}
