import type { SourceState } from '../../ingest/protocol';
import { spelled } from '../markdown';
import { isBegun, placeOf, problemCount, unfinishedLine, type Growable } from './ledger';
import { counted, formatBytes, formatDuration } from '../words/format';
import { percentRead, secondsLeft } from './pace';

/** What the region says of a source, in words. */

/** `42% of 1.2 GB · 1,204 records · 180 MB/s · 4 s left` */
export function readingText(source: SourceState, rate: number | undefined): string {
  const left = secondsLeft(source, rate);
  return [
    source.bytesTotal > 0
      ? `${percentRead(source)}% of ${formatBytes(source.bytesTotal)}`
      : formatBytes(source.bytesRead),
    counted(source.records, 'record'),
    ...(rate === undefined ? [] : [`${formatBytes(rate)}/s`]),
    ...(left === undefined ? [] : [`${formatDuration(left)} left`]),
  ].join(' · ');
}

/** What stands under the name of a source that is not being read any more. */
export function restingText(source: Growable): string {
  switch (source.phase) {
    case 'cancelled':
      return source.episodes === 0
        ? `Stopped at ${percentRead(source)}%, before the first episode.`
        : `Stopped at ${percentRead(source)}%: the first ${counted(source.episodes, 'episode')} ${source.episodes === 1 ? 'is' : 'are'} here.`;
    case 'failed':
      if (isBegun(source)) return `${begunText.what}. ${begunText.next}`;
      return source.failure === undefined
        ? 'It could not be read.'
        : `${source.failure.what} ${source.failure.next}`;
    case 'ready':
      return source.episodes === 0 ? emptyText(source) : readText(source);
    case 'reading':
      return '';
  }
}

/** What is said of a file that a run has only begun to write. */
export const begunText = {
  what: 'Still being written',
  next: 'Its first line has not ended yet. Episodes appear as they are written.',
};

/** `StateLM trajectories`, or `Still being written · StateLM trajectories`. */
function readText(source: Growable): string {
  const format = source.format?.name ?? 'Unknown format';
  return unfinishedLine(source) === undefined ? format : `Still being written · ${format}`;
}

/** Which line that is. */
export function writingText(source: Growable): string | undefined {
  const line = unfinishedLine(source);
  return line === undefined ? undefined : `${placeOf(line)}: the line has not ended, and is read once it has`;
}

/** A source without episodes: why, and what to do. */
function emptyText({ bytesTotal, records, problems }: SourceState): string {
  if (bytesTotal === 0)
    return 'This file is empty. Was it still being written? Open it again when it is done.';
  if (problems > 0 && records === 0) {
    return 'Nothing in this file could be read. Problems, below, says what stands at each line.';
  }
  return 'There is no episode in this file. Rollouts are usually one JSON object per line: open the file that has them.';
}

/** Told to screen readers: changes with each quarter read and at the end, not with every record. */
export function announcement(source: Growable): string {
  const name = spelled(source.name, 300);
  switch (source.phase) {
    case 'reading': {
      const quarter = Math.floor(percentRead(source) / 25) * 25;
      return quarter === 0 ? `Reading ${name}.` : `Reading ${name}, ${quarter}%.`;
    }
    case 'ready': {
      const problems = problemCount(source);
      const told = problems === 0 ? '' : `, ${counted(problems, 'problem')}`;
      return `${name} is read: ${counted(source.episodes, 'episode')}${told}.`;
    }
    case 'cancelled':
    case 'failed':
      return `${name}: ${restingText(source)}`;
  }
}
