import { findColumn, type FilterColumn } from '../../../ingest/filter/parse';
import { FilterError, tokensOf, type Token } from '../../../ingest/filter/tokens';
import type { FilterFault } from '../../../ingest/protocol';

/** A stretch of a filter's text, as it is drawn. */
export interface Stroke {
  text: string;
  kind: 'column' | 'word' | 'string' | 'plain';
  /** Within what is wrong. */
  wrong: boolean;
}

const words = new Set(['and', 'or', 'not', 'is', 'missing', 'filled']);

/** The text of a filter in strokes that together are the text. */
export function painted(
  text: string,
  columns: readonly FilterColumn[],
  fault: FilterFault | undefined,
): Stroke[] {
  const kinds = Array.from<Stroke['kind']>({ length: text.length }).fill('plain');
  const tokens = tokensUpToFault(text);
  tokens.forEach((token, at) => {
    if (token.kind !== 'end') kinds.fill(kindOf(token, tokens[at + 1], columns), token.start, token.end);
  });
  const isWrong = (at: number) => fault !== undefined && at >= fault.start && at < fault.end;
  const strokes: Stroke[] = [];
  for (let at = 0; at < text.length; at++) {
    const last = strokes.at(-1);
    const kind = kinds[at] ?? 'plain';
    const wrong = isWrong(at);
    if (last !== undefined && last.kind === kind && last.wrong === wrong) last.text += text.charAt(at);
    else strokes.push({ text: text.charAt(at), kind, wrong });
  }
  // What is missing at the end is shown where it is missing.
  if (fault !== undefined && fault.start >= text.length)
    strokes.push({ text: ' ', kind: 'plain', wrong: true });
  return strokes;
}

function kindOf(token: Token, next: Token | undefined, columns: readonly FilterColumn[]): Stroke['kind'] {
  if (token.kind === 'string') return 'string';
  if (token.kind === 'column') return 'column';
  if (token.kind !== 'word') return 'plain';
  const named = next?.kind === 'operator' || (next?.kind === 'word' && next.text.toLowerCase() === 'is');
  const column = findColumn(columns, token.text);
  if (column !== undefined && (named || column.type === 'boolean')) return 'column';
  return words.has(token.text.toLowerCase()) ? 'word' : 'plain';
}

function tokensUpToFault(text: string): Token[] {
  try {
    return tokensOf(text);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return tokensUpToFault(text.slice(0, error.range.start));
  }
}

/**
 * Whether a filter ends in a word that may become the name of a column: `rew` is on its way to `reward > 0`, and is not
 * yet a text to look for.
 */
export function isUnfinished(text: string, columns: readonly FilterColumn[]): boolean {
  const tokens = tokensUpToFault(text).filter(({ kind }) => kind !== 'end');
  const last = tokens.at(-1);
  if (last?.kind !== 'word' || last.end !== text.length || tokens.at(-2)?.kind === 'operator') return false;
  const written = last.text.toLowerCase();
  const names = [...columns.flatMap(({ key, label }) => [key, label]), 'and', 'or', 'not'];
  return names.some((name) => name.toLowerCase().startsWith(written));
}
