import { allRows, sortRows } from './order';

/**
 * As people order names: `task 9` before `task 10`, accents and case only where nothing else differs. By keys that are
 * made once for a name, not by a collator that would be asked twenty million times for a million names.
 */
export function compareNatural(a: string, b: string): number {
  return compareKeys(naturalKey(a), naturalKey(b)) || compareEqualKeys(a, b);
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Lower case before upper. */
function compareEqualKeys(a: string, b: string): number {
  return compareKeys(a.toLowerCase(), b.toLowerCase()) || compareKeys(b, a);
}

const ascii = /^[\0-\x7f]*$/;
const marks = /\p{M}/gu;
const digits = /\d+/g;

/** Orders by its code units as the name does: without case and accents, and numbers with how long they are in front. */
function naturalKey(text: string): string {
  const folded = ascii.test(text) ? text : text.normalize('NFD').replaceAll(marks, '');
  return folded.toLowerCase().replaceAll(digits, numberKey);
}

/** `0042` becomes `242`; nine digits and more have their number behind the 9. */
function numberKey(written: string): string {
  let start = 0;
  while (start < written.length - 1 && written[start] === '0') start++;
  const length = written.length - start;
  const size = length < 9 ? String(length) : `9${String.fromCharCode(Math.min(length, 0xffff))}`;
  return size + written.slice(start);
}

/** The place of each of these names in their order; those that are the same stay as they stand. */
export function naturalRanks(names: readonly string[]): Uint32Array {
  const keys = names.map(naturalKey);
  const ranks = new Uint32Array(names.length);
  const compare = (a: number, b: number): number =>
    compareKeys(keys[a] ?? '', keys[b] ?? '') || compareEqualKeys(names[a] ?? '', names[b] ?? '');
  /**
   * Names whose keys have the same first `from` units, and whose ranks begin at `place`. Where they are not `packable`
   * the next units do not fit bytes.
   */
  const open: { members: Uint32Array; place: number; from: number; packable: boolean }[] = [
    { members: allRows(names.length), place: 0, from: 0, packable: true },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { members, place } = next;
    const from = sameUntil(keys, members, next.from);
    const isOver = members.every((each) => keys[each]?.length === from);
    if (members.length <= fewNames || !next.packable || isOver) {
      members.toSorted(compare).forEach((member, nth) => (ranks[member] = place + nth));
      continue;
    }
    const { sorted, values } = byUnits(keys, members, from);
    for (let start = 0; start < sorted.length;) {
      const first = sorted[start] ?? 0;
      let end = start + 1;
      while (end < sorted.length && values[sorted[end] ?? 0] === values[first]) end++;
      if (end === start + 1) {
        ranks[members[first] ?? 0] = place + start;
      } else {
        const run = sorted.subarray(start, end).map((at) => members[at] ?? 0);
        const packable = isPackable(keys[members[first] ?? 0] ?? '', from);
        open.push({ members: run, place: place + start, from: from + packedUnits, packable });
      }
      start = end;
    }
  }
  return ranks;
}

/** So few are compared with each other. */
const fewNames = 32;

/** Units that fit into a number, as bytes. From one on that does not, names are compared. */
const packedUnits = 6;

/** Positions in `members`, sorted by the next units of their keys. */
function byUnits(
  keys: readonly string[],
  members: Uint32Array,
  from: number,
): { sorted: Uint32Array; values: Float64Array } {
  const values = new Float64Array(members.length);
  for (let at = 0; at < members.length; at++) {
    const key = keys[members[at] ?? 0] ?? '';
    let value = 0;
    let end = key.length;
    for (let unit = from; unit < from + packedUnits; unit++) {
      // Where a key is over stands nothing, which is before every unit.
      const byte = unit < end ? Math.min(key.charCodeAt(unit) + 1, unpackable) : 0;
      if (byte === unpackable) end = unit;
      value = value * 256 + byte;
    }
    values[at] = value;
  }
  return { sorted: sortRows(allRows(members.length), [{ values, descending: false }]), values };
}

/** The unit at which they begin to differ, which they do not before `from`. */
function sameUntil(keys: readonly string[], members: Uint32Array, from: number): number {
  const first = keys[members[0] ?? 0] ?? '';
  let end = first.length;
  for (const member of members) {
    const key = keys[member] ?? '';
    let at = Math.min(from, end);
    while (at < end && key.charCodeAt(at) === first.charCodeAt(at)) at++;
    end = at;
  }
  return end;
}

/** Stands for every unit that does not fit a byte. */
const unpackable = 255;

function isPackable(key: string, from: number): boolean {
  const end = Math.min(from + packedUnits, key.length);
  for (let unit = from; unit < end; unit++) if (key.charCodeAt(unit) + 1 >= unpackable) return false;
  return true;
}
