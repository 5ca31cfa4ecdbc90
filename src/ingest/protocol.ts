import type { Episode, Finding } from '../model';
import type { Partners } from './join';

export type { Partner, Partners } from './join';

/**
 * What the page and the ingest worker say to each other. The page never holds a file's records: it asks for a
 * window of rows, one episode, or one record's text.
 */

/** Names a source in links: `run.jsonl`, `sample/counter`. */
export type SourceId = string;

export interface EpisodeRef {
  source: SourceId;
  /** Position among the source's episodes, from 0, in the order of the file. */
  episode: number;
}

export interface SourceInput {
  id: SourceId;
  /** As the person knows it, usually the file name. */
  name: string;
  data: SourceData;
}

export type SourceData = Blob | RemoteFile;

/** A file behind a URL, as its server described it (`describeRemote`). */
export interface RemoteFile {
  /** Absolute: a worker is somewhere else than the page. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** In bytes; 0 also where the server does not say. */
  size: number;
  /** Whether parts of it can be asked for. */
  ranges: boolean;
  etag?: string;
}

/**
 * What became of reading on in a file: what came after was added; it is not the file that was read any more; it can only
 * be read as a whole (it is compressed, not one record per line, or all of it makes one episode).
 */
export type Extension = 'extended' | 'replaced' | 'whole';

/** A source as it is being read. Sent again and again while `phase` is `reading`. */
export interface SourceState {
  id: SourceId;
  name: string;
  phase: 'reading' | 'ready' | 'cancelled' | 'failed';
  format?: { id: string; name: string };
  /** Its episodes are read together with files of the same folder, as far as they are open. */
  joins?: true;
  bytesRead: number;
  bytesTotal: number;
  records: number;
  episodes: number;
  problems: number;
  /** Why nothing, or nothing more, could be read; only in phase `failed`. */
  failure?: Failure;
  /**
   * Reading was stopped or broke off, and `extend` takes it up: `on` from there, `again` only by opening the source anew.
   */
  readOn?: 'on' | 'again';
  /** The last of the problems is a last line that was cut off: it may still be being written. */
  torn?: { line: number; byteStart: number };
  /** What it came in, from the outside in: `['gzip', 'tar']`. Absent for a plain file. */
  containers?: readonly string[];
  /** Where the decompressed bytes are kept for reading episodes again, and how many there are. */
  unpacked?: { bytes: number; where: 'memory' | 'disk' };
}

export interface Failure {
  /** What happened: `This is a Git LFS pointer, not the file itself.` */
  what: string;
  /** What the person can do now: `Run git lfs pull and open it again.` */
  next: string;
}

/** An entry of the error ledger. */
export interface Problem {
  /** The file inside a container that line and bytes count in. */
  path?: string;
  /** 1-based. */
  line: number;
  byteStart: number;
  byteEnd: number;
  /** `Unexpected token < at column 1` */
  reason: string;
  /** The first 200 characters. */
  excerpt: string;
}

export type Cell = number | string | boolean | undefined;

export interface ColumnInfo {
  key: string;
  label: string;
  type: 'number' | 'string' | 'boolean';
  /** Rows that have a value. */
  filled: number;
  /** Shown unless the person hides it. */
  shown: boolean;
}

export interface TableQuery {
  sources: readonly SourceId[];
  sort: readonly { column: string; descending: boolean }[];
  /** In the language of `filter/parse.ts`: `reward < 0.5 and tool:search`. A filter that is wrong keeps every row. */
  filter?: string;
  /** The rows of this source alone; the filter means what it means for all of `sources`. */
  only?: SourceId;
}

/** Sorted by as if it were a column: the sources as they stand in the query, equal names apart. */
export const sourceOrder = '@source';

/** What is wrong with a filter, and where in its text, end exclusive. */
export interface FilterFault {
  message: string;
  start: number;
  end: number;
}

/** What can stand at the cursor of a filter: `text` replaces `start` to `end`. */
export interface FilterCompletion {
  text: string;
  start: number;
  end: number;
  kind: 'column' | 'operator' | 'value' | 'word';
}

/** How the values of a column are spread over the rows of a query. */
export interface Facet {
  rows: number;
  missing: number;
  /** Of the numbers (booleans count as 0 and 1), where there are any. The last bin includes its end. */
  numbers?: {
    count: number;
    min: number;
    max: number;
    mean: number;
    bins: { from: number; to: number; count: number }[];
  };
  /** The commonest values, the commonest first, and how many different ones there are. */
  values: { value: NonNullable<Cell>; count: number }[];
  distinct: number;
}

export interface GroupQuery {
  query: TableQuery;
  /** The column whose equal values make a group; `task` unless it is said. */
  by?: string;
  /** Equal values of different sources are different groups. */
  apart?: boolean;
  /** For pass@k. */
  k: readonly number[];
  /** A rollout passes with a reward of at least this; 1 unless it is said. */
  passes?: number;
  /** `pass@2` for one of the asked `k`. */
  sort?: {
    by: 'key' | 'n' | 'mean' | 'best' | 'worst' | 'variance' | 'passed' | `pass@${number}`;
    descending: boolean;
  };
}

/** The rollouts of one task. Numbers are over those that have a reward; absent where none has. */
export interface Group {
  key: string;
  /** Whose rows these are, where groups are apart by source: then this and `key` together tell one from another. */
  source?: SourceId;
  /** Rows, with a reward or without. */
  n: number;
  rewarded: number;
  mean?: number;
  best?: number;
  worst?: number;
  /** Of the population: the mean of the squared distances from the mean. */
  variance?: number;
  passed: number;
  /** The unbiased estimate for each asked `k`, in that order; undefined where there are fewer than `k` rollouts. */
  passAt: (number | undefined)[];
  /** More than one rollout, all with the same reward: nothing to learn from in a group-relative objective. */
  zeroVariance: boolean;
  /** One of its rows. */
  first: EpisodeRef;
}

/** What is told of all groups together. */
export interface AllGroups {
  /** Rows in groups. */
  n: number;
  /** Rows of the query that have no value to be grouped by. */
  ungrouped: number;
  rewarded: number;
  /** Of all rewards, whichever group they are in. */
  mean?: number;
  /**
   * For each asked `k`: the mean of the groups' estimates, over those groups that have at least `k` rollouts with a
   * reward, and how many these are.
   */
  passAt: { mean?: number; groups: number }[];
  /** Groups that have no variance. */
  zeroVariance: number;
}

export interface SearchInput {
  /** Names the search, to cancel it. A new one of the same id ends the old one. */
  id: string;
  sources: readonly SourceId[];
  text: string;
  matchCase?: boolean;
}

/** A group, by what tells it from others, and in how many places of its records a search has found what it looks for. */
export interface GroupPlaces extends Pick<Group, 'key' | 'source'> {
  places: number;
}

/** How far a search is. Sent again and again until it is done. */
export interface SearchState {
  phase: 'searching' | 'done' | 'cancelled';
  /** Until a source has been read: which row a place belongs to is not known before. */
  waiting?: true;
  bytesRead: number;
  bytesTotal: number;
  /** Places where the text stands. */
  matches: number;
  /** Episodes that have it, in the order of sources and rows, each with its number of places; the first 100,000. */
  found: readonly { ref: EpisodeRef; matches: number }[];
}

/** How a table shows rows: one by one, or in groups. */
export type Shown = TableQuery | GroupQuery;

/** An episode that a search found and a table shows. */
export interface Result {
  ref: EpisodeRef;
  /** Where a grouped table has it: which of the groups, and which of its `n` rows, from 0. */
  group?: { index: number; key: string; source?: SourceId; n: number; nth: number };
}

/** The episodes a search found, in the order a table shows them. */
export interface Results {
  /** As many as in `SearchState.found`. */
  found: number;
  /** Those that the filter keeps. */
  kept: number;
  /** Those of them that are shown: in a grouped table all that are in a group. */
  shown: number;
  /** Where the episode that was asked about stands among those, from 0, or -1. */
  place: number;
  /** Its neighbours, around the ends; the last and the first where it is none of them. Absent where none is shown. */
  previous?: Result;
  next?: Result;
}

/** How far lint over all episodes is. Sent again and again until it is done. */
export interface LintState {
  phase: 'linting' | 'done' | 'cancelled';
  /** Looked at so far, those of an earlier run included. */
  episodes: number;
  total: number;
}

export interface Row {
  ref: EpisodeRef;
  title: string;
  cells: Record<string, Cell>;
}

export interface RawRecord {
  /** The file inside a container that line and bytes count in. */
  path?: string;
  text: string;
  line: number;
  byteStart: number;
  byteEnd: number;
}

/** What the worker offers. */
export interface Ingest {
  /** Resolves when reading has ended, whichever way: the last state says how. */
  open(input: SourceInput, onState: (state: SourceState) => void): Promise<void>;
  /** Reads on where the reading ended, in the same file as it is now. Resolves when that has ended. */
  extend(source: SourceId, data: SourceData, onState: (state: SourceState) => void): Promise<Extension>;
  /** Stops reading; the rows read so far stay. */
  cancel(source: SourceId): Promise<void>;
  /** Forgets the source. */
  close(source: SourceId): Promise<void>;
  columns(sources: readonly SourceId[]): Promise<ColumnInfo[]>;
  /** Rows `start` to `end` (exclusive) in the query's order, and how many there are in all. */
  rows(query: TableQuery, start: number, end: number): Promise<{ total: number; rows: Row[] }>;
  /** Where an episode stands in the query's order, or -1. */
  position(query: TableQuery, ref: EpisodeRef): Promise<number>;
  problems(source: SourceId): Promise<Problem[]>;
  /** Undefined where there is no such episode. */
  episode(ref: EpisodeRef): Promise<Episode | undefined>;
  /** What lint has to say about an episode; none where there is no such episode. */
  findings(ref: EpisodeRef): Promise<Finding[]>;
  raw(ref: EpisodeRef): Promise<RawRecord | undefined>;
  /** Records of the same run in all open sources; undefined where the episode is not of a run that leaves several files. */
  partners(ref: EpisodeRef): Promise<Partners | undefined>;
  /** A filter that is wrong has a fault; one that is right may have a hint: it may be meant to say something else. */
  checkFilter(sources: readonly SourceId[], filter: string): Promise<{ fault?: FilterFault; hint?: string }>;
  completeFilter(sources: readonly SourceId[], filter: string, cursor: number): Promise<FilterCompletion[]>;
  /** Over the rows of the query; its sort does not matter. */
  facet(query: TableQuery, column: string): Promise<Facet>;
  /** Groups `start` to `end` (exclusive), how many there are in all, and what is told of all of them. */
  groups(
    query: GroupQuery,
    start: number,
    end: number,
  ): Promise<{ total: number; groups: Group[]; all: AllGroups }>;
  /** Looks for text in the bytes of all records. Resolves when it is done or cancelled. */
  search(input: SearchInput, onState: (state: SearchState) => void): Promise<void>;
  cancelSearch(id: string): Promise<void>;
  /** What the last search of this id has found so far, as a table shows it. */
  results(id: string, shown: Shown, at?: EpisodeRef): Promise<Results>;
  /** In how many places it stands in each of the groups `start` to `end` (exclusive). */
  resultsByGroup(id: string, groups: GroupQuery, start: number, end: number): Promise<GroupPlaces[]>;
  /**
   * Lints every episode of these sources that has not been yet, into columns that can be sorted and filtered by:
   * `findings`, `errors`, `warnings`, the rules as `finding:rule-id`, and how well deletions served (`freed`,
   * `stepsToDelete`, `readAgain`, `missedDeletes`). Resolves when it is done or cancelled; what
   * was linted until then stays. A new run ends the one before it.
   */
  lint(sources: readonly SourceId[], onState: (state: LintState) => void): Promise<void>;
  cancelLint(): Promise<void>;
  /** Work that takes long stands still for a moment: the page is drawing, and two cores are not many. */
  makeWay(): Promise<void>;
}
