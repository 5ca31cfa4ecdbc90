import type { Episode } from '../model';

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
  data: Blob;
}

/** A source as it is being read. Sent again and again while `phase` is `reading`. */
export interface SourceState {
  id: SourceId;
  name: string;
  phase: 'reading' | 'ready' | 'cancelled' | 'failed';
  format?: { id: string; name: string };
  bytesRead: number;
  bytesTotal: number;
  records: number;
  episodes: number;
  problems: number;
  /** Why nothing, or nothing more, could be read; only in phase `failed`. */
  failure?: Failure;
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
  open(input: SourceInput, onState: (state: SourceState) => void): Promise<void>;
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
  raw(ref: EpisodeRef): Promise<RawRecord | undefined>;
}
