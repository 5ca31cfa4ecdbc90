import type { Cell } from '../protocol';
import { findColumn, type FilterColumn } from './parse';
import { FilterError, tokensOf, type Token } from './tokens';
import { columnName, writtenCell } from './written';

export interface Completion {
  /** What replaces `start` to `end` of the text. */
  text: string;
  start: number;
  end: number;
  kind: 'column' | 'operator' | 'value' | 'word';
}

const most = 20;

/**
 * What can stand at the cursor: columns, operators after a column, values after an operator. `valuesOf` gives the
 * commonest values of a column.
 */
export function completeFilter(
  text: string,
  cursor: number,
  columns: readonly FilterColumn[],
  valuesOf: (key: string) => readonly NonNullable<Cell>[],
): Completion[] {
  const before = tokensBefore(text.slice(0, cursor));
  const last = before.at(-1);
  // A word that the cursor touches is being written.
  const typed =
    last !== undefined && last.end === cursor && last.kind !== 'operator' ? before.pop() : undefined;
  const start = typed?.start ?? cursor;
  const written =
    typed === undefined
      ? ''
      : text
          .slice(start, cursor)
          .replace(/^["'`]/, '')
          .toLowerCase();
  const [previous, operator] = [before.at(-2), before.at(-1)];
  const made = (kind: Completion['kind'], texts: readonly string[]): Completion[] =>
    texts
      .filter((each) => each.toLowerCase().includes(written))
      .sort((a, b) => rank(a, written) - rank(b, written))
      .slice(0, most)
      .map((each) => ({ text: each, start, end: cursor, kind }));

  if (operator?.kind === 'operator') {
    const column = columnOf(previous, columns);
    if (column === undefined) return [];
    const values = valuesOf(column.key);
    const offered =
      column.type === 'boolean'
        ? [true, false, ...values.filter((each) => typeof each !== 'boolean')]
        : values;
    return made(
      'value',
      offered.map((value) => writtenCell(column.type, value)),
    );
  }
  if (operator?.kind === 'word' && operator.text.toLowerCase() === 'is')
    return made('word', ['missing', 'filled']);
  const column = typed === undefined ? columnOf(operator, columns) : undefined;
  if (column !== undefined) {
    const operators = column.type === 'string' ? [':', '=', '!='] : ['<', '<=', '>', '>=', '=', '!='];
    return [...made('operator', operators), ...made('word', ['is missing', 'is filled'])];
  }
  const names = columns.map(({ key, label }) => columnName(key, label));
  return [
    ...made('column', [...new Set(names)]),
    ...made('word', operator === undefined ? ['not'] : ['and', 'or', 'not']),
  ];
}

function tokensBefore(text: string): Token[] {
  try {
    return tokensOf(text).slice(0, -1);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    // An open quote: what stands in it is being written.
    const { start } = error.range;
    const open: Token = { kind: 'word', text: text.slice(start), start, end: text.length };
    return [...tokensBefore(text.slice(0, start)), open];
  }
}

function columnOf(token: Token | undefined, columns: readonly FilterColumn[]): FilterColumn | undefined {
  if (token?.kind !== 'word' && token?.kind !== 'column') return undefined;
  return findColumn(columns, token.text);
}

/** Those that start with what is written come first. */
function rank(text: string, written: string): number {
  return text
    .toLowerCase()
    .replace(/^["'`]/, '')
    .startsWith(written)
    ? 0
    : 1;
}
