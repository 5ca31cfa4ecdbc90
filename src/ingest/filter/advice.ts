import type { FilterColumn } from './parse';
import type { Operator, Token } from './tokens';
import { columnName, writtenValue } from './written';

/** Words that other languages have for a sign. */
const words: readonly [Operator, readonly string[]][] = [
  ['=', ['is', 'equals', 'equal', 'eq']],
  ['!=', ['not', 'ne', 'neq']],
  ['>', ['above', 'over', 'greater', 'more', 'gt']],
  ['<', ['below', 'under', 'less', 'fewer', 'lt']],
  ['>=', ['gte', 'ge']],
  ['<=', ['lte', 'le']],
  [':', ['contains', 'includes', 'like', 'has', 'matches']],
];
const signs = new Map(words.flatMap(([sign, own]) => own.map((word) => [word, sign])));

/**
 * What to write where a column is followed by a word that is no operator: `reward >= 0 reward <= 1` instead of
 * `reward between 0 and 1`. `rest` is all that follows the column. Undefined where it may be text that is looked for:
 * `task in progress`.
 */
export function insteadOf(column: FilterColumn, rest: readonly Token[]): string | undefined {
  const [first, second] = rest;
  const word = wordOf(first);
  if (word === undefined) return undefined;
  // `is above 1`, `is not 1`
  const next = wordOf(second);
  if (word === 'is' && next !== undefined && (signs.has(next) || next === 'in' || next === 'between')) {
    return insteadOf(column, rest.slice(1));
  }
  const name = columnName(column.key, column.label);
  if (word === 'not' && next === 'missing') return `${name} is filled`;
  const compared = (sign: Operator, value: string): string =>
    sign === ':' ? `${name}:${value}` : `${name} ${sign} ${value}`;
  const isNumber = column.type === 'number';
  const values = valuesIn(rest.slice(1), column.type);
  if (word === 'between') {
    const [from = '0', to = '1'] = values;
    return isNumber ? `${compared('>=', from)} ${compared('<=', to)}` : undefined;
  }
  if (word === 'in') {
    const isList = second?.kind === 'bracket' || next?.startsWith('[') === true;
    if (!isNumber && !isList) return undefined;
    const examples = values.length > 0 ? values : isNumber ? ['0', '1'] : ['a', 'b'];
    return examples.map((value) => compared('=', value)).join(' or ');
  }
  const sign = signs.get(word);
  const [value] = values;
  if (sign === undefined || value === undefined) return undefined;
  const isOfType = isNumber ? sign !== ':' : ['=', '!=', ':'].includes(sign);
  return isOfType ? compared(sign, value) : undefined;
}

const wordOf = (token: Token | undefined): string | undefined =>
  token?.kind === 'word' ? token.text.toLowerCase() : undefined;

const fits: Record<FilterColumn['type'], (text: string) => boolean> = {
  number: (text) => !Number.isNaN(Number(text)),
  boolean: (text) => /^(true|false)$/i.test(text),
  string: () => true,
};

/** Those that follow: `0` and `1` of `(0, 1)`, of `0 and 1` and of `than 0 and 1`. */
function valuesIn(tokens: readonly Token[], type: FilterColumn['type']): string[] {
  const values: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'end' || token.kind === 'operator' || wordOf(token) === 'or') break;
    if (token.kind === 'bracket' && token.text === ')') break;
    if (token.kind === 'bracket' || wordOf(token) === 'and') continue;
    const texts = token.kind === 'string' ? [token.text] : token.text.split(/[,[\]]+/);
    for (const text of texts) {
      if (text === '' || !fits[type](text)) continue;
      values.push(type === 'string' ? writtenValue(text) : text);
    }
  }
  return values;
}

/** Names of more words are not looked for. */
const mostWords = 8;

/**
 * The column that several words up to one name, and the first of them: `Tool calls` stands over a column that is written
 * `toolCalls`.
 */
export function namedByWords(
  columns: readonly FilterColumn[],
  tokens: readonly Token[],
  last: number,
): { column: FilterColumn; start: number } | undefined {
  const several = columns.filter(({ label }) => label.includes(' '));
  let words = wordOf(tokens[last]);
  for (let at = last - 1; words !== undefined && at >= 0 && at > last - mostWords; at--) {
    const word = wordOf(tokens[at]);
    // What follows an operator is a value.
    if (word === undefined || tokens[at - 1]?.kind === 'operator') return undefined;
    words = `${word} ${words}`;
    const column = several.find(({ label }) => label.toLowerCase() === words);
    if (column !== undefined) return { column, start: tokens[at]?.start ?? 0 };
  }
  return undefined;
}
