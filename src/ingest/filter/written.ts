import type { Cell, ColumnInfo } from '../protocol';

/** Names and values as a filter has to have them written. */

/** Nothing that a number could begin with. */
const plainWord = /^[^\s()<>=!:"'`\d.+-][^\s()<>=!:"'`]*$/;
const reserved = new Set(['and', 'or', 'not', 'is']);
/** Read as something else than text. */
const constant = /^(true|false|inf|infinity)$/i;

/** A core column by its key, a metric by its name; in backticks where that is no plain word. */
export function columnName(key: string, label: string): string {
  const name = key.startsWith('metric:') ? label : key;
  const isPlain = plainWord.test(name) && !reserved.has(name.toLowerCase()) && !constant.test(name);
  return isPlain ? name : `\`${name.replaceAll(/[`\\]/g, '\\$&')}\``;
}

/** A text to compare a column of texts with; in quotes where it is no plain word or number. */
export function writtenValue(value: string): string {
  const isPlain = plainWord.test(value) && !reserved.has(value.toLowerCase()) && !constant.test(value);
  const isNumber = /^-?\d+(\.\d+)?$/.test(value);
  return isPlain || isNumber ? value : quoted(value);
}

/** A value to compare a column of some type with. */
export function writtenCell(type: ColumnInfo['type'] | undefined, value: NonNullable<Cell>): string {
  if (typeof value === 'string') return type === 'string' ? writtenValue(value) : quoted(value);
  return typeof value === 'number' ? writtenNumber(value) : String(value);
}

export function writtenNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf';
}

/** Which a filter takes as text whatever the column holds. */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
