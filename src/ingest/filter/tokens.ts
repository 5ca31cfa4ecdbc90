/** Where something stands in a filter's text, in characters, end exclusive. */
export interface Range {
  start: number;
  end: number;
}

export type Token = Range &
  (
    | { kind: 'word'; text: string }
    /** In double or single quotes: always text. */
    | { kind: 'string'; text: string }
    /** In backticks: always a column. */
    | { kind: 'column'; text: string }
    | { kind: 'number'; value: number; text: string }
    | { kind: 'operator'; text: Operator }
    | { kind: 'bracket'; text: '(' | ')' }
    | { kind: 'end' }
  );

export type Operator = '<' | '<=' | '>' | '>=' | '=' | '!=' | ':';

export class FilterError extends Error {
  readonly range: Range;

  constructor(message: string, { start, end }: Range) {
    super(message);
    this.range = { start, end };
  }
}

const patterns = {
  space: /\s+/y,
  // A whole word: `2024-01-05`, `3-shot` and `7%` are none.
  number: /[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?=[\s()<>=!:"'`]|$)/y,
  operator: /<=|>=|!=|==|[<>=:]/y,
  // Names of metrics have slashes, dots and at-signs: `mean/reward`, `pass@1`.
  word: /[^\s()<>=!:"'`]+/y,
};

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const space = match(patterns.space);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const token = tokenAt(text, at, match);
    tokens.push(token);
    at = token.end;
  }
  return [...tokens, { kind: 'end', start: text.length, end: text.length }];
}

function tokenAt(text: string, start: number, match: (pattern: RegExp) => string | undefined): Token {
  const character = text[start] ?? '';
  if (character === '(' || character === ')')
    return { kind: 'bracket', text: character, start, end: start + 1 };
  if (character === '"' || character === "'" || character === '`') return quoted(text, start, character);
  const operator = match(patterns.operator);
  if (operator !== undefined) {
    return { kind: 'operator', text: operatorOf(operator), start, end: start + operator.length };
  }
  const number = match(patterns.number);
  if (number !== undefined) {
    return {
      kind: 'number',
      value: Number(number.replaceAll(',', '')),
      text: number,
      start,
      end: start + number.length,
    };
  }
  const word = match(patterns.word);
  if (word !== undefined) return { kind: 'word', text: word, start, end: start + word.length };
  throw new FilterError(`${character} means nothing here`, { start, end: start + 1 });
}

function operatorOf(text: string): Operator {
  switch (text) {
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '!=':
    case ':':
      return text;
    default:
      return '=';
  }
}

/** A backslash takes the next character as it is. */
function quoted(text: string, start: number, quote: '"' | "'" | '`'): Token {
  let content = '';
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === quote) {
      return { kind: quote === '`' ? 'column' : 'string', text: content, start, end: at + 1 };
    }
    if (character === '\\' && at + 1 < text.length) at++;
    content += text[at] ?? '';
  }
  throw new FilterError(`The closing ${quote} is missing`, { start, end: text.length });
}
