import type { Problem, SourceState } from '../../ingest/protocol';
import { counted, formatCount } from '../words/format';

/** As many as a person reads; all of them can be copied. */
export const mostListed = 200;

/** What the region lists, and how many it does not. `total` may be more than the worker kept. */
export function listedProblems(
  problems: readonly Problem[],
  total: number,
): { shown: readonly Problem[]; more: number } {
  const shown = problems.slice(0, mostListed);
  return { shown, more: problems.length === 0 ? 0 : Math.max(total, problems.length) - shown.length };
}

/** A source of which it may be known that it is followed, and being written. */
export type Growable = SourceState & { growing?: boolean };

/** The last line of a file that is being written, while it has not ended: no problem yet. */
export function unfinishedLine({ growing, torn }: Growable): SourceState['torn'] {
  return growing === true ? torn : undefined;
}

/** All there is of it so far is such a line. */
export function isBegun(source: Growable): boolean {
  return unfinishedLine(source) !== undefined && source.records === 0 && source.problems === 1;
}

/** An unfinished line would be the last of them. */
export function problemCount(source: Growable): number {
  return source.problems - (unfinishedLine(source) === undefined ? 0 : 1);
}

/** `line 1,204 · byte 55,010` */
export function placeOf({ line, byteStart }: Pick<Problem, 'line' | 'byteStart'>): string {
  return `line ${formatCount(line)} · byte ${formatCount(byteStart)}`;
}

/** A line per problem, as compilers write them, so that editors and `grep` know what to do with it. */
export function problemsAsText(name: string, problems: readonly Problem[]): string {
  return problems
    .map(
      ({ line, byteStart, byteEnd, reason, excerpt }) =>
        `${name}:${line}: ${reason} (bytes ${byteStart}-${byteEnd})\n    ${excerpt.replaceAll(/[\r\n]+/g, ' ')}`,
    )
    .join('\n');
}

/** `3 lines could not be read; the others were.` */
export function problemsText(problems: number, records: number): string {
  return `${counted(problems, 'line')} could not be read${records > 0 ? '; the others were' : ''}.`;
}
