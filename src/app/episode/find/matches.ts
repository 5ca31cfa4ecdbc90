import type { FindText, Where } from './texts';

/** One place where the text that is looked for stands. */
export interface Match {
  msgId: number;
  where: Where;
  /** Among the places of the same text, from 0. */
  nth: number;
  start: number;
  end: number;
}

/** More places than these are not told apart any more. */
export const MOST = 10_000;

/** What finds a text, letter by letter; undefined for no text. Places do not overlap. */
export function finderOf(text: string, matchCase: boolean): RegExp | undefined {
  if (text === '') return undefined;
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return new RegExp(escaped, matchCase ? 'gu' : 'giu');
}

/** The places in the texts, text by text, so that whoever asks can rest in between. */
export function* matchesIn(texts: Iterable<FindText>, finder: RegExp): Generator<Match[]> {
  let left = MOST;
  for (const { msgId, where, text } of texts) {
    const found: Match[] = [];
    for (const { index, 0: match } of text().matchAll(finder)) {
      if (left === 0) break;
      left -= 1;
      found.push({ msgId, where, nth: found.length, start: index, end: index + match.length });
    }
    yield found;
    if (left === 0) return;
  }
}

export function sameMatch(a: Match | undefined, b: Match | undefined): boolean {
  return a !== undefined && b !== undefined && a.msgId === b.msgId && a.where === b.where && a.nth === b.nth;
}

/** The first match at or after a message in the order of the history, else the first of all. */
export function matchFrom(
  matches: readonly Match[],
  order: ReadonlyMap<number, number>,
  msgId: number | undefined,
): Match | undefined {
  const from = msgId === undefined ? 0 : (order.get(msgId) ?? 0);
  return matches.find((match) => (order.get(match.msgId) ?? 0) >= from) ?? matches[0];
}

/** The one before or after, around the ends. */
export function neighbourMatch(
  matches: readonly Match[],
  current: Match | undefined,
  by: 1 | -1,
): Match | undefined {
  const at = matches.findIndex((match) => sameMatch(match, current));
  const next = at < 0 ? (by === 1 ? 0 : matches.length - 1) : (at + by + matches.length) % matches.length;
  return matches[next];
}
