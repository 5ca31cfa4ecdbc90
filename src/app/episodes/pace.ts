import type { SourceState } from '../../ingest/protocol';

/** How fast a source is being read, from what it said over the last seconds. */

export interface Sample {
  /** Milliseconds. */
  at: number;
  bytes: number;
}

/** Long enough to be calm, short enough to follow a disk that slows down. */
const span = 4000;

/** Milliseconds until a rate says something of the disk. */
export const settling = 800;

/** The samples with one more; those too old are left out, but for one to measure from. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  // Read again from the start: what was measured before is of another reading.
  if (last !== undefined && sample.bytes < last.bytes) return [sample];
  const recent = samples.findLastIndex(({ at }) => sample.at - at > span);
  return [...samples.slice(Math.max(recent, 0)), sample];
}

/** Bytes per second; undefined until there is something to measure. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const elapsed = last.at - first.at;
  const bytes = last.bytes - first.bytes;
  // The first moments go into starting, and into the first rows on screen.
  return elapsed < settling || bytes <= 0 ? undefined : (bytes / elapsed) * 1000;
}

export function secondsLeft(
  { bytesRead, bytesTotal }: Pick<SourceState, 'bytesRead' | 'bytesTotal'>,
  rate: number | undefined,
): number | undefined {
  return rate === undefined || bytesTotal <= bytesRead ? undefined : (bytesTotal - bytesRead) / rate;
}

/** 0 to 100, rounded down: only what has been read to its end is whole. */
export function percentRead({
  bytesRead,
  bytesTotal,
}: Pick<SourceState, 'bytesRead' | 'bytesTotal'>): number {
  if (bytesTotal <= 0) return 0;
  return Math.floor(Math.min(1, Math.max(0, bytesRead / bytesTotal)) * 100);
}

/** What is on screen while a file is read is not older than this, and what its answer took. */
const longestRest = 2000;

/** How long not to ask the same again after an answer that took this long: a tenth of the worker's time is enough. */
export function restsFor(took: number): number {
  return took < 5 ? 0 : Math.min(took * 9, longestRest);
}
