import { decode, type ByteSource } from './bytes';
import { parseJson } from './parse';
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
  print?: Print;
}

/** A number that another text hardly has, made of all of it, or of what stands at so many places. */
export interface Print {
  hash: number;
  places: number;
}

/** For what is far away: its first bytes and its last. */
export const edges = 2;
/** For what is at hand. */
export const manyPlaces = 64;
const placeBytes = 512;
/** At hand, and no more than this: all of it. */
const wholeUpTo = 4e6;

export async function printOf(bytes: ByteSource, end: number, places: number): Promise<Print> {
  if (places > edges && end <= wholeUpTo) return { hash: hashOf(await bytes.read(0, end)), places };
  let hash = 0;
  for (let place = 0; place < places; place++) {
    const start = Math.round((Math.max(0, end - placeBytes) * place) / (places - 1));
    hash = hashOf(await bytes.read(start, Math.min(start + placeBytes, end)), hash);
  }
  return { hash, places };
}

/** FNV-1a. Enough against chance; nobody gains anything by a file that is taken for another of theirs. */
function hashOf(bytes: Uint8Array, before = 0): number {
  let hash = 0x811c9dc5 ^ before;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

/**
 * Where to read on in a file that has changed. `replaced`: it does not begin with what was read. `whole`: it is not
 * one record per line, so that more of them cannot simply follow.
 */
export async function resumeIn(
  bytes: ByteSource,
  { end, records, last, mayBeCutOff, print }: ReadSoFar,
): Promise<TextPosition | 'replaced' | 'whole'> {
  if (bytes.size < end) return 'replaced';
  if (print !== undefined && (await printOf(bytes, end, print.places)).hash !== print.hash) return 'replaced';
  if (last === undefined) return { byte: 0, line: 1, records };
  const between = await bytes.read(last.byteEnd, end);
  if (!between.every(isSpace)) return 'whole';
  if (mayBeCutOff && !between.includes(newline)) return { byte: last.byteStart, line: last.line, records };
  const within = await bytes.read(last.byteStart, last.byteEnd);
  if (within.includes(newline)) return 'whole';
  // Then nothing but its last record is known of it.
  if (print === undefined && !parseJson(decode(within), last.line).ok) return 'replaced';
  return { byte: end, line: last.line + newlines(between), records };
}

function newlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}
