/**
 * Conditions on a session's state, for breakpoints: `/count > 3`, `/notes/0/key = "builder" and not /scanning`,
 * `size(/notes) >= 2`. A place is a JSON pointer; alone it asks whether there is something other than false, null, 0, ''.
 */
import { sameValue, valueAtPointer } from '../model';

export type Predicate = (state: unknown) => boolean;

/** What is wrong with a condition, and where in its text. */
export class PredicateError extends Error {
  override readonly name = 'PredicateError';
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

type Value = (state: unknown) => unknown;

interface Token {
  kind: 'pointer' | 'literal' | 'operator' | 'word' | 'open' | 'close' | 'end';
  text: string;
  at: number;
}

/** As much as a person types; it also bounds how deep brackets nest. */
const longest = 1000;

export function parsePredicate(text: string): Predicate {
  if (text.length > longest) throw new PredicateError('This is too long for a condition.', longest);
  const tokens = tokensOf(text);
  let position = 0;
  const peek = (): Token => tokens[position] ?? { kind: 'end', text: '', at: text.length };
  const take = (): Token => {
    const token = peek();
    position += 1;
    return token;
  };
  const isWord = (word: string): boolean => peek().kind === 'word' && peek().text === word;

  const either = (): Predicate => {
    const parts = [all()];
    while (isWord('or')) {
      take();
      parts.push(all());
    }
    return (state) => parts.some((part) => part(state));
  };
  const all = (): Predicate => {
    const parts = [one()];
    while (isWord('and')) {
      take();
      parts.push(one());
    }
    return (state) => parts.every((part) => part(state));
  };
  const one = (): Predicate => {
    if (isWord('not')) {
      take();
      const inner = one();
      return (state) => !inner(state);
    }
    if (peek().kind === 'open') {
      take();
      const inner = either();
      expectClose();
      return inner;
    }
    const left = value();
    if (peek().kind !== 'operator') return (state) => Boolean(left(state));
    const operator = take().text;
    const right = value();
    return (state) => compare(operator, left(state), right(state));
  };
  const value = (): Value => {
    const token = take();
    if (token.kind === 'pointer')
      return (state) => valueAtPointer(state, token.text === '/' ? '' : token.text);
    if (token.kind === 'literal') {
      const literal: unknown = JSON.parse(token.text);
      return () => literal;
    }
    if (token.kind === 'word' && token.text === 'size') {
      if (take().kind !== 'open') throw new PredicateError('size is written size(/place).', token.at);
      const inner = value();
      expectClose();
      return (state) => sizeOf(inner(state));
    }
    throw new PredicateError(
      token.kind === 'end' ? 'Something is missing at the end.' : `'${token.text}' cannot stand here.`,
      token.at,
    );
  };
  const expectClose = (): void => {
    const token = take();
    if (token.kind !== 'close') throw new PredicateError('A bracket is not closed.', token.at);
  };

  const whole = either();
  const rest = peek();
  if (rest.kind !== 'end') throw new PredicateError(`'${rest.text}' cannot stand here.`, rest.at);
  return whole;
}

const pattern =
  /\s*(?:(?<pointer>\/[^\s()=<>!]*)|(?<literal>"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true\b|false\b|null\b)|(?<operator><=|>=|!=|==?|<|>)|(?<word>and\b|or\b|not\b|size\b)|(?<open>\()|(?<close>\)))/y;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    pattern.lastIndex = at;
    const groups = pattern.exec(text)?.groups;
    const found = kinds.flatMap((kind) =>
      groups?.[kind] === undefined ? [] : [{ kind, text: groups[kind] }],
    )[0];
    if (found === undefined) {
      const where = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
      throw new PredicateError(`'${text.slice(where, where + 12)}' is not understood.`, where);
    }
    tokens.push({ ...found, at: pattern.lastIndex - found.text.length });
    checkLiteral(tokens.at(-1));
    at = pattern.lastIndex;
  }
  return tokens;
}

const kinds = ['pointer', 'literal', 'operator', 'word', 'open', 'close'] as const;

function checkLiteral(token: Token | undefined): void {
  if (token?.kind !== 'literal') return;
  try {
    JSON.parse(token.text);
  } catch {
    throw new PredicateError(`${token.text} is not a value.`, token.at);
  }
}

function compare(operator: string, left: unknown, right: unknown): boolean {
  if (operator === '=' || operator === '==') return sameValue(left, right);
  if (operator === '!=') return !sameValue(left, right);
  const both =
    (typeof left === 'number' && typeof right === 'number') ||
    (typeof left === 'string' && typeof right === 'string');
  // What cannot be ordered is neither above nor below.
  if (!both) return false;
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}
