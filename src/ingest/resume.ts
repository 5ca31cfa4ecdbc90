import type { ByteSource } from './bytes';
import type { TextPosition } from './read';
import type { Place } from './recognise';
import { isSpace, newline } from './span';

/** How far a text was read, and what is remembered of it to know it again. */
export interface ReadSoFar {
  /** Everything before this byte was read. */
  end: number;
  records: number;
  /** The last record or problem. */
  last?: Place;
  /** It was no record: if its line had not ended, it is read again. */
  mayBeCutOff: boolean;
  edges?: Edges;
}

/** The first bytes of what was read, and the last. */
export interface Edges {
  head: Uint8Array;
  tail: Uint8Array;
}

const edgeBytes = 512;

export async function edgesOf(bytes: ByteSource, end: number): Promise<Edges> {
  const head = await bytes.read(0, Math.min(edgeBytes, end));
  const tail = await bytes.read(Math.max(0, end - edgeBytes), end);
  return { head: head.slice(), tail: tail.slice() };
}

/**
 * Where to read on in a file that has changed. `replaced`: it does not begin with what was read. `whole`: it is not
 * one record per line, so that more of them cannot simply follow.
 */
export async function resumeIn(
  bytes: ByteSource,
  { end, records, last, mayBeCutOff, edges }: ReadSoFar,
): Promise<TextPosition | 'replaced' | 'whole'> {
  if (bytes.size < end) return 'replaced';
  if (edges !== undefined) {
    const now = await edgesOf(bytes, end);
    if (!same(now.head, edges.head) || !same(now.tail, edges.tail)) return 'replaced';
  }
  if (last === undefined) return { byte: 0, line: 1, records };
  const between = await bytes.read(last.byteEnd, end);
  if (!between.every(isSpace)) return 'whole';
  if (mayBeCutOff && !between.includes(newline)) return { byte: last.byteStart, line: last.line, records };
  const within = await bytes.read(last.byteStart, last.byteEnd);
  if (within.includes(newline)) return 'whole';
  return { byte: end, line: last.line + newlines(between), records };
}

function newlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
