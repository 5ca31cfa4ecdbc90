import { columnName, writtenCell, writtenNumber } from '../../../ingest/filter/written';
import { findColumn, parseFilter, type FilterColumn } from '../../../ingest/filter/parse';
import { FilterError, tokensOf, type Operator, type Token } from '../../../ingest/filter/tokens';
import type { Cell } from '../../../ingest/protocol';

/**
 * A filter's text, changed by something other than typing: a brushed histogram, a chosen value. The text stays the
 * one truth, so what is set this way is read back from it.
 */

/** A part of a filter that has to be true: of `task:7 reward<1 (a or b)` there are three. */
interface Term {
  text: string;
  /** For a comparison with a value: of what, how, with what. */
  about?: { column: string; operator: Operator; value: NonNullable<Cell> };
}

/** Numbers from `from` to `to`, both included unless it is said otherwise. Open where there is no bound. */
export interface NumberRange {
  from?: number;
  fromIncluded?: boolean;
  to?: number;
  toIncluded?: boolean;
}

/** The filter with another range of a column, or none. A filter that is wrong, which keeps every row, is dropped. */
export function withRange(
  filter: string,
  columns: readonly FilterColumn[],
  key: string,
  range: NumberRange | undefined,
): string {
  const name = nameOf(columns, key);
  const { from, fromIncluded = true, to, toIncluded = true } = range ?? {};
  return rewritten(filter, columns, (term) => isRange(term, key), [
    ...(from === undefined ? [] : [`${name} ${fromIncluded ? '>=' : '>'} ${writtenNumber(from)}`]),
    ...(to === undefined ? [] : [`${name} ${toIncluded ? '<=' : '<'} ${writtenNumber(to)}`]),
  ]);
}

/** What the terms of a filter leave of a column's numbers; undefined where they say nothing of it. */
export function rangeOf(
  filter: string,
  columns: readonly FilterColumn[],
  key: string,
): NumberRange | undefined {
  let range: NumberRange | undefined;
  for (const { about } of termsOf(filter, columns).filter((term) => isRange(term, key))) {
    const value = Number(about?.value);
    const operator = about?.operator ?? '=';
    range ??= {};
    const { from = -Infinity, fromIncluded = true, to = Infinity, toIncluded = true } = range;
    // Of two bounds at the same number, the one that leaves it out holds.
    if (operator !== '<' && operator !== '<=' && value >= from) {
      range.from = value;
      range.fromIncluded = operator !== '>' && (value > from || fromIncluded);
    }
    if (operator !== '>' && operator !== '>=' && value <= to) {
      range.to = value;
      range.toIncluded = operator !== '<' && (value < to || toIncluded);
    }
  }
  return range;
}

/** The filter with another wanted value of a column, or none. */
export function withValue(
  filter: string,
  columns: readonly FilterColumn[],
  key: string,
  value: NonNullable<Cell> | undefined,
): string {
  return rewritten(
    filter,
    columns,
    (term) => isValue(term, key),
    value === undefined ? [] : [`${nameOf(columns, key)} = ${writtenCell(typeOf(columns, key), value)}`],
  );
}

/** The value a filter wants a column to have; undefined where it wants none. */
export function valueOf(
  filter: string,
  columns: readonly FilterColumn[],
  key: string,
): NonNullable<Cell> | undefined {
  return termsOf(filter, columns).find((term) => isValue(term, key))?.about?.value;
}

function isRange({ about }: Term, key: string): boolean {
  return about?.column === key && about.operator !== '!=' && typeof about.value === 'number';
}

function isValue({ about }: Term, key: string): boolean {
  return about?.column === key && (about.operator === '=' || about.operator === ':');
}

function rewritten(
  filter: string,
  columns: readonly FilterColumn[],
  isReplaced: (term: Term) => boolean,
  added: readonly string[],
): string {
  const terms = termsOf(filter, columns);
  const kept = terms.filter((term) => !isReplaced(term)).map(({ text }) => text);
  // Written as the person wrote it, where nothing is taken from it.
  if (kept.length === terms.length && added.length === 0) return terms.length === 0 ? '' : filter;
  const [only] = kept;
  if (only !== undefined && kept.length === 1 && added.length === 0) return unwrapped(only);
  return [...kept, ...added].join(' and ');
}

/** `(a or b)` alone needs no brackets. */
function unwrapped(term: string): string {
  const tokens = tokensOf(term);
  return tokens[0]?.kind === 'bracket' && afterTerm(tokens, 0) === tokens.length - 1
    ? term.slice(1, -1).trim()
    : term;
}

/** None for a filter that is empty or wrong. */
function termsOf(filter: string, columns: readonly FilterColumn[]): Term[] {
  try {
    const parsed = parseFilter(filter, columns);
    if (parsed === undefined) return [];
    if (parsed.kind === 'or' && hasOr(tokensOf(filter))) return [{ text: `(${filter.trim()})` }];
  } catch (error) {
    if (error instanceof FilterError) return [];
    throw error;
  }
  const tokens = tokensOf(filter);
  const terms: Term[] = [];
  for (let at = 0; at < tokens.length - 1;) {
    const token = tokens[at];
    if (isWord(token, 'and')) {
      at += 1;
      continue;
    }
    const end = afterTerm(tokens, at);
    const text = filter.slice(token?.start, tokens[end - 1]?.end);
    const parsed = parseFilter(text, columns);
    // `not (x = 1)` and `x` alone, a boolean, are no comparisons that could be replaced.
    const plain = end - at === 3 && tokens[at + 1]?.kind === 'operator';
    terms.push(plain && parsed?.kind === 'compare' ? { text, about: parsed } : { text });
    at = end;
  }
  return terms;
}

/** Outside of all brackets. */
function hasOr(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'bracket') depth += token.text === '(' ? 1 : -1;
    if (depth === 0 && isWord(token, 'or')) return true;
  }
  return false;
}

/** Where the term that starts at a token ends, in a filter that is right. */
function afterTerm(tokens: readonly Token[], start: number): number {
  let at = start;
  while (isWord(tokens[at], 'not')) at += 1;
  const token = tokens[at];
  if (token?.kind === 'bracket') {
    let depth = 0;
    for (; at < tokens.length; at++) {
      const next = tokens[at];
      if (next?.kind === 'bracket') depth += next.text === '(' ? 1 : -1;
      if (depth === 0) return at + 1;
    }
  }
  if (token?.kind !== 'word' && token?.kind !== 'column') return at + 1;
  return tokens[at + 1]?.kind === 'operator' || isWord(tokens[at + 1], 'is') ? at + 3 : at + 1;
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word;
}

/** As a filter calls the column: by its name, or by its key where another column has that name, too. */
function nameOf(columns: readonly FilterColumn[], key: string): string {
  const label = columns.find((column) => column.key === key)?.label ?? key;
  const name = columnName(key, label);
  const [token] = tokensOf(name);
  const read = token?.kind === 'word' || token?.kind === 'column' ? token.text : name;
  return findColumn(columns, read)?.key === key ? name : `\`${key.replaceAll(/[`\\]/g, '\\$&')}\``;
}

function typeOf(columns: readonly FilterColumn[], key: string): FilterColumn['type'] | undefined {
  return columns.find((column) => column.key === key)?.type;
}
