import type { Column } from '../columns';
import type { Cell } from '../protocol';
import type { Filter } from './parse';
import type { Operator } from './tokens';

/** The rows of several sources as the filter sees them: stretches of rows, each with columns of its own. */
export interface FilterRows {
  total: number;
  stretches: readonly { base: number; rows: number; columns: ReadonlyMap<string, Column> }[];
}

/** One byte per row: 1 where the filter is true. Works column by column, not row by row. */
export function evaluate(filter: Filter, rows: FilterRows): Uint8Array {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms
        .map((term) => evaluate(term, rows))
        .reduce((mask, other) => combined(mask, other, filter.kind === 'and'));
    case 'not': {
      const mask = evaluate(filter.term, rows);
      for (let row = 0; row < mask.length; row++) mask[row] = 1 - (mask[row] ?? 0);
      return mask;
    }
    case 'missing':
      return eachColumn(rows, filter.column, 1, (column, count, mask) => {
        column.scan(count, (row, value, code) => {
          if (code >= 0 || !Number.isNaN(value)) mask[row] = 0;
        });
      });
    case 'compare':
      return compared(rows, filter.column, filter.operator, filter.value);
    case 'text':
      return withText(rows, filter.text);
  }
}

function combined(mask: Uint8Array, other: Uint8Array, both: boolean): Uint8Array {
  if (both) for (let row = 0; row < mask.length; row++) mask[row] = (mask[row] ?? 0) & (other[row] ?? 0);
  else for (let row = 0; row < mask.length; row++) mask[row] = (mask[row] ?? 0) | (other[row] ?? 0);
  return mask;
}

function eachColumn(
  { total, stretches }: FilterRows,
  key: string,
  initial: 0 | 1,
  fill: (column: Column, rows: number, mask: Uint8Array) => void,
): Uint8Array {
  const mask = new Uint8Array(total).fill(initial);
  for (const { base, rows, columns } of stretches) {
    const column = columns.get(key);
    if (column !== undefined) fill(column, rows, mask.subarray(base, base + rows));
  }
  return mask;
}

function compared(rows: FilterRows, key: string, operator: Operator, value: NonNullable<Cell>): Uint8Array {
  if (operator === '!=') {
    const mask = compared(rows, key, '=', value);
    for (let row = 0; row < mask.length; row++) mask[row] = 1 - (mask[row] ?? 0);
    return mask;
  }
  if (typeof value !== 'string') {
    const number = Number(value);
    return eachColumn(rows, key, 0, (column, count, mask) => {
      column.compareNumbers(count, operator === ':' ? '=' : operator, number, mask);
    });
  }
  const wanted = value.toLowerCase();
  const matches =
    operator === ':'
      ? (text: string): boolean => text.toLowerCase().includes(wanted)
      : (text: string): boolean => text === value;
  return eachColumn(rows, key, 0, (column, count, mask) => {
    column.matchStrings(count, matches, mask);
    // Numbers among the texts of a mixed column are texts to a filter on it.
    column.matchNumbers(count, matches, mask);
  });
}

/** In any column, whatever the case. */
function withText(rows: FilterRows, text: string): Uint8Array {
  const wanted = text.toLowerCase();
  const mask = new Uint8Array(rows.total);
  for (const { base, rows: count, columns } of rows.stretches) {
    for (const column of columns.values()) {
      column.matchStrings(
        count,
        (each) => each.toLowerCase().includes(wanted),
        mask.subarray(base, base + count),
      );
    }
  }
  return mask;
}
