import type { Page } from 'playwright';
import type { Processes } from './processes';

/** A part of the bench: what it measures, and how. One file in `sections/`, one line in `sections.ts`. */
export interface Section {
  /** For `--only`. */
  id: string;
  run(bench: Bench): Promise<Row[]>;
}

/** A line of the table. */
export interface Row {
  what: string;
  value: number;
  unit: Unit;
  /** What must hold; rows without one are for information. */
  bound?: { atLeast: number } | { under: number };
  /** How it came about: `middle of 5 rounds; 812 against 655 MB/s`. */
  how: string;
}

/** `x` is a ratio, `%` a share given as a fraction. */
export type Unit = 'x' | '%' | 'ms' | 'MB/s' | 'MB';

/** What a section has at hand. */
export interface Bench {
  /** The project's folder. */
  root: string;
  quick: boolean;
  /** How often a ratio is measured; its median counts. */
  times: number;
  /** Bytes of the file that ratios are measured on, and of the one that is read whole. */
  sizes: { ratios: number; whole: number };
  /** A NeMo Gym run of so many bytes, made if it is not there. */
  rolloutFile: (bytes: number) => Promise<string>;
  /** A file of so many very short rollouts. */
  rowsFile: (rows: number) => Promise<string>;
  /** A file with this text, for this run. */
  textFile: (name: string, text: string) => Promise<string>;
  /** The app as it is shipped, in a page of its own. `prepare` runs in the page before the app does. */
  openApp: (prepare?: () => void) => Promise<Page>;
  /** The page of `page/`, with the parts of the app that sections measure by themselves. */
  openBenchPage: () => Promise<Page>;
  /** A page of nothing but text. */
  openPlainPage: () => Promise<Page>;
  /** The browser's. */
  processes: Processes;
  say: (line: string) => void;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which so large a share of the values lies; between two, a part of the way. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? NaN;
  const high = sorted[Math.ceil(at)] ?? NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** What was measured in one round, and its ratio. */
export interface Round {
  ratio: number;
  a: number;
  b: number;
}

/**
 * Of measurements made in turn, the round whose ratio is the median of all, so that the figures beside a ratio are those
 * it came of. Of an even number of rounds, the lower of the two in the middle.
 */
export function middleRound(a: readonly number[], b: readonly number[]): Round {
  const rounds = a.map((each, index): Round => {
    const other = b[index] ?? NaN;
    return { ratio: each / other, a: each, b: other };
  });
  rounds.sort((one, other) => one.ratio - other.ratio);
  return rounds[Math.floor((rounds.length - 1) / 2)] ?? { ratio: NaN, a: NaN, b: NaN };
}

/** `middle of 5 rounds` */
export function roundsText(count: number): string {
  return count === 1 ? 'once' : `middle of ${count} rounds`;
}
