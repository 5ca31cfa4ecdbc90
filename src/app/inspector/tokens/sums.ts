import type { Track } from './track';

export interface TurnSums {
  step: number;
  /** Position of its first token that is there. */
  start: number;
  tokens: number;
  trained: number;
  dropped: number;
  /** Of the values chosen: their sum and mean over the tokens that have one. */
  sum: number | undefined;
  mean: number | undefined;
}

export function sumsOf(track: Track, values: Float32Array | undefined): TurnSums[] {
  return track.turns.map(({ step, start, end, length, trained, dropped }) => {
    let sum = 0;
    let count = 0;
    for (const value of values?.subarray(start - track.promptLength, end - track.promptLength) ?? []) {
      if (!Number.isFinite(value)) continue;
      sum += value;
      count += 1;
    }
    const some = count > 0;
    return {
      step,
      start,
      tokens: length,
      trained,
      dropped,
      sum: some ? sum : undefined,
      mean: some ? sum / count : undefined,
    };
  });
}
