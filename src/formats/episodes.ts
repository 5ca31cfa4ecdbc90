import { noCounts, sampleCount, sessionsOf, type Counts, type Episode, type EpisodeSummary } from '../model';
import { calledTools } from './called-tools';
import type { Beside, Format, SourceRecord } from './format';

/** Formats by how their episodes are read. Summaries are told from the episodes, so that the two agree. */

/** A format whose every record is one episode. */
export function oneEpisode(
  about: Pick<Format, 'id' | 'name' | 'unit' | 'confidence'>,
  read: (record: SourceRecord) => Episode,
  count: (value: unknown) => Counts = noCounts,
): Format {
  return {
    ...about,
    summarise: (record) => [summaryOf(read(record), count(record.value))],
    episode: read,
  };
}

/** A format whose records hold any number of episodes: the samples of a log, a trajectory and its subagents'. */
export interface Several<Part> extends Pick<Format, 'id' | 'name' | 'unit' | 'confidence' | 'files'> {
  /** What the episodes of a record are made from, one each. */
  parts: (value: unknown) => readonly Part[];
  /** The record's text is empty where only the summary is wanted. */
  read: (record: SourceRecord, part: Part, nth: number, beside?: Beside) => Episode;
  counts: (part: Part) => Counts;
}

export function severalEpisodes<Part>(several: Several<Part>): Format {
  const { parts, read, counts, ...about } = several;
  return {
    ...about,
    summarise({ value, index, line }) {
      const record: SourceRecord = { value, text: '', index, line };
      return parts(value).map((part, nth) => summaryOf(read(record, part, nth), counts(part)));
    },
    episode(record, nth, beside) {
      const found = parts(record.value);
      const part = found[nth];
      if (part === undefined) throw new RangeError(`episode ${nth} of a record that has ${found.length}`);
      return read(record, part, nth, beside);
    },
  };
}

/** The id of the nth episode of a record. */
export function episodeId({ index }: SourceRecord, nth: number): string {
  return nth === 0 ? String(index) : `${index}.${nth}`;
}

export function summaryOf(episode: Episode, counts: Counts): EpisodeSummary {
  const { title, task, outcome, steps, edits, metrics, gaps } = episode;
  const tools = calledTools(episode);
  const sessions = sessionsOf(episode).map(({ session }) => session);
  return {
    title,
    ...(task === undefined ? {} : { task }),
    ...(outcome.reward === undefined ? {} : { reward: outcome.reward }),
    counts,
    ...(tools.length === 0 ? {} : { tools }),
    ...(sessions.length === 0 ? {} : { sessions }),
    steps: steps.length,
    edits: edits.length,
    samples: sampleCount(episode),
    metrics,
    gaps: [...new Set(gaps.map(({ about }) => about))],
  };
}
