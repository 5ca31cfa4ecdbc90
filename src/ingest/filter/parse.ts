import type { Cell, ColumnInfo, FilterFault } from '../protocol';
import { insteadOf, namedByWords } from './advice';
import { nearest } from './nearest';
import { FilterError, tokensOf, type Operator, type Range, type Token } from './tokens';
import { columnName } from './written';

/**
 * A filter as a tree. The language, by example:
 *
 *     reward < 0.5 and steps > 10        comparisons: < <= > >= = !=
 *     tool:search  title:"two words"     contains, whatever the case; for numbers the same as =
 *     size = "big"                       in quotes always text, also where most of a column are numbers
 *     resolved  not resolved             a column of booleans alone
 *     reward is missing                  or: is filled
 *     (a or b) and not c                 `and` may be left out: task:7 reward<1
 *     "lost cookie"                      text in any of the columns of text
 *     `mean reward` > 1                  a column whose name has spaces
 *
 * A comparison with a missing value is false, and so `!=`, being the opposite of `=`, is true. NaN is missing.
 */
export type Filter =
  | { kind: 'and' | 'or'; terms: Filter[] }
  | { kind: 'not'; term: Filter }
  | { kind: 'compare'; column: string; operator: Operator; value: NonNullable<Cell> }
  | { kind: 'missing'; column: string }
  | { kind: 'text'; text: string };

/** What a filter may speak of. */
export type FilterColumn = Pick<ColumnInfo, 'key' | 'label' | 'type'>;

/** The tree, or undefined for a filter that is empty. Throws a `FilterError` that says where it is wrong. */
export function parseFilter(text: string, columns: readonly FilterColumn[]): Filter | undefined {
  const tokens = tokensOf(text);
  if (tokens.length === 1) return undefined;
  return new Parser(tokens, columns).whole();
}

/** What is wrong with a filter or, where it is right, what it may not be meant to say. */
export function checkFilter(
  text: string,
  columns: readonly FilterColumn[],
): { fault?: FilterFault; hint?: string } {
  try {
    const tokens = tokensOf(text);
    if (tokens.length === 1) return {};
    const parser = new Parser(tokens, columns);
    parser.whole();
    return parser.hint === undefined ? {} : { hint: parser.hint };
  } catch (error) {
    if (error instanceof FilterError) return { fault: { message: error.message, ...error.range } };
    throw error;
  }
}

/** Brackets and `not`s inside each other: the parser and all who follow the tree recurse. */
const maxDepth = 200;

class Parser {
  private readonly tokens: readonly Token[];
  private readonly columns: readonly FilterColumn[];
  private at = 0;
  private depth = 0;
  hint: string | undefined;

  constructor(tokens: readonly Token[], columns: readonly FilterColumn[]) {
    this.tokens = tokens;
    this.columns = columns;
  }

  whole(): Filter {
    const filter = this.either();
    if (this.next.kind !== 'end') throw new FilterError('This bracket was never opened', this.next);
    return filter;
  }

  private get next(): Token {
    return this.tokens[this.at] ?? { kind: 'end', start: 0, end: 0 };
  }

  private take(): Token {
    const token = this.next;
    this.at += 1;
    return token;
  }

  private isWord(word: string): boolean {
    return this.next.kind === 'word' && this.next.text.toLowerCase() === word;
  }

  private either(): Filter {
    const terms = [this.all()];
    while (this.isWord('or')) {
      this.take();
      terms.push(this.all());
    }
    const [only] = terms;
    return only !== undefined && terms.length === 1 ? only : { kind: 'or', terms };
  }

  private all(): Filter {
    const terms = [this.one()];
    for (;;) {
      if (this.isWord('and')) this.take();
      else if (this.next.kind === 'end' || this.isWord('or') || isBracket(this.next, ')')) break;
      terms.push(this.one());
    }
    const [only] = terms;
    return only !== undefined && terms.length === 1 ? only : { kind: 'and', terms };
  }

  private one(): Filter {
    this.depth += 1;
    if (this.depth > maxDepth) throw new FilterError('This is nested too deep', this.next);
    const filter = this.term();
    this.depth -= 1;
    return filter;
  }

  private term(): Filter {
    const token = this.take();
    switch (token.kind) {
      case 'word':
        if (token.text.toLowerCase() === 'not') return { kind: 'not', term: this.one() };
        if (['and', 'or'].includes(token.text.toLowerCase())) {
          throw new FilterError(`Something must stand before ${token.text}`, token);
        }
        return this.about(token, token.text);
      case 'column':
        return this.about(token, token.text);
      case 'string':
        return { kind: 'text', text: token.text };
      case 'number':
        // `17` alone looks for it; `17 < 3` is nothing.
        if (this.next.kind === 'operator') throw new FilterError('A column must stand here', token);
        return { kind: 'text', text: token.text };
      case 'bracket': {
        if (token.text === ')') throw new FilterError('Something must stand before this bracket', token);
        const filter = this.either();
        if (!isBracket(this.next, ')')) throw new FilterError('This bracket is never closed', token);
        this.take();
        return filter;
      }
      case 'operator':
        throw new FilterError(`A column must stand before ${token.text}`, token);
      case 'end':
        throw new FilterError('Something is missing at the end', token);
    }
  }

  /** What follows a name: an operator and a value, `is missing`, or nothing. */
  private about(name: Token, text: string): Filter {
    // Enough to say how it is written.
    const rest = this.tokens.slice(this.at, this.at + 20);
    if (this.next.kind === 'operator') {
      const column = this.column(name, text);
      const operator = this.take();
      if (operator.kind !== 'operator') throw new FilterError('An operator is missing', operator);
      return compare(column, operator.text, this.value(operator), name);
    }
    if (this.isWord('is')) {
      const column = this.column(name, text);
      this.take();
      const state = this.take();
      const word = state.kind === 'word' ? state.text.toLowerCase() : '';
      const missing: Filter = { kind: 'missing', column: column.key };
      if (word === 'missing') return missing;
      if (word === 'filled') return { kind: 'not', term: missing };
      const instead = insteadOf(column, rest);
      const hint = instead === undefined ? '' : `. To compare, write ${instead}`;
      throw new FilterError(`missing or filled must stand after is${hint}`, state);
    }
    const column = findColumn(this.columns, text);
    if (column?.type === 'boolean')
      return { kind: 'compare', column: column.key, operator: '=', value: true };
    if (name.kind === 'column') {
      throw new FilterError(`An operator must follow ${text}: ${text} > 1`, {
        start: name.end,
        end: name.end,
      });
    }
    if (column !== undefined) {
      const instead = insteadOf(column, rest);
      if (instead !== undefined) {
        throw new FilterError(`This is no way to compare. Write ${instead}`, {
          start: name.start,
          end: rest[0]?.end ?? name.end,
        });
      }
      const comparison = `${columnName(column.key, column.label)}${column.type === 'number' ? ' > 0' : ':text'}`;
      this.hint ??= `This looks for the word ${text}. To compare, write ${comparison}`;
    }
    return { kind: 'text', text };
  }

  private column(name: Token, text: string): FilterColumn {
    const named = namedByWords(this.columns, this.tokens, this.at - 1);
    if (named !== undefined) {
      const { column, start } = named;
      const written = columnName(column.key, column.label);
      throw new FilterError(`The column ${column.label} is written ${written}`, { start, end: name.end });
    }
    const found = findColumn(this.columns, text);
    if (found !== undefined) return found;
    const near = nearest(this.columns, text);
    const hint = near === undefined ? '' : `. Do you mean ${near}?`;
    throw new FilterError(`There is no column ${text}${hint}`, name);
  }

  private value(operator: Token): Value {
    const token = this.take();
    switch (token.kind) {
      case 'number':
        return { cell: token.value, text: token.text, isQuoted: false, range: token };
      case 'word': {
        const word = token.text.toLowerCase();
        const constant = new Map<string, NonNullable<Cell>>([
          ['true', true],
          ['false', false],
          ['inf', Infinity],
          ['infinity', Infinity],
          ['-inf', -Infinity],
          ['-infinity', -Infinity],
        ]).get(word);
        return { cell: constant ?? token.text, text: token.text, isQuoted: false, range: token };
      }
      case 'string':
      case 'column':
        return { cell: token.text, text: token.text, isQuoted: true, range: token };
      case 'operator':
      case 'bracket':
      case 'end':
        throw new FilterError('A value must follow', { start: operator.start, end: operator.end });
    }
  }
}

/** What a column is compared with, and how it was written. */
interface Value {
  cell: NonNullable<Cell>;
  text: string;
  isQuoted: boolean;
  range: Range;
}

function isBracket(token: Token, text: '(' | ')'): boolean {
  return token.kind === 'bracket' && token.text === text;
}

const ordering: ReadonlySet<Operator> = new Set(['<', '<=', '>', '>=']);

/** Refuses what can never be true because of the types. */
function compare(
  column: FilterColumn,
  operator: Operator,
  { cell, text, isQuoted, range }: Value,
  name: Range,
): Filter {
  let value = cell;
  if (column.type === 'string') {
    if (ordering.has(operator)) {
      const place = { start: name.start, end: range.end };
      throw new FilterError(`${column.label} is text, which is compared with : = or !=`, place);
    }
    // `task = 17`, `version = 1.10`: text that looks like a number, as it is written.
    value = text;
  } else if (typeof value === 'string' && (!isQuoted || ordering.has(operator))) {
    const kind = column.type === 'number' ? 'numbers' : 'true or false';
    const hint = ordering.has(operator) ? '' : `. For a text among them, put it in quotes`;
    throw new FilterError(`${column.label} holds ${kind}, and ${value} is not one${hint}`, range);
  }
  return { kind: 'compare', column: column.key, operator, value };
}

/** `tool:search` reads better than `tools:search`. */
const aliases = new Map([
  ['tool', 'tools'],
  ['finding', 'rules'],
  ['episode', 'title'],
  ['file', 'path'],
]);

/** By its key or its label, exactly or whatever the case; core columns before metrics of the same name. */
export function findColumn(columns: readonly FilterColumn[], name: string): FilterColumn | undefined {
  const folded = name.toLowerCase();
  return (
    columns.find(({ key, label }) => key === name || label === name) ??
    columns.find(({ key, label }) => key.toLowerCase() === folded || label.toLowerCase() === folded) ??
    columns.find(({ key }) => key === aliases.get(folded))
  );
}
