/** Chunks of a document and the search over them. Both follow from the text alone, so that a session keeps only how it was cut. */
import MiniSearch from 'minisearch';
import type { Tokenizer } from '../../tokens';

export type Chunk = {
  readonly chunk_id: number;
  readonly content: string;
  /** In tokens. */
  readonly start_pos: number;
  readonly end_pos: number;
};

export type Hit = {
  readonly chunk_id: number;
  readonly relevance_score: number;
  readonly highlights: readonly string[];
};

export interface DocumentIndex {
  readonly chunks: readonly Chunk[];
  search(keywords: readonly string[]): readonly Hit[];
}

/** Only a cache: the last few documents, since each call of a session needs the same one again. */
const CACHED = 8;
const tokenCache = new Map<string, readonly number[]>();
const indexCache = new Map<string, DocumentIndex>();

export function documentTokens(tokenizer: Tokenizer, document: string): readonly number[] {
  return cached(tokenCache, `${tokenizer.id}\n${document}`, () => tokenizer.encode(document));
}

export function documentIndex(
  tokenizer: Tokenizer,
  document: string,
  size: number,
  overlap: number,
): DocumentIndex {
  return cached(indexCache, `${tokenizer.id}\n${size}\n${overlap}\n${document}`, () => {
    const chunks = cut(tokenizer, document, size, overlap);
    return { chunks, search: searchOver(chunks) };
  });
}

function cached<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const value = cache.get(key) ?? make();
  cache.delete(key);
  cache.set(key, value);
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHED) break;
    cache.delete(oldest);
  }
  return value;
}

/** Every `size - overlap` tokens a chunk of `size` begins; the text of a chunk is cut from the document, so that no character is split. */
function cut(tokenizer: Tokenizer, document: string, size: number, overlap: number): Chunk[] {
  const tokens = documentTokens(tokenizer, document);
  // Starts and ends each only go forward, so that no part of the document is decoded more than once for each.
  const startOf = tokenOffsets(tokenizer, document, tokens);
  const endOf = tokenOffsets(tokenizer, document, tokens);
  const chunks: Chunk[] = [];
  for (let start = 0; start < tokens.length; start += size - overlap) {
    const end = Math.min(start + size, tokens.length);
    chunks.push({
      chunk_id: chunks.length,
      content: document.slice(startOf(start), endOf(end)),
      start_pos: start,
      end_pos: end,
    });
  }
  return chunks;
}

/** Where in the text a token begins, asked in growing order. A token that begins inside a character counts as beginning after it. */
function tokenOffsets(
  tokenizer: Tokenizer,
  document: string,
  tokens: readonly number[],
): (token: number) => number {
  let from = 0;
  let offset = 0;
  return (token) => {
    for (let end = token; end <= tokens.length; end++) {
      const text = tokenizer.decode(tokens.slice(from, end));
      if (!document.startsWith(text, offset)) continue;
      if (end === token) {
        from = token;
        offset += text.length;
        return offset;
      }
      return offset + text.length;
    }
    return document.length;
  };
}

function searchOver(chunks: readonly Chunk[]): (keywords: readonly string[]) => readonly Hit[] {
  const engine = new MiniSearch<Chunk>({ idField: 'chunk_id', fields: ['content'], tokenize: words });
  engine.addAll(chunks);
  return (keywords) => {
    const queries = keywords.map((keyword) => ({ combineWith: 'AND' as const, queries: [keyword] }));
    // At most 50, as the reference has it.
    const found = engine.search({ combineWith: 'OR', queries }).slice(0, 50);
    return found.flatMap(({ id, score, terms }): Hit[] => {
      const chunk = chunks[Number(id)];
      if (chunk === undefined) return [];
      return [
        {
          chunk_id: chunk.chunk_id,
          relevance_score: Math.round(score * 1000) / 1000,
          highlights: highlights(chunk.content, terms),
        },
      ];
    });
  };
}

/** Scripts without spaces are searched by the character. */
const BY_CHARACTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function words(text: string): string[] {
  return (text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).flatMap((word) =>
    BY_CHARACTER.test(word) ? Array.from(word) : [word],
  );
}

const FRAGMENTS = 3;
const FRAGMENT_LENGTH = 180;

/** Up to three pieces of the text around matches, with `<em>` around each match. */
function highlights(text: string, terms: readonly string[]): string[] {
  const pattern = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const matcher = new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${pattern})(?![\\p{L}\\p{N}_])|${byCharacter(terms)}`,
    'giu',
  );
  const fragments: string[] = [];
  let covered = 0;
  for (const match of text.matchAll(matcher)) {
    if (fragments.length === FRAGMENTS) break;
    if (match.index < covered) continue;
    const start = wordStart(text, Math.max(covered, match.index - FRAGMENT_LENGTH / 3));
    covered = wordEnd(text, Math.max(match.index + match[0].length, start + FRAGMENT_LENGTH));
    fragments.push(text.slice(start, covered).trim().replaceAll(matcher, '<em>$&</em>'));
  }
  return fragments;
}

function byCharacter(terms: readonly string[]): string {
  const characters = terms.filter((term) => BY_CHARACTER.test(term));
  return characters.length === 0 ? '(?!)' : characters.join('|');
}

function wordStart(text: string, from: number): number {
  const space = text.slice(from, from + 40).search(/\s/u);
  return from === 0 || space < 0 ? Math.floor(from) : Math.floor(from) + space;
}

function wordEnd(text: string, from: number): number {
  const space = text.slice(from, from + 40).search(/\s/u);
  return space < 0 ? Math.min(text.length, from) : from + space;
}
