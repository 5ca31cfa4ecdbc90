import type { Episode, Sample, Span, StepTokens, TokenTrack } from '../../../model';
import { turnsOf, type Turn } from '../samples/turns';

/** What becomes of a token in training. Prompt tokens are masked too, and are told apart. */
export type Fate = 'prompt' | 'masked' | 'trained' | 'dropped';

/** The tokens of one sample as they are shown: the prompt's, then the response's. Positions count from the prompt. */
export interface Track {
  length: number;
  promptLength: number;
  idAt(position: number): number;
  /** As it reads; undefined where only the id is known. */
  textAt(position: number): string | undefined;
  /** Ascending, without gaps: the first starts at 0, the last ends at `length`. */
  fates: readonly { end: number; fate: Fate }[];
  /** Positions of the emitted turns, ascending. */
  turns: readonly (Turn & { start: number; end: number })[];
  /** Numbers per response token, by name. */
  values: ReadonlyMap<string, Float32Array>;
  /** Ones of the mask that lie past the last token. */
  past: number;
}

export function trackOf(episode: Episode, sample: Sample): Track | undefined {
  const { tokens } = sample;
  if (tokens === undefined) return undefined;
  const turns = turnsOf(episode, sample);
  const isRecorded = episode.samples?.includes(sample) === true;
  return trackFrom(isRecorded ? tokens : withoutFiller(tokens), turns, episode.tokenIds === 'characters');
}

/** What we cut ourselves has log-probabilities of emitted tokens only, and zeros between them that nobody recorded. */
function withoutFiller(tokens: TokenTrack): TokenTrack {
  const { logprobs } = tokens;
  if (logprobs === undefined) return tokens;
  const emitted = new Float32Array(logprobs.length).fill(NaN);
  for (const [start, end] of tokens.turns) emitted.set(logprobs.subarray(start, end), start);
  return { ...tokens, logprobs: emitted };
}

/** A single model call: all that it generated is the policy's. */
export function callTrack(episode: Episode, step: number, tokens: StepTokens): Track {
  const { promptIds, generationIds, logprobs } = tokens;
  const { length } = generationIds;
  const whole: Span = [0, length];
  const track: TokenTrack = {
    promptIds,
    responseIds: generationIds,
    maskLength: length,
    trained: length === 0 ? [] : [whole],
    turns: [whole],
    ...(logprobs === undefined ? {} : { logprobs }),
  };
  const turn: Turn = { step, length, trained: length, dropped: 0, span: whole };
  return trackFrom(track, [turn], episode.tokenIds === 'characters');
}

export function trackFrom(tokens: TokenTrack, turns: readonly Turn[], characters: boolean): Track {
  const { promptIds, responseIds, texts, logprobs } = tokens;
  const promptLength = promptIds.length;
  const length = promptLength + responseIds.length;
  const idAt = (position: number) =>
    (position < promptLength ? promptIds[position] : responseIds[position - promptLength]) ?? -1;
  const shift = (at: number) => Math.min(Math.max(at, 0), responseIds.length) + promptLength;
  const values = new Map<string, Float32Array>();
  if (logprobs !== undefined) values.set('logprob', logprobs);
  for (const [name, numbers] of Object.entries(tokens.values ?? {})) {
    values.set(valueNames.get(name) ?? name, numbers);
  }
  const gap = gapOf(tokens, values);
  if (gap !== undefined) values.set(gapName, gap);
  return {
    length,
    promptLength,
    idAt,
    textAt: (position) => {
      const recorded = position < promptLength ? undefined : texts?.[position - promptLength];
      return recorded ?? (characters ? characterOf(idAt(position)) : undefined);
    },
    fates: fatesOf(promptLength, length, tokens.trained, turns),
    turns: turns
      .map((turn) => ({ ...turn, start: shift(turn.span[0]), end: shift(turn.span[1]) }))
      .filter(({ start, end }) => end > start),
    values,
    past: tokens.trained.reduce(
      (sum, [start, end]) => sum + Math.max(end - Math.max(start, responseIds.length), 0),
      0,
    ),
  };
}

/** What is recorded under the names of code, in words. */
const valueNames: ReadonlyMap<string, string> = new Map([
  ['prevLogprob', 'training logprob'],
  ['trainerLogprob', 'training logprob'],
  ['refLogprob', 'reference logprob'],
]);

export const gapName = 'train-inference gap';

/**
 * By how much the trainer finds each emitted token likelier than the server that sampled it did: the two should agree.
 * Undefined where not both are recorded.
 */
function gapOf(tokens: TokenTrack, values: Track['values']): Float32Array | undefined {
  const [sampled, trained] = [values.get('logprob'), values.get('training logprob')];
  if (sampled === undefined || trained?.length !== sampled.length) return undefined;
  const gap = new Float32Array(sampled.length).fill(NaN);
  // Between emissions the server's numbers are fillers.
  for (const [start, end] of tokens.turns.length > 0 ? tokens.turns : tokens.trained) {
    for (let at = Math.max(start, 0); at < Math.min(end, gap.length); at++) {
      gap[at] = (trained[at] ?? NaN) - (sampled[at] ?? NaN);
    }
  }
  return gap;
}

function characterOf(id: number): string | undefined {
  return id >= 0 && id <= 0x10ffff ? String.fromCodePoint(id) : undefined;
}

/** Trained wins over dropped: a token under a 1 is trained, whoever wrote it. */
function fatesOf(
  promptLength: number,
  length: number,
  trained: readonly Span[],
  turns: readonly Turn[],
): { end: number; fate: Fate }[] {
  const response = length - promptLength;
  const edges = new Set([response]);
  for (const [start, end] of [...trained, ...turns.map(({ span }) => span)]) {
    for (const edge of [start, end]) if (edge > 0 && edge < response) edges.add(edge);
  }
  const fates: { end: number; fate: Fate }[] = [];
  const put = (end: number, fate: Fate) => {
    const last = fates.at(-1);
    if ((last?.end ?? 0) >= end) return;
    if (last?.fate === fate) last.end = end;
    else fates.push({ end, fate });
  };
  put(promptLength, 'prompt');
  const isTrained = inAscending(trained);
  const isOwn = inAscending(turns.map(({ span }) => span));
  let start = 0;
  for (const end of [...edges].sort((a, b) => a - b)) {
    put(end + promptLength, isTrained(start) ? 'trained' : isOwn(start) ? 'dropped' : 'masked');
    start = end;
  }
  return fates;
}

/** Whether a position lies in one of some ranges, asked for positions that ascend. */
function inAscending(spans: readonly Span[]): (position: number) => boolean {
  const sorted = spans.toSorted((a, b) => a[0] - b[0]);
  let next = 0;
  return (position) => {
    while (next < sorted.length && (sorted[next]?.[1] ?? 0) <= position) next += 1;
    const [start, end] = sorted[next] ?? [Infinity, Infinity];
    return start <= position && position < end;
  };
}

export function fateAt({ fates }: Pick<Track, 'fates'>, position: number): Fate {
  return fates[fateIndex(fates, position)]?.fate ?? 'masked';
}

/** Which of the ranges holds a position. */
export function fateIndex(fates: Track['fates'], position: number): number {
  let low = 0;
  let high = fates.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fates[middle]?.end ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many tokens there are of each fate. */
export function countsOf({ fates }: Pick<Track, 'fates'>): Record<Fate, number> {
  const counts: Record<Fate, number> = { prompt: 0, masked: 0, trained: 0, dropped: 0 };
  let start = 0;
  for (const { end, fate } of fates) {
    counts[fate] += end - start;
    start = end;
  }
  return counts;
}
