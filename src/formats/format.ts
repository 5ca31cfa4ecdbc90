import type { Episode, EpisodeSummary } from '../model';
import type { Fields } from './fields';

/** One JSON value of a source, as the reader hands it to an importer. */
export interface SourceRecord {
  /** Parsed, and not to be trusted: it can be any JSON value. */
  value: unknown;
  /** Exactly as it stood in the source, for importers that need what `JSON.parse` loses (`1.0`, key order). */
  text: string;
  /** Position among the good records of its source, from 0. */
  index: number;
  /** 1-based line it starts on. */
  line: number;
}

/** Files of the same folder that an episode is read together with. */
export interface Beside {
  /** Of the episode's own file: `trajectory.cont-1.json`. */
  name: string;
  /** By the names of their files. */
  records: ReadonlyMap<string, SourceRecord>;
}

/**
 * What another file of a run is to one: what came before, what came after, how the context was summed up, or, to a file
 * about that, the run itself.
 */
export type Relation = 'earlier' | 'later' | 'summary' | 'run';

/** How the files of runs that are written to several belong together. File names alone tell, without their folder. */
export interface RunFiles {
  /** Of the files of its folder, those that the episode of a record is read together with. */
  needs(record: SourceRecord, name: string, folder: readonly string[]): string[];
  /** Undefined for a file of another run. */
  relation(name: string, other: string): Relation | undefined;
}

export interface Sketch {
  /** What it looks at; `confidence` must say the same of a record that has only this left. */
  fields: Fields;
  /** What `summarise` would say of the whole record; undefined where that takes more than these fields. */
  summarise(left: unknown, index: number): EpisodeSummary | undefined;
}

/**
 * An importer. Adding a format is a file with one of these, its test, and a line in `registry.ts`.
 * Nothing here throws on data: what cannot be read becomes a gap of the episode.
 */
export interface Format {
  /** As the corpus names it: `nemo_gym_rollout`. */
  id: string;
  /** For people: `NeMo Gym rollout`. */
  name: string;
  /**
   * What one episode is made from: each record, or all records of a source together (then `value` is the
   * array of their values).
   */
  unit: 'record' | 'source';
  /** How sure it is, from 0 (not mine) to 1, judged by shape alone and never by a file name. */
  confidence(value: unknown): number;
  /**
   * What `confidence` and `summarise` look at: both must say the same of a record that has only this left. Makes reading
   * big files several times as fast; without it every record is parsed in full.
   */
  fields?: Fields;
  /** A shorter way to the summary of a record that holds one episode, for most records. */
  sketch?: Sketch;
  /** One entry per episode in the record: usually one, none for a record that holds no episode. */
  summarise(record: SourceRecord): EpisodeSummary[];
  /** The nth episode of the record, in full; `beside` where the format has `files`, and some are there. */
  episode(record: SourceRecord, nth: number, beside?: Beside): Episode;
  /** Where a run is written to several files. */
  files?: RunFiles;
}
